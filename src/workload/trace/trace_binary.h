// Recordings that are no lines of text, record by record:
//
//   RocksDB's query traces    of DB::StartTrace and `db_bench --trace_file`, version 0.2
//   its block cache traces    of DB::StartBlockCacheTrace and `db_bench --block_cache_trace_file`
//   oracleGeneral             of libCacheSim, which has traces of many caches in this form
//
// The first record tells RocksDB's two kinds apart. Belongs to one thread.
#ifndef LEVELFIELD_WORKLOAD_TRACE_TRACE_BINARY_H_
#define LEVELFIELD_WORKLOAD_TRACE_TRACE_BINARY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "workload/trace/trace_file.h"
#include "workload/trace/trace_text.h"

namespace levelfield {

// The bytes of a file or a pipe.
class TraceBytes {
 public:
  explicit TraceBytes(UniqueFd fd) : fd_(std::move(fd)) {}

  // The next so many bytes, valid until the next call. Nothing: fewer are left.
  std::optional<std::string_view> Take(size_t size);
  // Whether none is left.
  bool IsOver();
  uint64_t offset() const { return offset_; }  // Of the next byte.

 private:
  void Fill(size_t size);

  UniqueFd fd_;
  std::vector<char> buffer_;
  size_t at_ = 0;
  size_t end_ = 0;
  uint64_t offset_ = 0;
};

// An operation with a key of its own.
struct TraceEntry {
  std::string key;
  TraceRecord record;    // Without the key's number.
  std::string left_out;  // The operation's name, if it cannot be replayed.
};

class BinaryTrace {
 public:
  BinaryTrace(TraceSource source, UniqueFd fd) : source_(source), bytes_(std::move(fd)) {}

  // Reads the operations of the next record: none, one or several. Returns nothing, or what is
  // wrong and at which byte. is_over(): there was no further record.
  std::string Read(std::vector<TraceEntry>& entries);
  bool is_over() const { return is_over_; }
  // Which kind of recording it is, in words, once it has been read.
  std::string_view kind() const { return kind_; }

 private:
  std::string ReadOracle(std::vector<TraceEntry>& entries);
  std::string ReadRocksDb(std::vector<TraceEntry>& entries);
  std::string ReadHead(std::string_view payload);
  std::string Wrong(uint64_t offset, std::string_view what) const;

  TraceSource source_;
  TraceBytes bytes_;
  bool is_over_ = false;
  bool has_head_ = false;
  bool is_block_cache_ = false;
  std::string_view kind_ = "oracleGeneral";
};

// One line of the text that RocksDB's trace_analyzer writes of a query trace
// (--convert_to_human_readable_trace), or block_cache_trace_analyzer of a block cache trace
// (--human_readable_trace_file_path). Returns nothing, or what is wrong and in which column.
std::string ReadRocksDbLine(std::string_view line, TraceEntry& entry);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_BINARY_H_
