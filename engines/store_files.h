// What lies on the disk, for engines that tell a store of theirs from another's by its files. Reads
// only, but for `RemoveFile` and `CopyFile`. Cold code, any thread.
#ifndef LEVELFIELD_ENGINES_STORE_FILES_H_
#define LEVELFIELD_ENGINES_STORE_FILES_H_

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

// Sorted; empty where `directory` is none or cannot be read.
inline std::vector<std::string> NamesIn(const std::string& directory) {
  std::vector<std::string> names;
  DIR* const opened = opendir(directory.c_str());
  if (opened == nullptr) return names;
  while (const dirent* const entry = readdir(opened)) names.emplace_back(entry->d_name);
  closedir(opened);
  std::sort(names.begin(), names.end());
  return names;
}

// Its first bytes; fewer where the file is shorter, none where it is no regular file that can be
// read. Does not wait for a pipe's writer.
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

// The store that `path` names: itself where it is a file; in a directory the file `own` where it is
// there, else each file that `is_store(path)` says is one. What other programs make has names of
// its own (dbbench_sqlite3-1.db), and there may be several.
template <class IsStore>
std::vector<std::string> StoresAt(const std::string& path, const std::string& own,
                                  IsStore is_store) {
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

// "a and b", for the message that asks which of them is meant.
inline std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// The one file of the store that `path` names, of those that `StoresAt` has found: there already,
// or `own` in the directory, to be made. Messages call the engine `library` and a store `kind`.
inline lf_code ChooseFile(const std::string& path, const std::string& own,
                          const std::vector<std::string>& found, const std::string& library,
                          const std::string& kind, std::string& file) {
  if (found.size() > 1) {
    return Unsupported(library + ": " + path + " holds several of them: give the path of one " +
                       kind + " (" + Listed(found) + ")");
  }
  if (found.empty() && IsFile(path)) {
    return Failed(library + ": cannot open " + path + ": it is no " + kind);
  }
  file = found.empty() ? path + "/" + own : found.front();
  return LF_OK;
}

// Copies a file that is not there yet and syncs the copy; errno says why not.
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

// Removes the file where there is one; errno says why not.
inline bool RemoveFile(const std::string& path) {
  return unlink(path.c_str()) == 0 || errno == ENOENT;
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_STORE_FILES_H_
