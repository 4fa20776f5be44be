#include "base/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <new>

#include "base/atomic_file.h"
#include "base/unique_fd.h"

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

void GzipLines::Close::operator()(gzFile_s* file) const { gzclose_r(file); }

StatusOr<GzipLines> GzipLines::Open(const std::string& path) {
  ASSIGN_OR_RETURN(UniqueFd fd, OpenRegularFile(path));
  gzFile_s* const file = gzdopen(fd.get(), "rb");
  if (file == nullptr) throw std::bad_alloc();
  (void)fd.release();
  return GzipLines(file);
}

StatusOr<bool> GzipLines::Next(std::string& line) {
  line.clear();
  gzclearerr(file_.get());  // The end may have moved since: somebody writes the file.
  std::array<char, 16 << 10> block;
  for (uint64_t most = 0; gzgets(file_.get(), block.data(), block.size()) != nullptr;) {
    line += block.data();
    most += block.size();
    if (line.ends_with('\n')) {
      line.pop_back();
      return true;
    }
    if (most > kMaxFileBytes) {
      return Status::Usage(
          fmt::format("a line has more than the {} bytes allowed for it", kMaxFileBytes));
    }
  }
  int error = Z_OK;
  const char* const why = gzerror(file_.get(), &error);
  // A crash tears the last line: there are no more bytes where zlib wants some.
  if (error == Z_OK || error == Z_BUF_ERROR) return false;
  // "<fd:3>: invalid block type".
  const std::string_view words(why);
  return Status::Usage(std::string(words.substr(std::min(words.find(' ') + 1, words.size()))));
}

}  // namespace levelfield
