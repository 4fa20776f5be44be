// Bytes in gzip's format, which browsers, zcat, pandas and DuckDB can undo. Any thread may call.
#ifndef LEVELFIELD_BASE_GZIP_H_
#define LEVELFIELD_BASE_GZIP_H_

#include <istream>
#include <string>

namespace levelfield {

std::string Gzipped(std::istream& bytes);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_GZIP_H_
