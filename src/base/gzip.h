// Bytes in gzip's format, which browsers, zcat, pandas and DuckDB can undo. Any thread may call.
#ifndef LEVELFIELD_BASE_GZIP_H_
#define LEVELFIELD_BASE_GZIP_H_

#include <istream>
#include <memory>
#include <string>

#include "base/status.h"

struct gzFile_s;  // zlib's.

namespace levelfield {

// One member. A file may have several, one after another.
std::string Gzipped(std::istream& bytes);

// Reads the lines of such a file one after another, and holds only one at a time.
class GzipLines {
 public:
  static StatusOr<GzipLines> Open(const std::string& path);

  // False at the end. Leaves out a last line that was cut off. kUsage: what is damaged, without the
  // file's name.
  StatusOr<bool> Next(std::string& line);

 private:
  struct Close {
    void operator()(gzFile_s* file) const;
  };
  explicit GzipLines(gzFile_s* file) : file_(file) {}

  std::unique_ptr<gzFile_s, Close> file_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_GZIP_H_
