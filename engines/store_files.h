// Files on the disk, for engines that recognize their own stores by their files. Only reads, except
// for `RemoveFile` and `CopyFile`. Cold code, any thread.
#ifndef LEVELFIELD_ENGINES_STORE_FILES_H_
#define LEVELFIELD_ENGINES_STORE_FILES_H_

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "levelfield/engine.h"

namespace levelfield {

inline bool IsFile(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

inline bool IsDirectory(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// Sorted; empty if `directory` is no directory or cannot be read.
inline std::vector<std::string> NamesIn(const std::string& directory) {
  std::vector<std::string> names;
  DIR* const opened = opendir(directory.c_str());
  if (opened == nullptr) return names;
  while (const dirent* const entry = readdir(opened)) names.emplace_back(entry->d_name);
  closedir(opened);
  std::sort(names.begin(), names.end());
  return names;
}

// Its first bytes; fewer if the file is shorter, none if it is no readable regular file. Does not
// wait for a pipe's writer.
inline std::string StartOfFile(const std::string& path, size_t bytes) {
  std::string start;
  if (!IsFile(path)) return start;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return start;
  start.resize(bytes);
  const ssize_t count = pread(file, start.data(), bytes, 0);
  close(file);
  start.resize(count > 0 ? static_cast<size_t>(count) : 0);
  return start;
}

// Copies a file to a free path and syncs the copy; errno has the reason of a failure.
inline bool CopyFile(const std::string& from, const std::string& to) {
  std::error_code error;
  if (!std::filesystem::copy_file(from, to, error)) {
    errno = error.value();
    return false;
  }
  const int file = open(to.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = file >= 0 && fsync(file) == 0;
  const int cause = errno;
  if (file >= 0) close(file);
  errno = cause;
  return synced;
}

// Removes the file if there is one; errno has the reason of a failure.
inline bool RemoveFile(const std::string& path) {
  return unlink(path.c_str()) == 0 || errno == ENOENT;
}

// Makes the names in a directory survive a power cut; 0, or the error.
inline int SyncDirectory(const std::string& path) {
  const int directory = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return errno;
  const int error = fsync(directory) == 0 ? 0 : errno;
  close(directory);
  return error;
}

inline std::string DirectoryOf(const std::string& file) {
  const size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : file.substr(0, slash);
}

// The stores of an engine that keeps each in one file. A path is that file, or a directory in which
// the file is called `own`. Other programs use their own names (dbbench_sqlite3-1.db), and there
// may be several.
struct OneFileStore {
  const char* library;  // For messages: "SQLite",
  const char* kind;     // and "SQLite database".
  const char* own;
  bool (*is_store)(const std::string& path);

  lf_code FailedTo(const char* what, const std::string& path) const {
    return Failed(std::string(library) + ": cannot " + what + " " + path + ": " +
                  std::strerror(errno));
  }

  // The stores there; only the one with our own name if it exists.
  std::vector<std::string> At(const std::string& path) const {
    if (!IsDirectory(path)) {
      return is_store(path) ? std::vector<std::string>{path} : std::vector<std::string>{};
    }
    if (is_store(path + "/" + own)) return {path + "/" + own};
    std::vector<std::string> stores;
    for (const std::string& name : NamesIn(path)) {
      if (is_store(path + "/" + name)) stores.push_back(path + "/" + name);
    }
    return stores;
  }

  lf_code Recognize(const std::string& path) const {
    return At(path).empty() ? LF_NOT_FOUND : LF_OK;
  }

  // The file that the path names, existing or to be made.
  lf_code Find(const std::string& path, std::string& file) const {
    const std::vector<std::string> found = At(path);
    if (found.size() > 1) {
      std::string names;
      for (const std::string& name : found) names += (names.empty() ? "" : ", ") + name;
      return Unsupported(std::string(library) + ": " + path +
                         " holds several of them: give the path of one " + kind + " (" + names +
                         ")");
    }
    if (found.empty() && IsFile(path)) {
      return Failed(std::string(library) + ": cannot open " + path + ": it is no " + kind);
    }
    file = found.empty() ? path + "/" + own : found.front();
    return LF_OK;
  }

  lf_code Restore(const std::string& backup, const std::string& directory) const {
    std::string from;
    if (const lf_code code = Find(backup, from); code != LF_OK) return code;
    return CopyFile(from, directory + "/" + own) ? LF_OK : FailedTo("restore", from);
  }

  // Removes those of the files that exist.
  lf_code Remove(const std::vector<std::string>& files) const {
    for (const std::string& file : files) {
      if (!RemoveFile(file)) return FailedTo("remove", file);
    }
    return LF_OK;
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_STORE_FILES_H_
