// As port/port_stdcxx.h of LevelDB has it where libcrc32c is found.
#include <cstddef>
#include <cstdint>

namespace crc32c {
uint32_t Extend(uint32_t crc, const uint8_t* data, size_t count);
}

namespace leveldb::port {

uint32_t AcceleratedCRC32C(uint32_t crc, const char* buf, size_t size) {
  return ::crc32c::Extend(crc, reinterpret_cast<const uint8_t*>(buf), size);
}

}  // namespace leveldb::port
