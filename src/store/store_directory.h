// The directory in which an engine keeps its database. It keeps everybody else's data safe.
//
//     <path>/LEVELFIELD    the marker: whose directory this is, and the lock (store_lock.h)
//     <path>/db/           the engine's, and the only place that is ever emptied
//     <path>/LOG           a symlink to db/LOG, where somebody expects the engine's file
//
// Nothing is written to a directory that Levelfield did not create or find empty. What others have
// emptied of all files is empty, though db/ be left, and links into it. Only what lies
// below db/ is removed, and only if the directory's marker is provably our own (CheckLocked in
// store_lock.h). The lock lives as long as this object or a child process that inherited it.
//
// A run empties a store of ours whose lock is free, however it was left: by a run that was killed,
// too. --use_existing_db opens it instead. What a killed run left is opened, and its answers are
// counted, not judged; what was changed by others (tainted) is refused.
//
// The driver makes one of these before it starts a worker, and a worker one for each of its
// backups; each calls it from one thread. Nobody else writes a marker or removes a store.
#ifndef LEVELFIELD_STORE_STORE_DIRECTORY_H_
#define LEVELFIELD_STORE_STORE_DIRECTORY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"
#include "store/store_files.h"
#include "store/store_marker.h"
#include "store/store_path.h"

namespace levelfield {

class StoreDirectory : public StoreFiles {
 public:
  struct Options {
    uint64_t salt = 0;              // Part of the tags of this store's values.
    std::string_view harness = "";  // The program's version, for people.
    // Empties an existing store of ours instead of refusing.
    bool fresh = false;
    StoreContent content = {};
  };

  // Makes the directory (0700) and up to four missing parents, or takes an empty one, and locks it.
  // Finds every objection to the path before it creates anything: kUsage. The marker says dirty
  // until MarkClean.
  static StatusOr<StoreDirectory> Create(const std::string& path, const Options& options);
  // Opens and locks a store that Create made, and counts the opening. Refuses a tainted one. A
  // dirty one counts as cut off from now on.
  static StatusOr<StoreDirectory> Reopen(const std::string& path);
  // Whether Create could use the path: the path, or the place where it would be made, may hold a
  // store and has nobody else's files. kUsage says why not. Locks and changes nothing.
  static Status Check(const std::string& path);

  // Absolute path of db/, for the engine.
  std::string path() const { return path_.absolute() + "/" + kStoreDatabase; }
  uint64_t salt() const { return marker_.salt; }
  const StoreContent& content() const { return marker_.content; }
  // Notes what else will be written to the store; the next Mark keeps it.
  void SetContent(const StoreContent& content) { marker_.content = content; }
  StoreState state() const { return marker_.state; }
  // Each Create gives a store a new one.
  const std::string& id() const { return marker_.id; }

  // The lock is closed on exec unless this is called. A child that is only forked has it anyway.
  Status LetChildrenInheritLock();

  // Writes one disk sector and syncs it, so it happens wholly or not at all.
  Status MarkDirty() { return SetState(StoreState::kDirty); }
  // Only after an engine has closed the store properly. Syncs its files first: the marker reaches
  // the device at once, and must not be there before the files that it describes.
  Status MarkClean();
  Status MarkTainted() { return SetState(StoreState::kTainted); }

  // Puts symlinks beside db/ to those of its files whose names match one of the patterns ("LOG*"),
  // in place of earlier ones. What else has such a name stays.
  Status Link(const std::vector<std::string>& patterns);

  // Removes everything in db/, which stays as an empty directory, but for files that somebody still
  // has open. The store stays dirty, because whoever wipes it is about to fill it.
  Status Wipe() override;
  // Removes the store, and the directory as well if Create made it. If somebody put files beside
  // db/, they and the marker are kept, and this is an error. Call nothing else after it.
  Status Remove();
  StatusOr<uint64_t> AllocatedBytes() const override;

 private:
  StoreDirectory(StorePath path, UniqueFd lock) : lock_(std::move(lock)), path_(std::move(path)) {}

  Status Fill(const Options& options, bool made_directory);
  Status SaveMarker();
  Status SetState(StoreState state);
  void RemoveLinks();
  StatusOr<UniqueFd> OpenDatabase() const;
  StatusOr<std::vector<std::string>> EmptyDatabase();
  Status RemoveDatabase();
  Status MakeDatabase();
  Status RemoveDirectory();

  UniqueFd lock_;  // Outlives the path, which removes directories that it made in vain.
  StorePath path_;
  StoreMarker marker_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_DIRECTORY_H_
