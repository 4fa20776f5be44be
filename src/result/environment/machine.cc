#include "result/environment/machine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/text.h"
#include "base/unique_fd.h"

namespace levelfield {

namespace fs = std::filesystem;

Machine::Machine(const std::string& store, const EnvironmentSource& source)
    : root(source.root),
      started(source.started),
      store_path(store),
      mounts(FindMounts()),
      store_mount(FindStoreMount()),
      store_device(FindStoreDevice()) {}

StatusOr<std::string> Machine::Read(const std::string& path, size_t max_bytes) const {
  const UniqueFd fd(open(At(path).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  std::string text;
  std::array<char, 16384> block;
  while (fd.ok() && text.size() < max_bytes) {
    const ssize_t got = read(fd.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Status::Failed(fmt::format("{}: {}", path, std::strerror(errno)));
    if (got == 0) break;
    text.append(block.data(), static_cast<size_t>(got));
  }
  if (!fd.ok()) return Status::Failed(fmt::format("{}: {}", path, std::strerror(errno)));
  text = Trimmed(text);
  if (text.empty()) return Status::Failed(fmt::format("{} is empty", path));
  return text;
}

bool Machine::Exists(const std::string& path) const {
  std::error_code error;
  return fs::exists(At(path), error);
}

StatusOr<std::vector<std::string>> Machine::NamesIn(const std::string& path) const {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator it(At(path), error), end; !error && it != end; it.increment(error)) {
    names.push_back(it->path().filename().string());
  }
  if (error) return Status::Failed(fmt::format("{}: {}", path, error.message()));
  std::sort(names.begin(), names.end());
  return names;
}

StatusOr<std::vector<Mount>> Machine::FindMounts() const {
  ASSIGN_OR_RETURN(const std::string text, Read("/proc/self/mountinfo", 1 << 20));
  return ParseMounts(text);
}

StatusOr<Mount> Machine::FindStoreMount() const {
  if (!mounts.ok()) return mounts.status();
  std::error_code error;
  const std::string path = root == "/" ? fs::weakly_canonical(store_path, error).string()
                                       : fs::path(store_path).lexically_normal().string();
  const Mount* const best = MountOf(*mounts, path);
  if (best == nullptr) return Status::Failed("/proc/self/mountinfo names no mount for the store");
  return *best;
}

StatusOr<std::string> Machine::FindStoreDevice() const {
  const StatusOr<Mount>& mount = store_mount;
  if (!mount.ok()) return mount.status();
  std::string directory = "/sys/dev/block/" + mount->device;
  if (Exists(directory)) return directory;
  // btrfs gives every subvolume its own device number. The mount's source is the real device.
  directory = "/sys/class/block/" + fs::path(mount->source).filename().string();
  if (mount->source.rfind("/dev/", 0) == 0 && Exists(directory)) return directory;
  return Status::Failed(
      fmt::format("no block device is known for {} ({})", mount->type, mount->device));
}

Json NumberOrText(const std::string& text) {
  const std::optional<uint64_t> number = Digits(text);
  return number ? Json(*number) : Json(text);
}

Reading Line(const Machine& machine, const char* path) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read(path));
  return NumberOrText(text);
}

StatusOr<std::vector<uint64_t>> NumberList(const Machine& machine, const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, machine.Read(path));
  std::vector<uint64_t> numbers;
  for (const std::string& range : Parts(text, ',')) {
    const size_t dash = range.find('-');
    const std::optional<uint64_t> first = Digits(range.substr(0, dash));
    const std::optional<uint64_t> last =
        dash == std::string::npos ? first : Digits(range.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first > 65536) {
      return Status::Failed(fmt::format("{} says \"{}\"", path, text));
    }
    for (uint64_t number = *first; number <= *last; ++number) numbers.push_back(number);
  }
  return numbers;
}

Reading CountOfList(const Machine& machine, const char* path) {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> numbers, NumberList(machine, path));
  return numbers.size();
}

}  // namespace levelfield
