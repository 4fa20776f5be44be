// An OPTIONS file, which RocksDB writes into each of its databases, read by RocksDB's own parser:
// so a comment may end a line, and what the loaded version does not know is refused in its words.
// Here it is only split into lines, to say in which of them a mistake is.
// https://github.com/facebook/rocksdb/wiki/RocksDB-Options-File
//
// Cold code, for one thread.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_OPTIONS_FILE_H_
#define LEVELFIELD_ENGINES_ROCKSDB_OPTIONS_FILE_H_

#include <algorithm>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "levelfield/engine.h"
#include "rocksdb_in_force.h"
#include "rocksdb_library.h"
#include "rocksdb_meaning.h"
#include "store_files.h"
#include "temporary_directory.h"

namespace levelfield {

using RocksDbOptionsHandle = RocksDbOwned<rocksdb_options_t, "rocksdb_options_destroy">;

// A store must be in one directory, which is emptied and measured as a whole.
inline lf_code CheckRocksDbPlace(const std::string& where, std::string_view name,
                                 std::string_view text) {
  const bool is_place =
      name == "wal_dir" || name == "db_log_dir" || name == "db_paths" || name == "cf_paths";
  if (!is_place || text.empty() || text == "{}") return LF_OK;
  return Unsupported("RocksDB: " + where + std::string(name) + "=" + std::string(text) +
                     ": files of the store would lie outside of its directory, where they are "
                     "neither emptied nor measured");
}

class RocksDbOptionsFile {
 public:
  // `has_bits`: the bits of a filter are given beside the file.
  static lf_code Read(const std::string& path, bool has_bits, RocksDbOptionsFile& file) {
    if (!IsFile(path) || access(path.c_str(), R_OK) != 0) {
      return Unsupported("RocksDB: options_file=" + path + " cannot be read");
    }
    file.path_ = path;
    std::ifstream opened(path);
    std::string section;
    size_t number = 0;
    for (std::string line; std::getline(opened, line);) {
      ++number;
      const std::string_view text = TrimmedRocksDbText(WithoutComment(line));
      if (text.starts_with('[') && text.ends_with(']')) section = text;
      if (const size_t equals = text.find('='); equals != text.npos && !text.starts_with('[')) {
        const Line one{number, section, std::string(TrimmedRocksDbText(text.substr(0, equals))),
                       UnescapedRocksDbText(TrimmedRocksDbText(text.substr(equals + 1)))};
        const std::optional<lf_code> code = file.Take(one, has_bits);
        if (code && *code != LF_OK) return *code;
        if (code) line.clear();  // Left out; the lines behind it keep their numbers.
      } else if (const lf_code code = file.CheckSection(section, number); code != LF_OK) {
        return code;
      }
      file.text_ += line + "\n";
    }
    return LF_OK;
  }

  // The options of the database and those of its column family, by RocksDB's parser. The C
  // interface reads the newest file of a database only, so this is the only one of a directory.
  lf_code Load(RocksDbOptionsHandle& database, RocksDbOptionsHandle& family) const {
    const TemporaryDirectory directory;
    if (directory.path().empty()) return Unsupported("RocksDB: " + Where(0) + directory.error());
    std::ofstream(directory.path() + "/OPTIONS-000001") << text_;
    const RocksDbOwned<rocksdb_env_t, "rocksdb_env_destroy"> env(ROCKSDB(create_default_env));
    rocksdb_options_t* of_database = nullptr;
    rocksdb_options_t** of_families = nullptr;
    char** names = nullptr;
    size_t count = 0;
    char* error = nullptr;
    ROCKSDB(load_latest_options, directory.path().c_str(), env.get(), false, nullptr, &of_database,
            &count, &names, &of_families, &error);
    if (error != nullptr) {
      const std::string refusal = error;
      ROCKSDB(free, error);
      return Unsupported("RocksDB: " + Where(LineOf(refusal)) + refusal);
    }
    database.reset(ROCKSDB(options_create_copy, of_database));
    family.reset(ROCKSDB(options_create_copy, of_families[0]));
    ROCKSDB(load_latest_options_destroy, of_database, names, of_families, count);
    return LF_OK;
  }

  // The value that it states for an option. Nothing: none.
  std::optional<std::string> ValueOf(std::string_view name) const {
    const auto it = std::ranges::find(lines_, name, &Line::name);
    return it == lines_.end() ? std::nullopt : std::optional(it->value);
  }

  // Refuses it if something that it states, and that nobody has asked for otherwise (`is_asked`),
  // is not in force: a part that this RocksDB lacks, a value that it replaces. What it tells
  // nothing of, an older version has written.
  template <class IsAsked>
  lf_code Compare(const RocksDbInForce& in_force, const IsAsked& is_asked) const {
    std::string differences;
    for (const Line& line : lines_) {
      if (line.section.starts_with("[Version") || is_asked(line.name) ||
          in_force.Is(line.name, line.value).value_or(true)) {
        continue;
      }
      const std::string told = in_force.ValueOf(line.name).value_or("none");
      differences += (differences.empty() ? "" : "; ") + Where(line.number) + line.name + "=" +
                     line.value + " is stated, and " + told + " is in force";
    }
    if (differences.empty()) return LF_OK;
    return Unsupported("RocksDB: " + differences +
                       ": leave the lines out, or state what is in force");
  }

 private:
  struct Line {
    size_t number;
    std::string section;  // "[DBOptions]"
    std::string name;
    std::string value;
  };

  // As RocksDB's parser finds one (options/options_parser.cc): at a # without a backslash.
  static std::string_view WithoutComment(std::string_view line) {
    for (size_t at = line.find('#'); at != line.npos; at = line.find('#', at + 1)) {
      if (at == 0 || line[at - 1] != '\\') return line.substr(0, at);
    }
    return line;
  }

  // "options_file=/tmp/OPTIONS:12: "
  std::string Where(size_t line) const {
    return "options_file=" + path_ + (line == 0 ? "" : ":" + std::to_string(line)) + ": ";
  }

  // Nothing: the line is kept as it is. LF_OK: it is left out.
  std::optional<lf_code> Take(const Line& line, bool has_bits) {
    // The place of the logs of the database that the file is of, in its own directory.
    if (line.name == "wal_dir" && IsItsOwn(line.value)) return LF_OK;
    // The harness makes the store, and opens it again.
    if (line.name == "create_if_missing" || line.name == "error_if_exists") return LF_OK;
    const bool is_filter = line.name == "filter_policy" && line.value != "nullptr";
    if (is_filter && line.value.find(':') == std::string::npos) {
      if (has_bits) return LF_OK;
      return Unsupported(
          "RocksDB: " + Where(line.number) + line.name + "=" + line.value +
          " names a filter without its bits, of which RocksDB makes none: give them too, as in "
          "--rocksdb.bloom_bits=10 (0 is no filter)");
    }
    if (const lf_code code = CheckRocksDbPlace(Where(line.number), line.name, line.value);
        code != LF_OK) {
      return code;
    }
    lines_.push_back(line);
    return std::nullopt;
  }

  bool IsItsOwn(const std::string& directory) const {
    std::error_code error;
    return std::filesystem::weakly_canonical(directory, error) ==
           std::filesystem::weakly_canonical(path_, error).parent_path();
  }

  lf_code CheckSection(const std::string& section, size_t number) const {
    if (section.starts_with("[CFOptions") && section != "[CFOptions \"default\"]") {
      return Unsupported("RocksDB: " + Where(number) + section +
                         ": a store here has the column family \"default\" only");
    }
    // RocksDB passes over tables that it does not know, and then has none.
    constexpr std::string_view kTables[] = {"BlockBasedTable", "PlainTable", "CuckooTable"};
    constexpr std::string_view kStart = "[TableOptions/";
    const bool is_table = section.starts_with(kStart);
    if (is_table && std::ranges::none_of(kTables, [&](std::string_view table) {
          return section.substr(kStart.size()).starts_with(std::string(table) + " ");
        })) {
      return Unsupported("RocksDB: " + Where(number) + section + ": there are no such tables");
    }
    return LF_OK;
  }

  // The line that RocksDB's words are about: they name its number, or the option. 0: none.
  size_t LineOf(std::string_view refusal) const {
    if (refusal.find("(at line ") != refusal.npos) return 0;  // It says so itself.
    const auto named = std::ranges::find_if(lines_, [&](const Line& line) {
      const size_t at = refusal.rfind(line.name);
      return at != refusal.npos && at + line.name.size() == refusal.size();
    });
    if (named != lines_.end()) return named->number;
    const auto inside = std::ranges::find_if(
        lines_, [&](const Line& line) { return refusal.find(line.name) != refusal.npos; });
    return inside == lines_.end() ? 0 : inside->number;
  }

  std::string path_;
  std::string text_;
  std::vector<Line> lines_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_OPTIONS_FILE_H_
