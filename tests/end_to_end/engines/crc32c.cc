// Stands for libcrc32c, which Debian does not have: the function of it that LevelDB calls.
#include <cstddef>
#include <cstdint>

namespace crc32c {

uint32_t Extend(uint32_t crc, const uint8_t* data, size_t count) {
  crc = ~crc;
  for (size_t i = 0; i < count; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~crc;
}

}  // namespace crc32c
