// Turns a recording into a trace (trace_file.h), line by line or record by record: files may be
// larger than memory. It holds no more than a TraceWriter does.
#ifndef LEVELFIELD_WORKLOAD_TRACE_TRACE_CONVERT_H_
#define LEVELFIELD_WORKLOAD_TRACE_TRACE_CONVERT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/status.h"
#include "workload/trace/trace_text.h"

namespace levelfield {

struct ConvertedTrace {
  uint64_t lines = 0;  // Or records, of a recording that is no text.
  uint64_t records = 0;
  uint64_t keys = 0;
  std::map<std::string, uint64_t> left_out;  // Lines by kind.
  uint64_t went_back = 0;                    // Times before the one ahead of them;
  uint64_t furthest_back_ns = 0;             // they were replaced by it.
};

struct TraceConversion {
  TraceSource source = TraceSource::kCsv;
  std::string from;  // "-" is the standard input.
  std::string to;
  // Bytes of a value of which the recording does not say how many it has: RocksDB's queries do not
  // say it of reads.
  uint32_t value_size = 100;
};

// If a line or record is wrong, no file is made, and the error names line and column, or the byte.
// `go_on` is asked now and then.
StatusOr<ConvertedTrace> ConvertTrace(const TraceConversion& asked,
                                      const std::function<bool()>& go_on);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_CONVERT_H_
