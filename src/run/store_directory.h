// The directory in which an engine keeps its database, safe for everybody else's data.
//
//     <path>/LEVELFIELD    the marker: whose directory this is, and the lock; 512 bytes of JSON
//     <path>/db/           the engine's, and the only place that is ever emptied
//
// Nothing is written to a directory that Levelfield did not create or find empty, and nothing is
// removed but what lies below db/ of a directory whose marker is provably our own (reliability
// rules R17 to R19). The lock is an flock on the marker; it lives as long as this object or a child
// process that inherited it, and the kernel frees it whatever way the holder dies.
//
// The driver makes one of these before it starts a worker and is the only one to call it, from one
// thread.
#ifndef LEVELFIELD_RUN_STORE_DIRECTORY_H_
#define LEVELFIELD_RUN_STORE_DIRECTORY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"
#include "run/store_keeper.h"
#include "workload/key_format.h"
#include "workload/value_source.h"

namespace levelfield {

enum class StoreState {
  kClean,   // The engine closed it in good order, or there is nothing in it yet.
  kDirty,   // An engine has it open, or had when its run was cut off; it may need recovery.
  kTainted  // An engine failed on it, or wiping it was cut off: kept for people to look at.
};

// What a store of ours holds, for those who open it again.
struct StoreContent {
  std::string engine;  // Its name, without a version; empty: a marker older than this.
  KeyShape keys = {};
  // Of its values, the least and the most bytes; and whether they are ValueSource's at all.
  uint64_t smallest_value = 0;
  uint64_t largest_value = 0;
  bool describes_itself = false;
  ValueFormat value_format = ValueFormat::kDistinct;  // Of those.
  double compression_ratio = 0;
  uint32_t opened = 0;  // How many times again.
  // So many there were when it was last closed, those of the first keys and no others; 0: not
  // known.
  uint64_t entries = 0;
};

// A store of ours that is only looked at.
struct MarkedStore {
  std::string database;  // Absolute.
  StoreContent content;
  uint64_t salt = 0;
  StoreState state = StoreState::kClean;
  UniqueFd lock;  // While it is there, nobody opens the store.
};

class StoreDirectory : public StoreKeeper {
 public:
  struct Options {
    uint64_t salt = 0;              // Goes into the tags of the values of this store.
    std::string_view harness = "";  // Version of the program, for people.
    // Empties a store of ours that is there already, instead of refusing.
    bool fresh = false;
    StoreContent content = {};
  };

  // Makes the directory (0700) and up to four missing parents, or takes an empty one, and locks it.
  // Everything that speaks against the path is found before anything is created: kUsage.
  static StatusOr<StoreDirectory> Create(const std::string& path, const Options& options);
  // Opens and locks a store that Create made, and counts that up. A tainted one is refused.
  static StatusOr<StoreDirectory> Reopen(const std::string& path);
  // What the marker there says; empty where there is none, or none that can be read. Locks and
  // changes nothing.
  static std::optional<StoreContent> Peek(const std::string& path);
  // A store of any state, to read its files: its lock is shared with others who only read, and
  // nothing is written. kUsage where somebody is using it.
  static StatusOr<MarkedStore> LookInto(const std::string& path);
  // Whether Create could use the path: it, or what is to be made above it, may hold a store, and
  // nobody else's files are there. kUsage says why not. Locks and changes nothing.
  static Status Check(const std::string& path);

  // Absolute path of db/, for the engine.
  std::string path() const { return absolute_ + "/db"; }
  uint64_t salt() const { return marker_.salt; }
  const StoreContent& content() const { return marker_.content; }
  // Notes what else is about to be written to it; kept by the next Mark.
  void SetContent(const StoreContent& content) { marker_.content = content; }
  StoreState state() const { return marker_.state; }
  // Random, 32 hex digits; a store has another one after each Create.
  const std::string& id() const { return marker_.id; }

  // The descriptor that carries the lock. Closed on exec until LetChildrenInheritLock is called; a
  // child that is only forked has it anyway.
  int lock_fd() const { return lock_.get(); }
  Status LetChildrenInheritLock();

  // Each is one write of one disk sector and an fsync, so it happens wholly or not at all.
  Status MarkDirty() { return SetState(StoreState::kDirty); }
  Status MarkClean() { return SetState(StoreState::kClean); }
  Status MarkTainted() { return SetState(StoreState::kTainted); }

  // Removes everything in db/, which is then there, empty and clean.
  Status Wipe() override;
  // Removes the store, and the directory as well if Create made it. What somebody else put beside
  // db/ is kept, and then so is the marker, and this is an error. Call nothing else after it.
  Status Remove();
  // Space that the files below db/ take on the disk: allocated blocks, not lengths.
  StatusOr<uint64_t> AllocatedBytes() const override;

 private:
  struct Marker {
    std::string id;
    std::string created;  // UTC, ISO 8601.
    std::string harness;
    uint64_t salt = 0;
    StoreState state = StoreState::kClean;
    int64_t pid = 0;              // Who locked it last.
    bool made_directory = false;  // Else it was found empty, and is not ours to remove.
    StoreContent content;
  };

  StoreDirectory() = default;
  static std::string Format(const Marker& marker);
  static bool Parse(std::string_view text, Marker* marker);
  static int64_t HolderOf(int marker_fd);

  Status Error(std::string_view tried, int error) const;
  Status Refused(std::string_view why, std::string_view what_to_do) const;
  Status CheckNames(const std::vector<std::string>& names) const;
  Status LockExistingMarker();
  Status LockNewMarker();
  Status Lock();
  Status Fill(const Options& options, bool made_directory);
  Status WriteMarker();
  Status SetState(StoreState state);
  Status CheckMarker() const;
  Status EmptyDatabase();
  Status MakeDatabase();

  std::string typed_;
  std::string absolute_;
  UniqueFd directory_;
  UniqueFd lock_;
  Marker marker_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RUN_STORE_DIRECTORY_H_
