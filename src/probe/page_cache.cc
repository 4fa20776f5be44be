#include "probe/page_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "base/unique_fd.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

template <class Visit>
void ForEachFile(const std::string& path, Visit visit) {
  const auto visit_one = [&](const fs::path& file_path) {
    const UniqueFd file(open(file_path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    struct stat status {};
    if (file.ok() && fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode)) {
      visit(file.get(), static_cast<uint64_t>(status.st_size), file_path);
    }
  };
  std::error_code error;
  if (!fs::is_directory(path, error)) return visit_one(path);
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end;
       it.increment(error)) {
    visit_one(it->path());
  }
}

// cachestat(2), which libc does not know yet.
struct CachedPages {
  uint64_t cached, dirty, writeback, evicted, recently_evicted;
};
std::optional<CachedPages> PagesOf(int fd) {
  constexpr long kCachestat = 451;  // The same on all architectures.
  struct {
    uint64_t offset;
    uint64_t length;  // 0: to the end.
  } range = {0, 0};
  CachedPages pages = {};
  if (syscall(kCachestat, fd, &range, &pages, 0) != 0) return std::nullopt;
  return pages;
}

uint64_t CachedPagesByMap(int fd, uint64_t bytes, uint64_t page_bytes) {
  void* const map = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, fd, 0);
  if (map == MAP_FAILED) return 0;
  std::vector<unsigned char> pages((bytes + page_bytes - 1) / page_bytes);
  uint64_t cached = 0;
  if (mincore(map, bytes, pages.data()) == 0) {
    cached = static_cast<uint64_t>(
        std::ranges::count_if(pages, [](unsigned char page) { return (page & 1) != 0; }));
  }
  munmap(map, bytes);
  return cached;
}

Status SyncOne(const fs::path& path) {
  const UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!fd.ok() && errno == ENOENT) return Status::Ok();
  int code = 0;
  do {  // Ctrl-C is no failure of the disk.
    code = fd.ok() ? fsync(fd.get()) : -1;
  } while (fd.ok() && code != 0 && errno == EINTR);
  if (code == 0) return Status::Ok();
  return Status::Failed(fmt::format("cannot sync {}: {}", path.string(), std::strerror(errno)));
}

}  // namespace

Residency ResidencyOf(const std::string& path) {
  const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  Residency residency;
  ForEachFile(path, [&](int fd, uint64_t bytes, const fs::path&) {
    if (bytes == 0) return;
    const std::optional<CachedPages> known = PagesOf(fd);
    const uint64_t pages = known ? known->cached : CachedPagesByMap(fd, bytes, page_bytes);
    residency.file_bytes += bytes;
    residency.cached_bytes += std::min(pages * page_bytes, bytes);
  });
  return residency;
}

std::optional<std::vector<std::pair<std::string, uint64_t>>> DirtyPagesOf(const std::string& path) {
  std::vector<std::pair<std::string, uint64_t>> dirty;
  bool is_told = true;
  ForEachFile(path, [&](int fd, uint64_t, const fs::path& file) {
    const std::optional<CachedPages> pages = PagesOf(fd);
    is_told = is_told && pages.has_value();
    const uint64_t count = pages ? pages->dirty + pages->writeback : 0;
    if (count == 0) return;
    std::error_code error;
    dirty.emplace_back(fs::is_directory(path, error) ? file.lexically_relative(path).string()
                                                     : file.filename().string(),
                       count);
  });
  if (!is_told) return std::nullopt;
  std::ranges::sort(dirty);
  return dirty;
}

Status SyncFiles(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return SyncOne(path);
  fs::recursive_directory_iterator it(path, error);
  for (; !error && it != fs::recursive_directory_iterator(); it.increment(error)) {
    std::error_code gone;
    const fs::file_status status = it->symlink_status(gone);
    if (!fs::is_regular_file(status) && !fs::is_directory(status)) continue;
    RETURN_IF_ERROR(SyncOne(it->path()));
  }
  if (error) return Status::Failed(fmt::format("cannot sync {}: {}", path, error.message()));
  return SyncOne(path);
}

void DropFromPageCache(const std::string& path) {
  ForEachFile(path, [](int fd, uint64_t, const fs::path&) {
    (void)fdatasync(fd);
    (void)posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  });
}

}  // namespace levelfield
