// The libraries that the operations of the machine measure: compressors and checksums. The worker
// loads one when it is asked for and, as with engines, never unloads it. The program itself links
// none of them. A missing library is kUsage.
#ifndef LEVELFIELD_OPERATIONS_LIBRARIES_H_
#define LEVELFIELD_OPERATIONS_LIBRARIES_H_

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace levelfield {

class SharedLibrary {
 public:
  // "libsnappy.so.1", as the system finds it, and the package of Debian that has it, if one has.
  SharedLibrary(const char* name, std::string_view package);

  // A function of the library; the first one that is missing fails the library.
  template <class Function>
  Function* Find(const char* symbol) {
    return reinterpret_cast<Function*>(FindSymbol(symbol));
  }
  Status status() const { return error_.empty() ? Status::Ok() : Status::Usage(error_); }
  // The file that has the functions.
  const std::string& path() const { return path_; }

 private:
  void* FindSymbol(const char* symbol);
  void Complain();

  const char* name_;
  std::string_view package_;
  void* handle_;
  std::string error_;
  std::string path_;
};

// Belongs to one thread: Zstd keeps its context between calls, as its manual advises.
struct CompressionCodec {
  std::string library;  // The file that was loaded.
  // The largest compressed size of so many bytes.
  std::function<size_t(size_t)> bound;
  // Both give the bytes that they wrote to `out`; 0: the library failed.
  std::function<size_t(std::string_view in, char* out, size_t capacity)> compress;
  std::function<size_t(std::string_view in, char* out, size_t capacity)> uncompress;
};

// `name`: snappy, zstd (level 1, as LevelDB uses it) or lz4.
StatusOr<CompressionCodec> LoadCodec(std::string_view name);

struct Checksum {
  std::string library;
  std::function<uint64_t(std::string_view)> of;
};

// CRC-32C by the processor's instruction: libcrc32c (LevelDB's own), else ISA-L.
StatusOr<Checksum> LoadCrc32c();
// `name`: xxhash (32 bits), xxhash64 or xxh3 (64 bits). kUsage also if it gives another hash than
// the published one.
StatusOr<Checksum> LoadXxHash(std::string_view name);

// RFC 3720, B.4; the polynomial 0x1edc6f41 with its bits reflected. Used to check the library.
constexpr uint32_t Crc32cBitByBit(std::string_view bytes) {
  uint32_t crc = ~uint32_t{0};
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~crc;
}
static_assert(Crc32cBitByBit("123456789") == 0xe3069283);

}  // namespace levelfield

#endif  // LEVELFIELD_OPERATIONS_LIBRARIES_H_
