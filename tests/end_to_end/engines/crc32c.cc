// Stands for libcrc32c, which Debian 12 does not have: the function of it that LevelDB calls, by the
// CPU's instruction where it is compiled for one that has it.
#include <cstddef>
#include <cstdint>
#ifdef __SSE4_2__
#include <nmmintrin.h>
#endif

namespace crc32c {

uint32_t Extend(uint32_t crc, const uint8_t* data, size_t count) {
  crc = ~crc;
  for (size_t i = 0; i < count; ++i) {
#ifdef __SSE4_2__
    crc = _mm_crc32_u8(crc, data[i]);
#else
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
#endif
  }
  return ~crc;
}

}  // namespace crc32c
