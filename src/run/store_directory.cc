#include "run/store_directory.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "base/bounded_json.h"
#include "base/utc.h"
#include "run/store_path.h"

namespace levelfield {
namespace {

constexpr const char* kMarker = "LEVELFIELD";
constexpr const char* kDatabase = "db";
constexpr int kFormat = 1;
// One disk sector: rewriting it in place is all or nothing, even in a power cut, and keeps the
// inode that the lock is on, which a rename would not.
constexpr size_t kMarkerBytes = 512;
// No engine nests its files deeper than two; this bounds the descriptors held on the way down.
constexpr int kMaxDepth = 64;

// Keeps this order in the file: the state is what people look for.
constexpr std::array<const char*, 3> kStateNames = {"clean", "dirty", "tainted"};

// An engine's name, cut so that the marker fits its sector; letters that JSON would have to write
// with others are replaced.
std::string Bounded(std::string_view text, size_t most) {
  std::string bounded;
  for (const char c : text.substr(0, most)) {
    bounded += c > ' ' && c <= '~' && c != '"' && c != '\\' ? c : '?';
  }
  return bounded;
}

// As arrays, for the room: kind, bytes, prefix; the format, least, most, ratio. Slices have no
// number and another name, as they had when nothing else was there: who knows nothing else finds no
// values that it could check in a store of others.
void AddContent(const StoreContent& content, nlohmann::ordered_json& json) {
  if (content.engine.empty()) return;
  json["engine"] = content.engine;
  json["keys"] = {KeyKindName(content.keys.kind), content.keys.size, content.keys.prefix};
  if (content.describes_itself) {
    if (content.value_format == ValueFormat::kSlices) {
      json["values"] = {content.smallest_value, content.largest_value, content.compression_ratio};
    } else {
      json["values_as"] = {content.value_format, content.smallest_value, content.largest_value,
                           content.compression_ratio};
    }
  }
  json["opened"] = content.opened;
  if (content.entries != 0) json["entries"] = content.entries;
}

// Where anything of it is missing or not as it is written, nothing is known.
StoreContent ReadContent(const nlohmann::json& json) {
  StoreContent content;
  try {
    const nlohmann::json& keys = json.at("keys");
    const std::optional<KeyKind> kind = KeyKindOf(keys.at(0).get<std::string>());
    content.keys =
        KeyShape(CountOf(keys.at(1)), kind.value_or(KeyKind::kDecimal), CountOf(keys.at(2)));
    if (!kind || content.keys.prefix >= content.keys.size) return {};
    content.opened = static_cast<uint32_t>(CountOf(json.at("opened")));
    if (json.contains("entries")) content.entries = CountOf(json["entries"]);
    constexpr auto kSlices = static_cast<uint64_t>(ValueFormat::kSlices);
    constexpr auto kDistinct = static_cast<uint64_t>(ValueFormat::kDistinct);
    const bool are_slices = json.contains("values");
    if (are_slices || json.contains("values_as")) {
      const nlohmann::json& values = json[are_slices ? "values" : "values_as"];
      const size_t sizes = are_slices ? 0 : 1;
      const uint64_t format = are_slices ? kSlices : CountOf(values.at(0));
      // Of a later format nothing can be checked.
      if (format == kSlices || format == kDistinct) {
        content.value_format = static_cast<ValueFormat>(format);
        content.smallest_value = CountOf(values.at(sizes));
        content.largest_value = CountOf(values.at(sizes + 1));
        content.compression_ratio = values.at(sizes + 2);
        content.describes_itself = true;
      }
    }
    content.engine = json.at("engine");
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return content;
}

StatusOr<std::vector<std::string>> NamesIn(int directory) {
  const int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(fd < 0 ? nullptr : fdopendir(fd), closedir);
  if (stream == nullptr) return Status::Failed(std::strerror(errno));
  std::vector<std::string> names;
  for (;;) {
    errno = 0;
    const dirent* entry = readdir(stream.get());
    if (entry == nullptr) break;
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  if (errno != 0) return Status::Failed(std::strerror(errno));
  std::sort(names.begin(), names.end());
  return names;
}

// A directory of this very file system, reached without a symlink and not mounted over.
StatusOr<UniqueFd> OpenBelow(int parent, const std::string& name, dev_t device) {
  UniqueFd fd(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat status;
  if (!fd.ok() || fstat(fd.get(), &status) != 0) {
    return Status::Failed(fmt::format("{}: {}", name,
                                      errno == ELOOP || errno == ENOTDIR
                                          ? "not a directory, or a symlink"
                                          : std::strerror(errno)));
  }
  if (status.st_dev != device || IsMountRoot(fd.get())) {
    return Status::Failed(fmt::format("{}: another file system is mounted there", name));
  }
  return fd;
}

// Removes all that lies in the directory. Never follows a symlink and never leaves the device.
Status RemoveContents(int directory, dev_t device, int depth) {
  if (depth > kMaxDepth) return Status::Failed("directories nested too deep");
  const StatusOr<std::vector<std::string>> names = NamesIn(directory);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    struct stat status;
    if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) continue;
      return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
    }
    const bool is_directory = S_ISDIR(status.st_mode);
    if (is_directory) {
      const StatusOr<UniqueFd> below = OpenBelow(directory, name, device);
      if (!below.ok()) return below.status();
      const Status removed = RemoveContents(below->get(), device, depth + 1);
      if (!removed.ok()) return Status::Failed(fmt::format("{}/{}", name, removed.message()));
    }
    // unlinkat takes away the symlink itself, never what it points to.
    if (unlinkat(directory, name.c_str(), is_directory ? AT_REMOVEDIR : 0) != 0 &&
        errno != ENOENT) {
      return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
    }
  }
  return Status::Ok();
}

// `counted` holds the inodes with several names, which take their space once.
Status AddAllocated(int directory, dev_t device, int depth, std::set<ino_t>* counted,
                    uint64_t* bytes) {
  if (depth > kMaxDepth) return Status::Failed("directories nested too deep");
  const StatusOr<std::vector<std::string>> names = NamesIn(directory);
  if (!names.ok()) return names.status();
  for (const std::string& name : *names) {
    struct stat status;
    if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) continue;  // The engine is at work meanwhile.
      return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
    }
    if (status.st_dev != device) continue;
    if (status.st_nlink > 1 && !S_ISDIR(status.st_mode) && !counted->insert(status.st_ino).second) {
      continue;
    }
    *bytes += static_cast<uint64_t>(status.st_blocks) * 512;
    if (!S_ISDIR(status.st_mode)) continue;
    const UniqueFd below(
        openat(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!below.ok() && errno == ENOENT) continue;
    if (!below.ok()) return Status::Failed(fmt::format("{}: {}", name, std::strerror(errno)));
    const Status added = AddAllocated(below.get(), device, depth + 1, counted, bytes);
    if (!added.ok()) return Status::Failed(fmt::format("{}/{}", name, added.message()));
  }
  return Status::Ok();
}

StatusOr<std::string> RandomId() {
  std::array<uint64_t, 2> random;
  if (getrandom(random.data(), sizeof random, 0) != sizeof random) {
    return Status::Failed(fmt::format("cannot get a random number: {}", std::strerror(errno)));
  }
  return fmt::format("{:016x}{:016x}", random[0], random[1]);
}

std::string ReadMarker(int fd) {
  std::string text(kMarkerBytes + 1, '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<size_t>(got));
  return text;
}

// The directories that were made for a store that then came to nothing; taken away again.
class MadeDirectories {
 public:
  MadeDirectories() = default;
  MadeDirectories(const MadeDirectories&) = delete;
  MadeDirectories& operator=(const MadeDirectories&) = delete;
  ~MadeDirectories() {
    while (!made_.empty()) {
      // Only ever succeeds on an empty directory.
      unlinkat(made_.back().first.get(), made_.back().second.c_str(), AT_REMOVEDIR);
      made_.pop_back();
    }
  }
  void Add(UniqueFd parent, std::string name) { made_.emplace_back(std::move(parent), name); }
  void Keep() { made_.clear(); }
  bool any() const { return !made_.empty(); }

 private:
  std::vector<std::pair<UniqueFd, std::string>> made_;
};

}  // namespace

std::string StoreDirectory::Format(const Marker& marker) {
  nlohmann::ordered_json json;
  json["levelfield_store"] = kFormat;
  json["about"] = "Made by Levelfield, which may delete everything in db/ beside this file.";
  json["state"] = kStateNames[static_cast<size_t>(marker.state)];
  json["pid"] = marker.pid;
  json["id"] = marker.id;
  json["created"] = marker.created;
  json["harness"] = marker.harness;
  // As text, because many readers of JSON keep only 53 bits of a number.
  json["salt"] = fmt::format("{:016x}", marker.salt);
  json["made_directory"] = marker.made_directory;
  AddContent(marker.content, json);
  std::string text = json.dump();
  text.resize(kMarkerBytes - 1, ' ');
  return text + "\n";
}

bool StoreDirectory::Parse(std::string_view text, Marker* marker) {
  // The JSON reader takes a NUL for the end; here it is the mark of a sector that was never
  // written.
  if (text.size() != kMarkerBytes || text.back() != '\n' || text.find('\0') != text.npos) {
    return false;
  }
  const auto json = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return false;
  const auto text_of = [&json](const char* name) -> std::string {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
  };
  const auto format = json.find("levelfield_store");
  const auto pid = json.find("pid");
  const auto made = json.find("made_directory");
  const std::string salt = text_of("salt");
  const std::string id = text_of("id");
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  const auto state = std::find(kStateNames.begin(), kStateNames.end(), text_of("state"));
  if (format == json.end() || *format != kFormat || pid == json.end() ||
      !pid->is_number_integer() || made == json.end() || !made->is_boolean() ||
      state == kStateNames.end() || salt.size() != 16 || id.size() != 32 ||
      (salt + id).find_first_not_of(kHexDigits) != std::string::npos) {
    return false;
  }
  marker->id = id;
  marker->created = text_of("created");
  marker->harness = text_of("harness");
  marker->salt = std::stoull(salt, nullptr, 16);
  marker->state = static_cast<StoreState>(state - kStateNames.begin());
  marker->pid = pid->get<int64_t>();
  marker->made_directory = made->get<bool>();
  marker->content = ReadContent(json);
  return true;
}

Status StoreDirectory::Error(std::string_view tried, int error) const {
  return Status::Failed(fmt::format("store at {}: {}: {}", absolute_, tried, std::strerror(error)));
}

Status StoreDirectory::Refused(std::string_view why, std::string_view what_to_do) const {
  return Status::Usage(fmt::format("cannot use {} as a store: {}; {}", typed_, why, what_to_do));
}

int64_t StoreDirectory::HolderOf(int marker_fd) {
  Marker marker;
  return Parse(ReadMarker(marker_fd), &marker) ? marker.pid : 0;
}

// Takes the lock, or says who has it.
Status StoreDirectory::Lock() {
  int64_t holder = 0;
  // The holder may have taken the lock a moment ago and not yet written its pid; half a second is
  // ample for that and still answers within one.
  for (int attempt = 0; attempt < 10; ++attempt) {
    if (flock(lock_.get(), LOCK_EX | LOCK_NB) == 0) {
      struct stat locked;
      struct stat named;
      if (fstat(lock_.get(), &locked) == 0 &&
          fstatat(directory_.get(), kMarker, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
          locked.st_ino == named.st_ino && locked.st_dev == named.st_dev) {
        return Status::Ok();
      }
      return Refused("another process has just removed the store there", "try again");
    }
    if (errno != EWOULDBLOCK && errno != EINTR) return Error("locking its marker", errno);
    holder = HolderOf(lock_.get());
    const bool lives = holder > 0 && (kill(static_cast<pid_t>(holder), 0) == 0 || errno == EPERM);
    if (lives) {
      return Refused(fmt::format("process {} is using it", holder),
                     "wait until that has ended, or name another directory");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  const std::string who =
      holder > 0 ? fmt::format("a child of process {}, which has ended, is still using it", holder)
                 : std::string("another process holds its lock");
  return Refused(who, fmt::format("see `fuser {}/{}`, or name another directory", typed_, kMarker));
}

Status StoreDirectory::LockExistingMarker() {
  // O_NONBLOCK: what is called LEVELFIELD may be a pipe.
  lock_ = UniqueFd(openat(directory_.get(), kMarker, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status;
  struct stat here;
  constexpr std::string_view kAdvice = "if nothing in it is needed, remove it by hand";
  if (!lock_.ok()) {
    const bool is_read_only = errno == EACCES || errno == EPERM || errno == EROFS;
    return Refused(
        fmt::format("its marker {}: {}", kMarker,
                    errno == ELOOP ? "it is a symlink" : std::strerror(errno)),
        is_read_only ? "a store has to be writable, be it only read: engines lock it" : kAdvice);
  }
  if (fstat(lock_.get(), &status) != 0 || fstat(directory_.get(), &here) != 0) {
    return Error("fstat of its marker", errno);
  }
  if (!S_ISREG(status.st_mode) || status.st_dev != here.st_dev) {
    return Refused(fmt::format("its marker {} is not a regular file of ours", kMarker), kAdvice);
  }
  if (status.st_uid != geteuid()) {
    return Refused(fmt::format("it belongs to another user (uid {})", status.st_uid),
                   "run as that user, or name another directory");
  }
  return Lock();
}

Status StoreDirectory::LockNewMarker() {
  lock_ = UniqueFd(
      openat(directory_.get(), kMarker, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!lock_.ok() && errno != EEXIST) return Error("creating its marker", errno);
  // Somebody else came first: then the lock says who.
  if (!lock_.ok()) return LockExistingMarker();
  return Lock();
}

Status StoreDirectory::WriteMarker() {
  const std::string text = Format(marker_);
  const ssize_t written = pwrite(lock_.get(), text.data(), text.size(), 0);
  if (written != static_cast<ssize_t>(text.size())) {
    return Error("writing its marker", written < 0 ? errno : ENOSPC);
  }
  return fsync(lock_.get()) == 0 ? Status::Ok() : Error("fsync of its marker", errno);
}

Status StoreDirectory::MakeDatabase() {
  if (mkdirat(directory_.get(), kDatabase, 0700) != 0) return Error("creating db/ in it", errno);
  return fsync(directory_.get()) == 0 ? Status::Ok() : Error("fsync", errno);
}

// Writes a new marker into a directory that is locked and empty, or whose db/ is to be emptied.
Status StoreDirectory::Fill(const Options& options, bool made_directory) {
  StatusOr<std::string> id = RandomId();
  if (!id.ok()) return id.status();
  marker_ = Marker{};
  marker_.id = *id;
  marker_.created = UtcNow();
  // Bounded, so that the marker fits its sector whatever the version is called.
  marker_.harness = Bounded(options.harness, 40);
  marker_.content = options.content;
  marker_.content.engine = Bounded(options.content.engine, 24);
  marker_.salt = options.salt;
  marker_.pid = getpid();
  marker_.made_directory = made_directory;
  const Status written = WriteMarker();
  if (!written.ok()) return written;
  if (fsync(directory_.get()) != 0) return Error("fsync", errno);
  return MakeDatabase();
}

// Whether these are names of a directory that Create may use.
Status StoreDirectory::CheckNames(const std::vector<std::string>& names) const {
  if (names.empty() || std::binary_search(names.begin(), names.end(), kMarker)) {
    return Status::Ok();
  }
  return Refused(
      fmt::format("{} that Levelfield did not put there ({}{})",
                  IsMountRoot(directory_.get()) ? "it is a mounted file system with files"
                                                : "there are files in it",
                  names.front(), names.size() > 1 ? ", ..." : ""),
      fmt::format("name a directory below it, such as {}{}levelfield", typed_,
                  typed_.back() == '/' ? "" : "/"));
}

Status StoreDirectory::Check(const std::string& path) {
  const StatusOr<StorePath> place = ResolveStorePath(path);
  if (!place.ok()) return place.status();
  if (!place->missing.empty()) return Status::Ok();
  StoreDirectory store;
  store.typed_ = place->typed;
  store.directory_ =
      UniqueFd(openat(place->existing.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // What cannot be read is Create's to refuse.
  if (!store.directory_.ok()) return Status::Ok();
  const StatusOr<std::vector<std::string>> names = NamesIn(store.directory_.get());
  return names.ok() ? store.CheckNames(*names) : Status::Ok();
}

std::optional<StoreContent> StoreDirectory::Peek(const std::string& path) {
  const UniqueFd fd(
      open((path + "/" + kMarker).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  Marker marker;
  if (!fd.ok() || !Parse(ReadMarker(fd.get()), &marker)) return std::nullopt;
  return marker.content;
}

StatusOr<MarkedStore> StoreDirectory::LookInto(const std::string& path) {
  UniqueFd fd(open((path + "/" + kMarker).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  Marker marker;
  if (!fd.ok() || !Parse(ReadMarker(fd.get()), &marker)) {
    return Status::Usage(
        fmt::format("{}: there is no marker of Levelfield that can be read", path));
  }
  if (flock(fd.get(), LOCK_SH | LOCK_NB) != 0) {
    return Status::Usage(fmt::format("{}: process {} is using it; wait until that has ended", path,
                                     HolderOf(fd.get())));
  }
  if (!Parse(ReadMarker(fd.get()), &marker)) {  // It may just have been written.
    return Status::Usage(fmt::format("{}: its marker has changed; try again", path));
  }
  std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  if (real == nullptr) return Status::Usage(fmt::format("{}: {}", path, std::strerror(errno)));
  return MarkedStore{.database = std::string(real.get()) + "/" + kDatabase,
                     .content = marker.content,
                     .salt = marker.salt,
                     .state = marker.state,
                     .lock = std::move(fd)};
}

StatusOr<StoreDirectory> StoreDirectory::Create(const std::string& path, const Options& options) {
  StatusOr<StorePath> place = ResolveStorePath(path);
  if (!place.ok()) return place.status();

  StoreDirectory store;
  store.typed_ = place->typed;
  store.absolute_ = place->absolute;
  MadeDirectories made;
  UniqueFd at = std::move(place->existing);
  for (size_t i = 0; i < place->missing.size(); ++i) {
    const std::string& name = place->missing[i];
    const bool is_last = i + 1 == place->missing.size();
    const bool is_new = mkdirat(at.get(), name.c_str(), is_last ? 0700 : 0777) == 0;
    if (!is_new && errno != EEXIST) {
      return store.Refused(fmt::format("cannot create {}: {}", name, std::strerror(errno)),
                           "name a directory below one that you may write to");
    }
    UniqueFd next(openat(at.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next.ok()) return store.Error(fmt::format("opening {}", name), errno);
    // The new name survives a power cut. A parent that we may not read cannot be synced.
    const UniqueFd parent(openat(at.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (parent.ok() && fsync(parent.get()) != 0) return store.Error("fsync", errno);
    if (is_new) made.Add(std::move(at), name);
    at = std::move(next);
  }
  store.directory_ = UniqueFd(openat(at.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!store.directory_.ok()) {
    return store.Refused(std::strerror(errno), "name a directory that you may read and write");
  }

  const StatusOr<std::vector<std::string>> names = NamesIn(store.directory_.get());
  if (!names.ok()) return store.Refused(names.status().message(), "name another directory");
  if (const Status checked = store.CheckNames(*names); !checked.ok()) return checked;
  const bool has_marker = std::binary_search(names->begin(), names->end(), kMarker);
  const Status locked = has_marker ? store.LockExistingMarker() : store.LockNewMarker();
  if (!locked.ok()) return locked;

  const std::string text = ReadMarker(store.lock_.get());
  if (text.empty() && names->size() <= 1) {
    // New, or left behind by a run that was killed between creating its marker and writing it.
    const Status filled = store.Fill(options, made.any());
    if (!filled.ok()) {
      unlinkat(store.directory_.get(), kDatabase, AT_REMOVEDIR);
      unlinkat(store.directory_.get(), kMarker, 0);
      return filled;
    }
    made.Keep();
    return store;
  }
  if (!Parse(text, &store.marker_)) {
    return store.Refused(fmt::format("there is a file {} in it that is not a marker of this "
                                     "version of Levelfield",
                                     kMarker),
                         "name another directory, or remove this one by hand");
  }
  if (!options.fresh) {
    return store.Refused(
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
  StatusOr<StorePath> place = ResolveStorePath(path);
  if (!place.ok()) return place.status();
  StoreDirectory store;
  store.typed_ = place->typed;
  store.absolute_ = place->absolute;
  constexpr std::string_view kMakeOne = "fill a new one first, or check the path";
  if (!place->missing.empty()) return store.Refused("it does not exist", kMakeOne);
  store.directory_ =
      UniqueFd(openat(place->existing.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!store.directory_.ok()) return store.Refused(std::strerror(errno), kMakeOne);
  struct stat status;
  if (fstatat(store.directory_.get(), kMarker, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return store.Refused(
        fmt::format("there is no marker {} in it, so Levelfield did not make it", kMarker),
        kMakeOne);
  }
  const Status locked = store.LockExistingMarker();
  if (!locked.ok()) return locked;
  if (!Parse(ReadMarker(store.lock_.get()), &store.marker_)) {
    return store.Refused(fmt::format("its marker {} cannot be read", kMarker),
                         "name another directory, or remove this one by hand");
  }
  if (store.state() == StoreState::kTainted) {
    return store.Refused("it is tainted: an engine failed on it, or wiping it was cut off",
                         "look at it if you like; a run without --use_existing_db empties it");
  }
  struct stat here;
  if (fstat(store.directory_.get(), &here) != 0) return store.Error("fstat", errno);
  const StatusOr<UniqueFd> database = OpenBelow(store.directory_.get(), kDatabase, here.st_dev);
  if (!database.ok()) {
    return store.Refused(
        fmt::format("there is no database in it ({})", database.status().message()),
        "a run without --use_existing_db begins anew");
  }
  store.marker_.pid = getpid();
  ++store.marker_.content.opened;
  const Status written = store.WriteMarker();
  if (!written.ok()) return written;
  return store;
}

Status StoreDirectory::LetChildrenInheritLock() {
  return fcntl(lock_.get(), F_SETFD, 0) == 0 ? Status::Ok() : Error("fcntl on its lock", errno);
}

Status StoreDirectory::SetState(StoreState state) {
  const StoreState before = std::exchange(marker_.state, state);
  const Status written = WriteMarker();
  if (!written.ok()) marker_.state = before;
  return written;
}

// Whether the directory is still the one that was locked: asked before anything is removed.
Status StoreDirectory::CheckMarker() const {
  const auto refused = [this](std::string_view why) {
    return Status::Failed(
        fmt::format("removes nothing at {}: {}; if nothing in it is needed, remove it by hand",
                    absolute_, why));
  };
  const UniqueFd fd(
      openat(directory_.get(), kMarker, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat now;
  struct stat locked;
  struct stat here;
  if (!fd.ok()) {
    return refused(errno == ELOOP ? "its marker has become a symlink"
                                  : fmt::format("its marker: {}", std::strerror(errno)));
  }
  if (fstat(fd.get(), &now) != 0 || fstat(lock_.get(), &locked) != 0 ||
      fstat(directory_.get(), &here) != 0) {
    return refused(std::strerror(errno));
  }
  if (!S_ISREG(now.st_mode) || now.st_dev != here.st_dev) {
    return refused("its marker is not a regular file of its own file system");
  }
  if (now.st_uid != geteuid()) return refused("its marker belongs to another user");
  if (now.st_dev != locked.st_dev || now.st_ino != locked.st_ino) {
    return refused("its marker has been replaced by another file");
  }
  Marker marker;
  if (!Parse(ReadMarker(fd.get()), &marker)) return refused("its marker cannot be read any more");
  if (marker.id != marker_.id) return refused("its marker carries another id");
  return Status::Ok();
}

// Removes db/ and all below it.
Status StoreDirectory::EmptyDatabase() {
  const Status checked = CheckMarker();
  if (!checked.ok()) return checked;
  struct stat status;
  if (fstatat(directory_.get(), kDatabase, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? Status::Ok() : Error("db/", errno);
  }
  struct stat here;
  if (fstat(directory_.get(), &here) != 0) return Error("fstat", errno);
  const StatusOr<UniqueFd> database = OpenBelow(directory_.get(), kDatabase, here.st_dev);
  Status removed =
      database.ok() ? RemoveContents(database->get(), here.st_dev, 0) : database.status();
  if (!removed.ok()) {
    return Status::Failed(
        fmt::format("store at {}: cannot remove {}", absolute_, removed.message()));
  }
  if (unlinkat(directory_.get(), kDatabase, AT_REMOVEDIR) != 0) {
    return Error("removing db/", errno);
  }
  return Status::Ok();
}

Status StoreDirectory::Wipe() {
  // Before the marker is written to, not only before anything is removed.
  Status status = CheckMarker();
  if (status.ok()) status = MarkTainted();
  if (status.ok()) status = EmptyDatabase();
  if (status.ok()) status = MakeDatabase();
  if (status.ok()) status = MarkClean();
  return status;
}

Status StoreDirectory::Remove() {
  Status status = CheckMarker();
  if (status.ok()) status = MarkTainted();
  if (status.ok()) status = EmptyDatabase();
  if (!status.ok()) return status;
  const StatusOr<std::vector<std::string>> names = NamesIn(directory_.get());
  if (!names.ok())
    return Status::Failed(fmt::format("{}: {}", absolute_, names.status().message()));
  for (const std::string& name : *names) {
    if (name == kMarker) continue;
    return Status::Failed(fmt::format(
        "store at {}: its database is removed, but the directory stays, because {} in it is not of "
        "Levelfield's making; move that away and remove the directory by hand",
        absolute_, name));
  }
  if (unlinkat(directory_.get(), kMarker, 0) != 0) return Error("removing its marker", errno);
  if (!marker_.made_directory) return Status::Ok();
  const UniqueFd parent(openat(directory_.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const std::string name = absolute_.substr(absolute_.rfind('/') + 1);
  struct stat named;
  struct stat here;
  if (!parent.ok() || fstatat(parent.get(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0 ||
      fstat(directory_.get(), &here) != 0 || named.st_dev != here.st_dev ||
      named.st_ino != here.st_ino) {
    return Status::Failed(fmt::format(
        "store at {}: emptied, but the directory has been moved; remove it by hand", absolute_));
  }
  if (unlinkat(parent.get(), name.c_str(), AT_REMOVEDIR) != 0) {
    return Error("removing the directory", errno);
  }
  return Status::Ok();
}

StatusOr<uint64_t> StoreDirectory::AllocatedBytes() const {
  struct stat here;
  if (fstat(directory_.get(), &here) != 0) return Error("fstat", errno);
  const UniqueFd database(
      openat(directory_.get(), kDatabase, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!database.ok()) return Error("opening db/", errno);
  std::set<ino_t> counted;
  uint64_t bytes = 0;
  const Status added = AddAllocated(database.get(), here.st_dev, 0, &counted, &bytes);
  if (!added.ok()) {
    return Status::Failed(
        fmt::format("store at {}: cannot count its size: {}", absolute_, added.message()));
  }
  return bytes;
}

}  // namespace levelfield
