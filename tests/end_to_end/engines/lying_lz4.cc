// A liblz4.so.1 that copies instead of compressing and, as LYING_LZ4 asks, gives back another byte
// (`wrong`) or fails from its hundredth call on (`fails`): what a broken library looks like.
#include <cstdlib>
#include <cstring>

namespace {

int Copy(const char* in, char* out, int size) {
  static int calls = 0;
  const char* const lie = std::getenv("LYING_LZ4");
  if (++calls >= 100 && lie != nullptr && std::strcmp(lie, "fails") == 0) return 0;
  std::memcpy(out, in, static_cast<size_t>(size));
  if (lie != nullptr && std::strcmp(lie, "wrong") == 0) out[0] = '!';
  return size;
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) int LZ4_compressBound(int size) { return size; }
__attribute__((visibility("default"))) int LZ4_compress_default(const char* in, char* out, int size,
                                                                int) {
  return Copy(in, out, size);
}
__attribute__((visibility("default"))) int LZ4_decompress_safe(const char* in, char* out, int size,
                                                               int) {
  return Copy(in, out, size);
}
}
