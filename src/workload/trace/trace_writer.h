// Makes a file of recorded operations (trace_file.h) from those of a source, one after another. The
// file appears under its name when it is whole; an unfinished one is removed. Memory holds a 64-bit
// hash and a number for each key, about 40 bytes, and, if stamps are spread, 8 bytes for each
// second that has operations. Two keys with the same hash would become one: with 100 million keys
// that happens once in 3,700 traces. Belongs to one thread.
#ifndef LEVELFIELD_WORKLOAD_TRACE_TRACE_WRITER_H_
#define LEVELFIELD_WORKLOAD_TRACE_TRACE_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"
#include "workload/trace/trace_file.h"

namespace levelfield {

class TraceWriter {
 public:
  // Nothing may exist at `path` yet. `spreads`: the times will be whole seconds, and operations of
  // the same second are placed at equal distances within it.
  static StatusOr<TraceWriter> Create(const std::string& path, bool spreads);
  TraceWriter(TraceWriter&& other) noexcept;
  TraceWriter& operator=(TraceWriter&&) = delete;
  ~TraceWriter();

  // `record.time_ns` is on the source's clock; Add numbers the key. Times in a trace do not go
  // back, so a time before the last one is replaced by it.
  Status Add(std::string_view key, TraceRecord record);

  uint64_t records() const { return records_; }
  uint64_t keys() const { return numbers_.size(); }
  // How many operations had a time before the last one's, and by how much at most.
  uint64_t went_back() const { return went_back_; }
  uint64_t furthest_back_ns() const { return furthest_back_ns_; }

  // The source has no times: all of them are 0.
  void HasNoTimes() {
    has_no_times_ = true;
    spreads_ = false;
  }

  // Call it after the last operation.
  Status Finish(const std::string& source, uint64_t left_out);

 private:
  TraceWriter(std::string path, UniqueFd fd, bool spreads);

  Status Error(const std::string& what) const;
  Status Flush();
  // Reads what was written, spreads it and computes the checksum.
  Status Rewrite(uint64_t& checksum);

  std::string path_;
  std::string part_;  // The unfinished file; empty: none.
  UniqueFd fd_;
  bool spreads_;
  bool has_no_times_ = false;
  std::vector<char> buffer_;
  std::unordered_map<uint64_t, uint64_t> numbers_;  // The key numbers, by hash.
  std::vector<uint64_t> in_second_;                 // Runs of operations in the same second.
  uint64_t records_ = 0;
  uint64_t first_ns_ = 0;
  uint64_t last_ns_ = 0;
  uint64_t went_back_ = 0;
  uint64_t furthest_back_ns_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_WRITER_H_
