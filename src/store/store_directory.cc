#include "store/store_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "base/path_owners.h"
#include "probe/sync_files.h"
#include "store/directory_tree.h"
#include "store/made_directories.h"
#include "store/store_lock.h"
#include "store/store_path.h"

namespace levelfield {

Status StoreDirectory::SaveMarker() {
  const Status written = WriteMarker(lock_.get(), marker_);
  return written.ok() ? written : place_.Failed(written.message());
}

Status StoreDirectory::MakeDatabase() {
  if (mkdirat(place_.directory.get(), kStoreDatabase, 0700) != 0) {
    return place_.Error("creating db/ in it", errno);
  }
  return fsync(place_.directory.get()) == 0 ? Status::Ok() : place_.Error("fsync", errno);
}

// Writes a new marker into a directory that is locked and empty, or whose db/ is to be emptied.
Status StoreDirectory::Fill(const Options& options, bool made_directory) {
  StatusOr<StoreMarker> marker =
      NewStoreMarker(options.salt, options.harness, made_directory, options.content);
  if (!marker.ok()) return marker.status();
  marker_ = std::move(*marker);
  const Status written = SaveMarker();
  if (!written.ok()) return written;
  if (fsync(place_.directory.get()) != 0) return place_.Error("fsync", errno);
  return MakeDatabase();
}

Status StoreDirectory::Check(const std::string& path) {
  const StatusOr<StorePath> resolved = ResolveStorePath(path);
  if (!resolved.ok()) return resolved.status();
  const StatusOr<StorePlace> place = OpenStorePlace(*resolved, "");
  // What is missing is Create's to make, what cannot be read is Create's to refuse.
  if (!place.ok()) return Status::Ok();
  const StatusOr<std::vector<std::string>> names = NamesIn(place->directory.get());
  return names.ok() ? CheckOnlyOurs(*place, *names) : Status::Ok();
}

StatusOr<StoreDirectory> StoreDirectory::Create(const std::string& path, const Options& options) {
  StatusOr<StorePath> resolved = ResolveStorePath(path);
  if (!resolved.ok()) return resolved.status();
  StatusOr<NewStorePlace> at = MakeStorePlace(std::move(*resolved));
  if (!at.ok()) return at.status();

  StoreDirectory store;
  store.place_ = std::move(at->place);
  // Taken away before the lock is, where this comes to nothing.
  MadeDirectories made = std::move(at->made);
  const StatusOr<std::vector<std::string>> names = NamesIn(store.place_.directory.get());
  if (!names.ok()) return store.place_.Refused(names.status().message(), "name another directory");
  if (const Status checked = CheckOnlyOurs(store.place_, *names); !checked.ok()) return checked;
  StatusOr<UniqueFd> locked =
      HasMarker(*names) ? LockStore(store.place_) : LockNewStore(store.place_);
  if (!locked.ok()) return locked.status();
  store.lock_ = std::move(*locked);

  const std::string text = MarkerText(store.lock_.get());
  if (text.empty() && names->size() <= 1) {
    // New, or left behind by a run that was killed between creating its marker and writing it.
    const Status filled = store.Fill(options, made.any());
    if (!filled.ok()) {
      unlinkat(store.place_.directory.get(), kStoreDatabase, AT_REMOVEDIR);
      unlinkat(store.place_.directory.get(), kStoreMarker, 0);
      return filled;
    }
    made.Keep();
    return store;
  }
  std::optional<StoreMarker> marker = ParseMarker(text);
  if (!marker) {
    return store.place_.Refused(fmt::format("there is a file {} in it that is not a marker of this "
                                            "version of Levelfield",
                                            kStoreMarker),
                                "name another directory, or remove this one by hand");
  }
  store.marker_ = std::move(*marker);
  if (!options.fresh) {
    return store.place_.Refused(
        fmt::format("there is a store in it already, made at {}", store.marker_.created),
        "say --use_existing_db to measure that one, or name another directory");
  }
  const bool made_directory = store.marker_.made_directory;
  store.marker_.pid = getpid();
  // A store that is half emptied must not be taken for a whole one.
  Status status = store.MarkTainted();
  if (status.ok()) status = store.EmptyDatabase();
  if (status.ok()) status = store.Fill(options, made_directory);
  if (!status.ok()) return status;
  return store;
}

StatusOr<StoreDirectory> StoreDirectory::Reopen(const std::string& path) {
  const StatusOr<StorePath> resolved = ResolveStorePath(path);
  if (!resolved.ok()) return resolved.status();
  constexpr std::string_view kMakeOne = "fill a new one first, or check the path";
  StatusOr<StorePlace> place = OpenStorePlace(*resolved, kMakeOne);
  if (!place.ok()) return place.status();
  StoreDirectory store;
  store.place_ = std::move(*place);
  struct stat status;
  if (fstatat(store.place_.directory.get(), kStoreMarker, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return store.place_.Refused(
        fmt::format("there is no marker {} in it, so Levelfield did not make it", kStoreMarker),
        kMakeOne);
  }
  StatusOr<UniqueFd> locked = LockStore(store.place_);
  if (!locked.ok()) return locked.status();
  store.lock_ = std::move(*locked);
  std::optional<StoreMarker> marker = ReadMarker(store.lock_.get());
  if (!marker) {
    return store.place_.Refused(fmt::format("its marker {} cannot be read", kStoreMarker),
                                "name another directory, or remove this one by hand");
  }
  store.marker_ = std::move(*marker);
  if (store.state() == StoreState::kTainted) {
    return store.place_.Refused(
        "it is tainted: an engine failed on it, or wiping it was cut off",
        "look at it if you like; a run without --use_existing_db empties it");
  }
  struct stat here;
  if (fstat(store.place_.directory.get(), &here) != 0) return store.place_.Error("fstat", errno);
  const StatusOr<UniqueFd> database =
      OpenBelow(store.place_.directory.get(), kStoreDatabase, here.st_dev);
  if (!database.ok()) {
    return store.place_.Refused(
        fmt::format("there is no database in it ({})", database.status().message()),
        "a run without --use_existing_db begins anew");
  }
  if (Status ours = CheckNobodyElseCanRedirect(store.path()); !ours.ok()) return ours;
  store.marker_.pid = getpid();
  ++store.marker_.content.opened;
  if (store.state() == StoreState::kDirty) {
    store.marker_.content.cut_off = true;
    store.marker_.content.entries = 0;
  }
  const Status written = store.SaveMarker();
  if (!written.ok()) return written;
  return store;
}

Status StoreDirectory::LetChildrenInheritLock() {
  return fcntl(lock_.get(), F_SETFD, 0) == 0 ? Status::Ok()
                                             : place_.Error("fcntl on its lock", errno);
}

Status StoreDirectory::SetState(StoreState state) {
  const StoreState before = std::exchange(marker_.state, state);
  const Status written = SaveMarker();
  if (!written.ok()) marker_.state = before;
  return written;
}

Status StoreDirectory::MarkClean() {
  const Status synced = SyncFiles(path());
  return synced.ok() ? SetState(StoreState::kClean) : synced;
}

// Removes db/ and all below it.
Status StoreDirectory::EmptyDatabase() {
  const Status checked = CheckLocked(place_, lock_, marker_.id);
  if (!checked.ok()) return checked;
  struct stat status;
  if (fstatat(place_.directory.get(), kStoreDatabase, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? Status::Ok() : place_.Error("db/", errno);
  }
  struct stat here;
  if (fstat(place_.directory.get(), &here) != 0) return place_.Error("fstat", errno);
  const StatusOr<UniqueFd> database =
      OpenBelow(place_.directory.get(), kStoreDatabase, here.st_dev);
  Status removed = database.ok() ? RemoveContents(database->get(), here.st_dev) : database.status();
  if (!removed.ok()) return place_.Failed(fmt::format("cannot remove {}", removed.message()));
  if (unlinkat(place_.directory.get(), kStoreDatabase, AT_REMOVEDIR) != 0) {
    return place_.Error("removing db/", errno);
  }
  return Status::Ok();
}

Status StoreDirectory::Wipe() {
  // Before the marker is written to, not only before anything is removed.
  Status status = CheckLocked(place_, lock_, marker_.id);
  if (status.ok()) status = MarkTainted();
  if (status.ok()) status = EmptyDatabase();
  if (status.ok()) status = MakeDatabase();
  if (status.ok()) status = MarkDirty();
  return status;
}

Status StoreDirectory::Remove() {
  Status status = CheckLocked(place_, lock_, marker_.id);
  if (status.ok()) status = MarkTainted();
  if (status.ok()) status = EmptyDatabase();
  if (!status.ok()) return status;
  const StatusOr<std::vector<std::string>> names = NamesIn(place_.directory.get());
  if (!names.ok()) {
    return Status::Failed(fmt::format("{}: {}", place_.absolute, names.status().message()));
  }
  for (const std::string& name : *names) {
    if (name == kStoreMarker) continue;
    return place_.Failed(
        fmt::format("its database is removed, but the directory stays, because {} in it is not of "
                    "Levelfield's making; move that away and remove the directory by hand",
                    name));
  }
  if (unlinkat(place_.directory.get(), kStoreMarker, 0) != 0) {
    return place_.Error("removing its marker", errno);
  }
  if (!marker_.made_directory) return Status::Ok();
  const UniqueFd parent(openat(place_.directory.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string name = place_.absolute.substr(place_.absolute.rfind('/') + 1);
  struct stat named;
  struct stat here;
  if (!parent.ok() || fstatat(parent.get(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
      fstat(place_.directory.get(), &here) != 0 || named.st_dev != here.st_dev ||
      named.st_ino != here.st_ino) {
    return place_.Failed("emptied, but the directory has been moved; remove it by hand");
  }
  if (unlinkat(parent.get(), name.c_str(), AT_REMOVEDIR) != 0) {
    return place_.Error("removing the directory", errno);
  }
  return Status::Ok();
}

StatusOr<uint64_t> StoreDirectory::AllocatedBytes() const {
  struct stat here;
  if (fstat(place_.directory.get(), &here) != 0) return place_.Error("fstat", errno);
  const UniqueFd database(openat(place_.directory.get(), kStoreDatabase,
                                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!database.ok()) return place_.Error("opening db/", errno);
  const StatusOr<uint64_t> bytes = AllocatedBytesIn(database.get(), here.st_dev);
  if (bytes.ok()) return bytes;
  return place_.Failed(fmt::format("cannot count its size: {}", bytes.status().message()));
}

}  // namespace levelfield
