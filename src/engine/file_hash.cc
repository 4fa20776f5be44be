#include "engine/file_hash.h"

#include <fcntl.h>
#include <nettle/sha2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace levelfield {
namespace {

Status Fail(const std::string& path, const char* what) {
  return Status::Failed("cannot " + std::string(what) + " " + path + ": " + std::strerror(errno));
}

std::string ToHex(const std::array<uint8_t, SHA256_DIGEST_SIZE>& digest) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  hex.reserve(2 * digest.size());
  for (const uint8_t byte : digest) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

}  // namespace

StatusOr<FileHash> HashFile(const std::string& path) {
  // Non-blocking, so that a pipe of that name cannot hold us up before fstat tells what it is.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Fail(path, "open");
  struct stat file {};
  if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode)) {
    close(fd);
    return Status::Failed("cannot hash " + path + ": it is not a regular file");
  }
  const auto bytes = static_cast<size_t>(file.st_size);
  void* data = nullptr;
  if (bytes > 0) {
    // Populated at once: one fault a page would cost more than the hash.
    data = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
  }
  close(fd);
  if (data == MAP_FAILED) return Fail(path, "map");

  sha256_ctx context;
  sha256_init(&context);
  if (bytes > 0) sha256_update(&context, bytes, static_cast<const uint8_t*>(data));
  std::array<uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context, digest.size(), digest.data());
  if (bytes > 0) munmap(data, bytes);
  return FileHash{bytes, ToHex(digest)};
}

}  // namespace levelfield
