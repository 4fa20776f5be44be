// Where a store may live. Decides, before anything is created, whether a path that somebody typed
// can hold a store without harm to anybody else's data, and says why not.
// Then opens or makes the directory of the store.
//
// The path is made physical: no symlink, no "..". Directories are compared by device and inode as
// well as by name, so no symlink or bind mount leads to a place that its plain name could not.
// Nobody else may change any directory on the way (base/path_owners.h), so the path leads to the
// same place for as long as an engine uses it.
//
// Used by code that looks after stores, each object from one thread.
#ifndef LEVELFIELD_STORE_STORE_PATH_H_
#define LEVELFIELD_STORE_STORE_PATH_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace levelfield {

class StorePath {
 public:
  // Creates nothing. kUsage says which part of the path is at fault, and what to do.
  static StatusOr<StorePath> Resolve(const std::string& typed);

  StorePath(StorePath&&) = default;
  StorePath& operator=(StorePath&&) = default;
  // Removes the directories that Make made, unless they are kept.
  ~StorePath();

  // Opens the directory. If it does not exist or may not be read: kUsage, which ends with
  // `what_to_do`.
  Status Open(std::string_view what_to_do);
  // Makes what is missing, the directory itself for its owner alone (0700), and opens it.
  Status Make();
  bool has_made_any() const { return !made_.empty(); }
  void KeepMade() { made_.clear(); }

  const std::string& typed() const { return typed_; }        // For messages.
  const std::string& absolute() const { return absolute_; }  // The same place, physically.
  int directory() const { return directory_.get(); }         // Once it is open.

  // kUsage: why the directory cannot be used, and what to do instead.
  Status Refused(std::string_view why, std::string_view what_to_do) const;
  // kFailed: what was tried on the store, and what happened.
  Status Failed(std::string_view what) const;
  Status Error(std::string_view tried, int error) const;

 private:
  StorePath() = default;

  std::string typed_;
  std::string absolute_;
  UniqueFd directory_;  // Until it is open: the deepest existing directory on the way, opened with
                        // O_PATH.
  std::vector<std::string> missing_;                    // To be made below that, outermost first.
  std::vector<std::pair<UniqueFd, std::string>> made_;  // Each with its parent, outermost first.
};

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_PATH_H_
