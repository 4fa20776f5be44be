// The write-ahead logs of a RocksDB store in a directory of their own (`wal_dir`). A store that is
// opened replays what logs lie there, whose they may be, and removes them. So a file beside the
// logs names their store: those of another one that is still there are never touched, and those of
// a store that is gone are removed before the directory is used again.
//
// Cold code, for one thread.
#ifndef LEVELFIELD_ENGINES_ROCKSDB_LOGS_H_
#define LEVELFIELD_ENGINES_ROCKSDB_LOGS_H_

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "levelfield/engine.h"
#include "rocksdb_in_force.h"
#include "store_files.h"

namespace levelfield {

class RocksDbLogs {
 public:
  static constexpr const char* kMarker = "LEVELFIELD_LOGS_OF";

  // The directory as RocksDB is told it: absolute. Empty: beside the tables.
  static std::string PathOf(std::string_view asked) {
    if (asked.empty() || asked == "none") return "";
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(asked, error).lexically_normal();
    return (whole.has_filename() ? whole : whole.parent_path()).string();
  }

  // Makes the directory ready for the store in `database`, which is not open. LF_FAILED: the
  // logs there, or those of the store, are not what this opening would replay.
  static lf_code Prepare(const std::string& path, const std::string& database, bool read_only) {
    const bool is_new = !IsFile(database + "/CURRENT");
    if (!is_new) {
      if (const lf_code code = CheckOwn(path, database); code != LF_OK) return code;
    }
    if (path.empty()) return LF_OK;
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return FailedTo("make", path, error.message());
    const std::string store = std::filesystem::weakly_canonical(database, error).string();
    if (std::filesystem::weakly_canonical(path, error) == store) return LF_OK;
    const std::string owner = OwnerOf(path);
    const std::vector<std::string> logs = In(path);
    const bool is_of_a_lost_store = !owner.empty() && !IsDirectory(owner);
    if (owner != store && !logs.empty() && !is_of_a_lost_store) {
      return Failed("RocksDB: wal_dir=" + path + ": the logs in it are " +
                    (owner.empty() ? "nobody's that Levelfield knows" : "of " + owner) +
                    ", and would be replayed into " + store + ": name another directory");
    }
    if (read_only) return LF_OK;
    if (owner != store || is_new) {
      for (const std::string& log : logs) {
        if (!RemoveFile(log)) return FailedTo("remove", log, std::strerror(errno));
      }
    }
    if (owner == store) return LF_OK;
    std::ofstream marker(path + "/" + kMarker);
    marker << store << "\n" << std::flush;
    return marker ? LF_OK : FailedTo("write to", path, std::strerror(errno));
  }

 private:
  // An existing store whose logs are elsewhere would be opened without what only they have.
  static lf_code CheckOwn(const std::string& path, const std::string& database) {
    const std::string told = RocksDbInForce::Of(database).ValueOf("wal_dir").value_or("");
    if (told.empty() || told == path || OwnerOf(told).empty() || In(told).empty()) return LF_OK;
    return Failed("RocksDB: the logs of " + database + " are in " + told +
                  ": open it with --rocksdb.wal_dir=" + told);
  }

  static std::string OwnerOf(const std::string& path) {
    std::ifstream marker(path + "/" + kMarker);
    std::string owner;
    std::getline(marker, owner);
    return owner;
  }

  static std::vector<std::string> In(const std::string& path) {
    std::vector<std::string> logs;
    for (const std::string& directory : {path, path + "/archive"}) {
      for (const std::string& name : NamesIn(directory)) {
        if (name.ends_with(".log")) logs.push_back(directory + "/" + name);
      }
    }
    return logs;
  }

  static lf_code FailedTo(const char* what, const std::string& path, const std::string& why) {
    return Failed(std::string("RocksDB: wal_dir: cannot ") + what + " " + path + ": " + why);
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_LOGS_H_
