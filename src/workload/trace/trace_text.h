// Turns lines of our own and of published recordings into operations (trace_file.h), exactly as
// docs/reference/traces.md describes each. Pure; belongs to one thread.
#ifndef LEVELFIELD_WORKLOAD_TRACE_TRACE_TEXT_H_
#define LEVELFIELD_WORKLOAD_TRACE_TRACE_TEXT_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/trace/trace_file.h"

namespace levelfield {

// kRocksDb and kOracleGeneral are no text (trace_binary.h).
enum class TraceSource { kTwitter, kMeta, kCsv, kRocksDb, kRocksDbText, kOracleGeneral };

// "twitter", "meta", "csv", "rocksdb", "rocksdb-text", "oracle-general".
std::optional<TraceSource> TraceSourceOf(std::string_view name);
std::vector<std::string> TraceSourceNames();
// A description for the header of a trace.
std::string_view TraceSourceText(TraceSource source);
inline bool IsText(TraceSource source) {
  return source != TraceSource::kRocksDb && source != TraceSource::kOracleGeneral;
}
// Whether its times are whole seconds.
inline bool IsInSeconds(TraceSource source) {
  return source == TraceSource::kTwitter || source == TraceSource::kMeta ||
         source == TraceSource::kOracleGeneral;
}

// What one line says.
struct TraceLine {
  std::string_view key;
  TraceRecord record;    // Without the key's number.
  uint64_t times = 1;    // Repetitions; 0: the line names the columns.
  uint64_t misses = 0;   // The first so many of those found nothing.
  std::string left_out;  // The operation's name, if it cannot be replayed.
};

class TraceText {
 public:
  explicit TraceText(TraceSource source) : source_(source) {}

  // Reads the next line, without its end. Returns nothing, or what is wrong and in which column.
  std::string Read(std::string_view line, TraceLine& out);
  // Whether lines have times, once the line that names the columns has been read.
  bool has_times() const { return has_times_; }

 private:
  enum Column : size_t {
    kTime,
    kKey,
    kKeySize,
    kOp,
    kCount,
    kSize,
    kHits,
    kTtl,
    kClient,
    kColumns
  };

  struct Field {
    std::string_view text;
    size_t column = 0;  // Where its first character is, from 1 on.
  };

  std::string ReadNames();
  std::string ReadTwitter(TraceLine& out);
  std::string ReadMeta(TraceLine& out);
  std::string ReadCsv(TraceLine& out);
  std::string Wrong(Column column, const std::string& what) const;
  std::optional<TraceOperation> ReadOperation() const;  // Empty: the source has no such operation.
  std::string NoSuchOperation() const;
  // Returns nothing, or what is wrong. `absent` stands in for a column that the source lacks.
  template <class Number>
  std::string ReadNumber(Column column, Number& out, uint64_t most, uint64_t absent = 0) const;
  std::string_view TextOf(Column column) const { return fields_[place_[column]].text; }
  bool Has(Column column) const { return place_[column] != kNowhere; }
  std::string_view NameOf(Column column) const;

  static constexpr size_t kNowhere = ~size_t{0};

  TraceSource source_;
  bool has_names_ = false;  // A source may have a line that names its columns.
  bool has_times_ = true;
  std::array<size_t, kColumns> place_ = {};
  size_t columns_ = 0;
  std::vector<Field> fields_;  // The fields of the line.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_TEXT_H_
