// The lines of recordings that others publish, and of our own, as operations (trace_file.h): what
// docs/reference/traces.md says of each, word for word. Pure; belongs to one thread.
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

enum class TraceSource { kTwitter, kMeta, kCsv };

// "twitter", "meta", "csv".
std::optional<TraceSource> TraceSourceOf(std::string_view name);
// In words, for the header of a trace.
std::string_view TraceSourceText(TraceSource source);
// Whether its times are whole seconds.
inline bool IsInSeconds(TraceSource source) { return source != TraceSource::kCsv; }

// What a line says.
struct TraceLine {
  std::string_view key;
  TraceRecord record;    // But for the key's number.
  uint64_t times = 1;    // So often; 0: the line names the columns.
  uint64_t misses = 0;   // The first so many of those found nothing.
  std::string left_out;  // What operation it is, where it is none that can be replayed.
};

class TraceText {
 public:
  explicit TraceText(TraceSource source) : source_(source) {}

  // The next line, without its end. Empty, or what is wrong with it and at which column.
  std::string Read(std::string_view line, TraceLine& out);

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
    size_t column = 0;  // Of its first character, from 1 on.
  };

  std::string ReadNames();
  std::string ReadTwitter(TraceLine& out);
  std::string ReadMeta(TraceLine& out);
  std::string ReadCsv(TraceLine& out);
  std::string Wrong(Column column, const std::string& what) const;
  std::optional<TraceOperation> ReadOperation() const;  // Nothing: the source has no such one.
  std::string NoSuchOperation() const;
  // Empty, or what is wrong. A column that the source lacks is `absent`.
  template <class Number>
  std::string ReadNumber(Column column, Number& out, uint64_t most, uint64_t absent = 0) const;
  std::string_view TextOf(Column column) const { return fields_[place_[column]].text; }
  bool Has(Column column) const { return place_[column] != kNowhere; }
  std::string_view NameOf(Column column) const;

  static constexpr size_t kNowhere = ~size_t{0};

  TraceSource source_;
  bool has_names_ = false;  // Of the columns, where the source has a line of those.
  std::array<size_t, kColumns> place_ = {};
  size_t columns_ = 0;
  std::vector<Field> fields_;  // Of the line.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_TRACE_TRACE_TEXT_H_
