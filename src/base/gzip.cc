#include "base/gzip.h"

#include <zlib.h>

#include <new>

namespace levelfield {

std::string Gzipped(std::istream& bytes) {
  constexpr int kGzipWindow = 15 + 16;
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed;
  std::string in(64 << 10, '\0');
  std::string out(64 << 10, '\0');
  do {
    bytes.read(in.data(), static_cast<std::streamsize>(in.size()));
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(bytes.gcount());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(out.data());
      stream.avail_out = static_cast<uInt>(out.size());
      deflate(&stream, bytes ? Z_NO_FLUSH : Z_FINISH);
      packed.append(out, 0, out.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  } while (bytes);
  deflateEnd(&stream);
  return packed;
}

}  // namespace levelfield
