// Holds the one direction in which the rooms of src/ may know each other: each includes from itself
// and from the rooms that the table below gives it. main.cc, outside the rooms, sees them all.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

// A room and what it may include besides itself. A folder in a room is a part of it.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {}},
    {"stats", {"base"}},
    {"settings", {"base"}},
    {"file_system", {"base"}},
    {"process", {"base"}},
    {"workload", {"base", "settings"}},
    {"engine", {"base", "settings", "process"}},
    {"result", {"base", "stats", "settings"}},
    {"analysis", {"base", "stats", "settings", "result"}},
    {"probe", {"base", "settings", "result"}},
    {"store", {"base", "process", "probe", "workload"}},
    {"loop", {"base", "stats", "workload"}},
    {"check", {"base", "engine", "workload", "loop"}},
    {"operations", {"base", "stats", "settings", "result", "engine", "workload", "loop", "check"}},
    {"plan",
     {"base", "settings", "file_system", "result", "analysis", "probe", "engine", "workload",
      "store", "loop"}},
    {"worker",
     {"base", "stats", "settings", "process", "result", "analysis", "probe", "engine", "workload",
      "store", "loop", "check", "operations", "plan"}},
    {"driver",
     {"base", "stats", "settings", "file_system", "process", "result", "analysis", "probe",
      "engine", "workload", "store", "plan", "worker"}},
    {"durability",
     {"base", "file_system", "process", "result", "analysis", "engine", "workload", "driver"}},
    {"report", {"base", "stats", "settings", "result", "analysis"}},
    {"verbs",
     {"base", "stats", "settings", "process", "result", "analysis", "probe", "engine", "workload",
      "store", "plan", "worker", "driver", "durability", "report"}},
};

// "driver/driver.cc: report/table.h", for each include that goes the wrong way.
std::vector<std::string> Violations(const fs::path& root) {
  static const std::regex kInclude("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"].*");
  std::vector<std::string> violations;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc") continue;
    const fs::path file = entry.path().lexically_relative(root);
    if (!file.has_parent_path()) continue;  // main.cc
    // A test may run its subject with what stands above it.
    if (file.string().ends_with("_test.cc")) continue;
    const std::string room = file.begin()->string();
    const auto allowed = kMayInclude.find(room);
    if (allowed == kMayInclude.end()) {
      violations.push_back(file.string() + ": no room of the table in this test");
      continue;
    }
    std::ifstream text(entry.path());
    std::smatch match;
    for (std::string line; std::getline(text, line);) {
      if (!std::regex_match(line, match, kInclude)) continue;
      const fs::path included = match[1].str();
      const std::string from = included.begin()->string();
      const bool climbs = from == "..";  // Would hide the room that it comes from.
      const bool backwards =
          kMayInclude.count(from) > 0 && from != room && allowed->second.count(from) == 0;
      if (climbs || backwards) violations.push_back(file.string() + ": " + included.string());
    }
  }
  std::sort(violations.begin(), violations.end());
  return violations;
}

TEST(IncludeDirections, HoldInAllOfSrc) {
  EXPECT_EQ(Violations(SOURCE_DIRECTORY "/src"), std::vector<std::string>());
}

TEST(IncludeDirections, EveryWrongWayIsSeen) {
  EXPECT_EQ(Violations(SOURCE_DIRECTORY "/tests/include_directions/bad"),
            (std::vector<std::string>{
                "base/knows_settings.h: settings/settings.h",
                "driver/knows_report.cc: report/table.h",
                "report/knows_driver.cc: driver/driver.h",
                "rest/unknown_room.h: no room of the table in this test",
                "result/climbs.h: ../engine/engine.h",
                "result/knows_engine.h: engine/engine.h",
            }));
}

// A newcomer finds each room, and no other, on the page that maps them.
TEST(ArchitecturePage, NamesEachRoom) {
  std::ifstream page(SOURCE_DIRECTORY "/docs/architecture.md");
  std::set<std::string> rooms_of_page;
  static const std::regex kRow("^\\| `([a-z_]+)` \\|.*");
  std::smatch match;
  for (std::string line; std::getline(page, line);) {
    if (std::regex_match(line, match, kRow)) rooms_of_page.insert(match[1]);
  }
  std::set<std::string> rooms;
  for (const auto& [room, _] : kMayInclude) rooms.insert(room);
  EXPECT_EQ(rooms_of_page, rooms);
  std::set<std::string> folders;
  for (const auto& entry : fs::directory_iterator(SOURCE_DIRECTORY "/src")) {
    if (entry.is_directory()) folders.insert(entry.path().filename());
  }
  EXPECT_EQ(folders, rooms);
}

// Files that `page` names and that are neither below the root nor below src. "operations/x.cc"
// stands for any.
std::vector<std::string> MissingFiles(const std::string& page) {
  static const std::regex kFile("`([a-z_]+(/[a-zA-Z_]+)+\\.(h|cc|inc|txt|workload))`");
  std::vector<std::string> missing;
  for (std::sregex_iterator it(page.begin(), page.end(), kFile), end; it != end; ++it) {
    const fs::path file = (*it)[1].str();
    if (file.stem() == "x") continue;
    const fs::path root = SOURCE_DIRECTORY;
    if (!fs::exists(root / file) && !fs::exists(root / "src" / file)) missing.push_back(file);
  }
  return missing;
}

TEST(ArchitecturePage, NamesFilesThatExist) {
  std::ifstream page(SOURCE_DIRECTORY "/docs/architecture.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_EQ(MissingFiles(text), std::vector<std::string>());
  EXPECT_EQ(MissingFiles("`loop/loop.h` `engines/leveldb.cc` `engines/x.cc` `loop/lopp.h`"),
            std::vector<std::string>{"loop/lopp.h"});
}

// "worker/phase.cc: system_clock", for each clock that somebody may set and that is named where
// time is taken.
std::vector<std::string> WallClocks(const fs::path& root) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cc") continue;
    std::ifstream text(entry.path());
    for (std::string line; std::getline(text, line);) {
      for (const char* const clock :
           {"gettimeofday", "high_resolution_clock", "system_clock", "CLOCK_REALTIME"}) {
        if (line.find(clock) == std::string::npos) continue;
        found.push_back(entry.path().lexically_relative(root).string() + ": " + clock);
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// So a step of the machine's date is in no latency and in no rate: nothing reads it for a
// difference.
TEST(Clocks, ThatMayBeSetAreReadByNothing) {
  EXPECT_EQ(WallClocks(SOURCE_DIRECTORY "/src"), std::vector<std::string>());
  EXPECT_EQ(WallClocks(SOURCE_DIRECTORY "/engines"), std::vector<std::string>());
}

TEST(Clocks, ThatMayBeSetAreSeen) {
  EXPECT_EQ(WallClocks(SOURCE_DIRECTORY "/tests/include_directions/bad"),
            std::vector<std::string>{"driver/knows_report.cc: system_clock"});
}

// "worker/phase.cc: json.dump(", for each match of a regular expression in the sources, but for the
// files that are meant to have it.
std::vector<std::string> Found(const fs::path& root, const std::regex& pattern,
                               const std::set<std::string>& but_for = {}) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const std::string extension = entry.path().extension();
    const std::string file = entry.path().lexically_relative(root);
    if ((extension != ".h" && extension != ".cc") || file.ends_with("_test.cc")) continue;
    if (but_for.contains(file)) continue;
    std::ifstream stream(entry.path());
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
      found.push_back(file + ": " + it->str());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

const std::regex kDump("\\w+(\\.|->)dump\\(");
// Calls on a standard stream; a whole call, so over lines.
const std::regex kPrints(
    "\\b(fputs|fwrite|fputc|printf|print|puts)\\([^;]*\\b(stdout|stderr)\\b[^;]*;|\\b(cout|cerr)"
    "\\b");
// Calls that throw because they are given no place for the error.
const std::regex kThrows(
    "fs::(canonical|weakly_canonical|absolute|create_directory|create_directories|remove|"
    "remove_all|file_size|space|exists|read_symlink|is_empty|rename|temp_directory_path|"
    "symlink_status|(recursive_)?directory_iterator "
    "\\w+)\\((?![^;{]*(error|ignored|unknown|gone)\\))"
    "[^;{]*[;{]|: fs::(recursive_)?directory_iterator\\b");

// JSON that is made elsewhere would end the program at the first byte that is no UTF-8, or lose it.
TEST(Bytes, BecomeJsonInOnePlaceOnly) {
  EXPECT_EQ(Found(SOURCE_DIRECTORY "/src", kDump, {"base/json_text.cc"}),
            std::vector<std::string>());
}

TEST(Bytes, ReachATerminalThroughOnePlaceOnly) {
  EXPECT_EQ(Found(SOURCE_DIRECTORY "/src", kPrints,
                  {"base/print.h", "driver/progress_view.cc", "driver/interval_report.cc"}),
            std::vector<std::string>());
}

TEST(FileSystemCalls, GiveTheirErrorsAsValues) {
  EXPECT_EQ(Found(SOURCE_DIRECTORY "/src", kThrows), std::vector<std::string>());
}

TEST(Bytes, AndErrorsThatAreMadeElsewhereAreSeen) {
  const fs::path bad = SOURCE_DIRECTORY "/tests/include_directions/bad";
  EXPECT_EQ(Found(bad, kDump), std::vector<std::string>{"driver/careless.cc: json.dump("});
  EXPECT_EQ(Found(bad, kPrints),
            std::vector<std::string>{"driver/careless.cc: fputs(name.c_str(), stdout);"});
  EXPECT_EQ(Found(bad, kThrows),
            (std::vector<std::string>{"driver/careless.cc: : fs::directory_iterator",
                                      "driver/careless.cc: fs::canonical(name);"}));
}

// "Section: report/model.h workload/role_lines.h", for each type that two headers define. Beside
// the names, files of one program would share the functions that a compiler makes for the types.
std::vector<std::string> DefinedTwice(const fs::path& root) {
  static const std::regex kType("(struct|class|enum class) (\\w+)[^;]*\\{.*");
  std::map<std::string, std::set<std::string>> headers;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".h") continue;
    std::ifstream file(entry.path());
    std::smatch type;
    for (std::string line; std::getline(file, line);) {
      if (std::regex_match(line, type, kType)) {
        headers[type[2]].insert(entry.path().lexically_relative(root));
      }
    }
  }
  std::vector<std::string> twice;
  for (const auto& [name, files] : headers) {
    if (files.size() == 1) continue;
    twice.push_back(name + ":");
    for (const std::string& file : files) twice.back() += " " + file;
  }
  return twice;
}

TEST(Types, AreDefinedByOneHeader) {
  EXPECT_EQ(DefinedTwice(SOURCE_DIRECTORY "/src"), std::vector<std::string>());
}

TEST(Types, ThatTwoHeadersDefineAreSeen) {
  EXPECT_EQ(DefinedTwice(SOURCE_DIRECTORY "/tests/include_directions/bad"),
            std::vector<std::string>{"Part: base/part.h report/part.h"});
}

}  // namespace
