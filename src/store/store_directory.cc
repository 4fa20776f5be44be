#include "store/store_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/path_owners.h"
#include "base/shell_words.h"
#include "probe/page_cache.h"
#include "store/directory_tree.h"
#include "store/store_lock.h"

namespace levelfield {
namespace {

using Names = std::vector<std::string>;

bool HasMarker(const Names& names) { return std::ranges::binary_search(names, kStoreMarker); }

std::string LinkTarget(const std::string& name) {
  return fmt::format("{}/{}", kStoreDatabase, name);
}

// Whether it is a link of ours to the file of that name in db/, which may be gone.
bool IsOurLink(int directory, const std::string& name) {
  const std::string target = LinkTarget(name);
  std::string text(target.size() + 1, '\0');
  const ssize_t bytes = readlinkat(directory, name.c_str(), text.data(), text.size());
  return bytes == static_cast<ssize_t>(target.size()) && text.starts_with(target);
}

dev_t DeviceOf(int directory) {
  struct stat status {};
  return fstat(directory, &status) == 0 ? status.st_dev : 0;
}

// Whether somebody has removed all files of a store there, its marker included (`find -type f`).
bool IsEmptied(const StorePath& path, const Names& names) {
  return std::ranges::all_of(names, [&](const std::string& name) {
    if (name != kStoreDatabase) return IsOurLink(path.directory(), name);
    return HoldsNoFile(path.directory(), name, DeviceOf(path.directory()));
  });
}

// Checks that the directory is empty or holds a store with a marker: kUsage says whose files are
// there.
Status CheckOnlyOurs(const StorePath& path, const Names& names) {
  if (HasMarker(names) || IsEmptied(path, names)) return Status::Ok();
  return path.Refused(
      fmt::format("{} that Levelfield did not put there ({}{})",
                  IsMountRoot(path.directory()) ? "it is a mounted file system with files"
                                                : "there are files in it",
                  names.front(), names.size() > 1 ? ", ..." : ""),
      fmt::format("name a directory below it, such as {}{}levelfield", path.typed(),
                  path.typed().back() == '/' ? "" : "/"));
}

}  // namespace

Status StoreDirectory::SaveMarker() {
  const Status written = WriteMarker(lock_.get(), marker_);
  return written.ok() ? written : path_.Failed(written.message());
}

Status StoreDirectory::MakeDatabase() {
  if (mkdirat(path_.directory(), kStoreDatabase, 0700) != 0) {
    return path_.Error("creating db/ in it", errno);
  }
  return fsync(path_.directory()) == 0 ? Status::Ok() : path_.Error("fsync", errno);
}

// Writes a new marker into a locked directory that is empty, or whose db/ will be emptied.
Status StoreDirectory::Fill(const Options& options, bool made_directory) {
  ASSIGN_OR_RETURN(StoreMarker marker,
                   NewStoreMarker(options.salt, options.harness, made_directory, options.content));
  marker_ = std::move(marker);
  RETURN_IF_ERROR(SaveMarker());
  if (fsync(path_.directory()) != 0) return path_.Error("fsync", errno);
  return MakeDatabase();
}

Status StoreDirectory::Check(const std::string& path) {
  ASSIGN_OR_RETURN(StorePath resolved, StorePath::Resolve(path));
  // Create makes what is missing, and refuses what cannot be read.
  if (!resolved.Open("").ok()) return Status::Ok();
  const StatusOr<Names> names = NamesIn(resolved.directory());
  return names.ok() ? CheckOnlyOurs(resolved, *names) : Status::Ok();
}

StatusOr<StoreDirectory> StoreDirectory::Create(const std::string& path, const Options& options) {
  StatusOr<StorePath> at = StorePath::Resolve(path);
  if (!at.ok()) return at.status();
  RETURN_IF_ERROR(at->Make());
  const StatusOr<Names> names = NamesIn(at->directory());
  if (!names.ok()) return at->Refused(names.status().message(), "name another directory");
  RETURN_IF_ERROR(CheckOnlyOurs(*at, *names));
  const bool is_emptied = !HasMarker(*names) && !names->empty();
  ASSIGN_OR_RETURN(UniqueFd locked, HasMarker(*names) ? LockStore(*at) : LockNewStore(*at));

  StoreDirectory store(std::move(*at), std::move(locked));
  const std::string text = MarkerText(store.lock_.get());
  if (is_emptied) {
    store.RemoveLinks();
    const int directory = store.path_.directory();
    const bool has_database = std::ranges::find(*names, kStoreDatabase) != names->end();
    const Status removed = has_database
                               ? RemoveWithoutFiles(directory, kStoreDatabase, DeviceOf(directory))
                               : Status::Ok();
    if (!removed.ok()) {
      unlinkat(directory, kStoreMarker, 0);
      store.lock_ = UniqueFd();  // Else it may keep the directory in use (base/removal.h).
      return store.path_.Failed("removing the emptied " + std::string(removed.message()));
    }
  }
  if (text.empty() && (names->size() <= 1 || is_emptied)) {
    // New, or left behind by a run that was killed between creating its marker and writing it.
    if (Status filled = store.Fill(options, store.path_.has_made_any()); !filled.ok()) {
      unlinkat(store.path_.directory(), kStoreDatabase, AT_REMOVEDIR);
      unlinkat(store.path_.directory(), kStoreMarker, 0);
      store.lock_ = UniqueFd();  // Else it may keep the directory in use (base/removal.h).
      return filled;
    }
    store.path_.KeepMade();
    return store;
  }
  std::optional<StoreMarker> marker = ParseMarker(text);
  if (!marker) {
    return store.path_.Refused(fmt::format("there is a file {} in it that is not a marker of this "
                                           "version of Levelfield",
                                           kStoreMarker),
                               "name another directory, or remove this one by hand");
  }
  store.marker_ = std::move(*marker);
  if (!options.fresh) {
    return store.path_.Refused(
        fmt::format("there is a store in it already, made at {}", store.marker_.created),
        "say --use_existing_db to measure that one, or name another directory");
  }
  store.marker_.pid = getpid();
  // A half-emptied store must not be taken for a whole one.
  Status status = store.MarkTainted();
  if (status.ok()) status = store.RemoveDatabase();
  if (status.ok()) status = store.Fill(options, store.marker_.made_directory);
  if (!status.ok()) return status;
  return store;
}

StatusOr<StoreDirectory> StoreDirectory::Reopen(const std::string& path) {
  constexpr std::string_view kMakeOne = "fill a new one first, or check the path";
  StatusOr<StorePath> at = StorePath::Resolve(path);
  if (!at.ok()) return at.status();
  RETURN_IF_ERROR(at->Open(kMakeOne));
  struct stat status;
  if (fstatat(at->directory(), kStoreMarker, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return at->Refused(
        fmt::format("there is no marker {} in it, so Levelfield did not make it", kStoreMarker),
        kMakeOne);
  }
  ASSIGN_OR_RETURN(UniqueFd locked, LockStore(*at));
  StoreDirectory store(std::move(*at), std::move(locked));
  std::optional<StoreMarker> marker = ParseMarker(MarkerText(store.lock_.get()));
  if (!marker) {
    return store.path_.Refused(fmt::format("its marker {} cannot be read", kStoreMarker),
                               "name another directory, or remove this one by hand");
  }
  store.marker_ = std::move(*marker);
  if (store.state() == StoreState::kTainted) {
    return store.path_.Refused(
        kWhyTainted, fmt::format("look at it if you like (levelfield verify store {}); a run "
                                 "without --use_existing_db empties it",
                                 ShellWord(store.path_.typed())));
  }
  if (const StatusOr<UniqueFd> database = store.OpenDatabase(); !database.ok()) {
    return store.path_.Refused(
        fmt::format("there is no database in it ({})", database.status().message()),
        "a run without --use_existing_db begins anew");
  }
  RETURN_IF_ERROR(CheckNobodyElseCanRedirect(store.path()));
  store.marker_.pid = getpid();
  store.marker_.content = store.marker_.ContentAsLeft();
  ++store.marker_.content.opened;
  RETURN_IF_ERROR(store.SaveMarker());
  return store;
}

Status StoreDirectory::LetChildrenInheritLock() {
  return fcntl(lock_.get(), F_SETFD, 0) == 0 ? Status::Ok()
                                             : path_.Error("fcntl on its lock", errno);
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

Status StoreDirectory::Link(const std::vector<std::string>& patterns) {
  RemoveLinks();
  if (patterns.empty()) return Status::Ok();
  const StatusOr<UniqueFd> database = OpenDatabase();
  if (!database.ok()) return path_.Failed(database.status().message());
  const StatusOr<Names> names = NamesIn(database->get());
  if (!names.ok()) return path_.Failed(names.status().message());
  for (const std::string& name : *names) {
    const bool is_asked_for = std::ranges::any_of(patterns, [&](const std::string& pattern) {
      return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
    });
    if (!is_asked_for) continue;
    if (symlinkat(LinkTarget(name).c_str(), path_.directory(), name.c_str()) != 0 &&
        errno != EEXIST) {
      return path_.Error("making the link " + name, errno);
    }
  }
  return Status::Ok();
}

// What cannot be removed leads nowhere, and does no harm.
void StoreDirectory::RemoveLinks() {
  const StatusOr<Names> names = NamesIn(path_.directory());
  if (!names.ok()) return;
  for (const std::string& name : *names) {
    if (IsOurLink(path_.directory(), name)) unlinkat(path_.directory(), name.c_str(), 0);
  }
}

// On the directory's own file system. The message is for people and does not name the store.
StatusOr<UniqueFd> StoreDirectory::OpenDatabase() const {
  struct stat here;
  if (fstat(path_.directory(), &here) != 0) return path_.Error("fstat", errno);
  return OpenBelow(path_.directory(), kStoreDatabase, here.st_dev);
}

// Removes everything in db/, if it is there, and returns what stays because somebody has it open.
StatusOr<Names> StoreDirectory::EmptyDatabase() {
  RETURN_IF_ERROR(CheckLocked(path_, lock_, marker_.id));
  RemoveLinks();
  struct stat status;
  if (fstatat(path_.directory(), kStoreDatabase, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return Names();
    return path_.Error("db/", errno);
  }
  const StatusOr<UniqueFd> database = OpenDatabase();
  StatusOr<Names> left = database.ok() ? RemoveContents(database->get(), status.st_dev)
                                       : StatusOr<Names>(database.status());
  if (left.ok()) return left;
  return path_.Failed(fmt::format("cannot remove {}", left.status().message()));
}

// Removes db/ and everything below it.
Status StoreDirectory::RemoveDatabase() {
  ASSIGN_OR_RETURN(const Names left, EmptyDatabase());
  if (!left.empty()) {
    return path_.Failed(
        fmt::format("cannot remove db/{}: a file that was deleted while it was open, and is open "
                    "still; when that process has ended (`fuser {}/db/*`), remove the directory "
                    "by hand",
                    left.front(), path_.absolute()));
  }
  if (unlinkat(path_.directory(), kStoreDatabase, AT_REMOVEDIR) == 0 || errno == ENOENT) {
    return Status::Ok();
  }
  return path_.Error("removing db/", errno);
}

Status StoreDirectory::Wipe() {
  // Checked before the marker is written to, not only before anything is removed.
  Status status = CheckLocked(path_, lock_, marker_.id);
  if (status.ok()) status = MarkTainted();
  if (status.ok()) status = EmptyDatabase().status();
  if (status.ok() && !OpenDatabase().ok()) status = MakeDatabase();
  if (status.ok()) status = MarkDirty();
  return status;
}

Status StoreDirectory::Remove() {
  Status status = CheckLocked(path_, lock_, marker_.id);
  if (status.ok()) status = MarkTainted();
  if (status.ok()) status = RemoveDatabase();
  if (!status.ok()) return status;
  const StatusOr<Names> names = NamesIn(path_.directory());
  if (!names.ok()) {
    return Status::Failed(fmt::format("{}: {}", path_.absolute(), names.status().message()));
  }
  for (const std::string& name : *names) {
    if (name == kStoreMarker) continue;
    return path_.Failed(
        fmt::format("its database is removed, but the directory stays, because {} in it is not of "
                    "Levelfield's making; move that away and remove the directory by hand",
                    name));
  }
  if (unlinkat(path_.directory(), kStoreMarker, 0) != 0) {
    return path_.Error("removing its marker", errno);
  }
  lock_ = UniqueFd();  // Else it may keep the directory in use (base/removal.h).
  return marker_.made_directory ? RemoveDirectory() : Status::Ok();
}

Status StoreDirectory::RemoveDirectory() {
  const UniqueFd parent(openat(path_.directory(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string name = path_.absolute().substr(path_.absolute().rfind('/') + 1);
  struct stat named;
  struct stat here;
  if (!parent.ok() || fstatat(parent.get(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
      fstat(path_.directory(), &here) != 0 || named.st_dev != here.st_dev ||
      named.st_ino != here.st_ino) {
    return path_.Failed("emptied, but the directory has been moved; remove it by hand");
  }
  const Status removed = RemoveEmptied(parent.get(), name);
  if (removed.ok()) return removed;
  return path_.Failed("removing the directory: " + removed.message());
}

StatusOr<uint64_t> StoreDirectory::AllocatedBytes() const {
  struct stat here;
  const UniqueFd database(
      openat(path_.directory(), kStoreDatabase, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!database.ok()) return path_.Error("opening db/", errno);
  if (fstat(path_.directory(), &here) != 0) return path_.Error("fstat", errno);
  const StatusOr<uint64_t> bytes = AllocatedBytesIn(database.get(), here.st_dev);
  if (bytes.ok()) return bytes;
  return path_.Failed(fmt::format("cannot count its size: {}", bytes.status().message()));
}

}  // namespace levelfield
