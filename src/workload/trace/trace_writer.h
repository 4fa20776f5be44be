// Makes a file of recorded operations (trace_file.h) out of those of a source, one after the other.
// The file appears under its name when it is whole; what was begun is removed again. Held in memory
// are a 64-bit hash and a number for each key, about 40 bytes, and of stamps that are spread 8
// bytes for each second that has operations. Two keys of the same hash would become one: of 100
// million keys that happens once in 3,700 traces. Belongs to one thread.
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
  // Nothing may be at `path` yet. `spreads`: the times will be whole seconds, and operations of the
  // same second are put at equal distances within it.
  static StatusOr<TraceWriter> Create(const std::string& path, bool spreads);
  TraceWriter(TraceWriter&& other) noexcept;
  TraceWriter& operator=(TraceWriter&&) = delete;
  ~TraceWriter();

  // `record.time_ns` is on the source's clock, and its key's number is given here. A time before
  // the last one's is taken to be that, as a trace's does not go back.
  Status Add(std::string_view key, TraceRecord record);

  uint64_t records() const { return records_; }
  uint64_t keys() const { return numbers_.size(); }
  // Operations whose time was before the last one's, and by how much the most of them.
  uint64_t went_back() const { return went_back_; }
  uint64_t furthest_back_ns() const { return furthest_back_ns_; }

  // After the last one.
  Status Finish(const std::string& source, uint64_t left_out);

 private:
  TraceWriter(std::string path, UniqueFd fd, bool spreads);

  Status Error(const std::string& what) const;
  Status Flush();
  // Goes through what was written: spreads it, and sums it up.
  Status Rewrite(uint64_t& checksum);

  std::string path_;
  std::string part_;  // Where it is until it is whole; empty: nowhere.
  UniqueFd fd_;
  bool spreads_;
  std::vector<char> buffer_;
  std::unordered_map<uint64_t, uint64_t> numbers_;  // Of keys, by their hash.
  std::vector<uint64_t> in_second_;                 // Operations that follow each other in one.
  uint64_t records_ = 0;
  uint64_t first_ns_ = 0;
  uint64_t last_ns_ = 0;
  uint64_t went_back_ = 0;
  uint64_t furthest_back_ns_ = 0;
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_WRITER_H_
