#include "workload/trace/trace_convert.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/quote.h"
#include "base/unique_fd.h"
#include "workload/trace/trace_binary.h"
#include "workload/trace/trace_writer.h"

namespace levelfield {
namespace {

constexpr size_t kMostLineBytes = 64 << 10;
constexpr size_t kTextBufferBytes = size_t{1} << 20;
constexpr size_t kMostLeftOut = 100;  // Kinds that are counted apart.

// The lines of a file. Each is valid until the next is asked for.
class Lines {
 public:
  explicit Lines(UniqueFd fd) : fd_(std::move(fd)), buffer_(kTextBufferBytes) {}

  // The next line without its end; empty at the end of the file or on an error, see error().
  std::optional<std::string_view> Next() {
    for (;;) {
      const char* const begin = buffer_.data() + at_;
      const void* const end = std::memchr(begin, '\n', end_ - at_);
      if (end != nullptr || (is_over_ && at_ < end_)) {
        const size_t size = end != nullptr
                                ? static_cast<size_t>(static_cast<const char*>(end) - begin)
                                : end_ - at_;
        if (size > kMostLineBytes) break;
        at_ += std::min(size + 1, end_ - at_);
        return std::string_view(begin, size);
      }
      if (is_over_ || !error_.empty()) return std::nullopt;
      if (end_ - at_ > kMostLineBytes) break;
      Fill();
    }
    error_ =
        fmt::format("column {}: the line is longer than {} bytes, which that of a trace is not",
                    kMostLineBytes, kMostLineBytes);
    return std::nullopt;
  }

  const std::string& error() const { return error_; }

 private:
  void Fill() {
    std::memmove(buffer_.data(), buffer_.data() + at_, end_ - at_);
    end_ -= at_;
    at_ = 0;
    ssize_t n = 0;
    do {
      n = read(fd_.get(), buffer_.data() + end_, buffer_.size() - end_);
    } while (n < 0 && errno == EINTR);
    if (n < 0) error_ = std::strerror(errno);
    is_over_ = n == 0;
    end_ += n > 0 ? static_cast<size_t>(n) : 0;
  }

  UniqueFd fd_;
  std::vector<char> buffer_;
  size_t at_ = 0;
  size_t end_ = 0;
  bool is_over_ = false;
  std::string error_;
};

// Takes operations to the writer, and counts those that are left out.
class Sink {
 public:
  Sink(const TraceConversion& asked, TraceWriter& writer) : asked_(asked), writer_(writer) {}

  Status Take(std::string_view key, const TraceRecord& record) { return writer_.Add(key, record); }
  // Of a source that does not tell the size of what reads found.
  Status Take(TraceEntry& entry) {
    if (!entry.left_out.empty()) {
      LeaveOut(entry.left_out);
      return Status::Ok();
    }
    const bool reads = entry.record.operation == TraceOperation::kGet ||
                       entry.record.operation == TraceOperation::kSeek;
    if (reads && entry.record.value_size == 0) {
      entry.record.value_size = asked_.value_size;
    }
    return writer_.Add(entry.key, entry.record);
  }
  void LeaveOut(const std::string& what) {
    ++left_out_;
    const bool is_known = converted.left_out.contains(what);
    ++converted.left_out[is_known || converted.left_out.size() < kMostLeftOut ? what : "others"];
  }
  // After each line or record; false: it is to end.
  bool GoesOn(const std::function<bool()>& go_on) {
    return ++converted.lines % 65'536 != 0 || go_on();
  }
  uint64_t left_out() const { return left_out_; }
  TraceWriter& writer() { return writer_; }

  ConvertedTrace converted;

 private:
  const TraceConversion& asked_;
  TraceWriter& writer_;
  uint64_t left_out_ = 0;
};

// What is read of the next line goes to the sink. Returns nothing, or what is wrong with it.
using LineReading = std::function<StatusOr<std::string>(std::string_view line)>;

Status ConvertLines(const TraceConversion& asked, UniqueFd fd, Sink& sink, const LineReading& read,
                    const std::function<bool()>& go_on) {
  Lines lines(std::move(fd));
  const auto wrong = [&](const std::string& what) {
    return Status::Usage(
        fmt::format("{}, line {}, {}", Printable(asked.from), sink.converted.lines + 1, what));
  };
  while (const std::optional<std::string_view> line = lines.Next()) {
    ASSIGN_OR_RETURN(const std::string what, read(*line));
    if (!what.empty()) return wrong(what);
    if (!sink.GoesOn(go_on)) return Status::Interrupted("interrupted");
  }
  return lines.error().empty() ? Status::Ok() : wrong(lines.error());
}

Status ConvertText(const TraceConversion& asked, UniqueFd fd, Sink& sink,
                   const std::function<bool()>& go_on) {
  if (asked.source == TraceSource::kRocksDbText) {
    TraceEntry entry;
    const auto read = [&](std::string_view line) -> StatusOr<std::string> {
      std::string what = ReadRocksDbLine(line, entry);
      if (what.empty()) RETURN_IF_ERROR(sink.Take(entry));
      return what;
    };
    return ConvertLines(asked, std::move(fd), sink, read, go_on);
  }
  TraceText text(asked.source);
  TraceLine line;
  const auto read = [&](std::string_view bytes) -> StatusOr<std::string> {
    std::string what = text.Read(bytes, line);
    if (!what.empty()) return what;
    if (!text.has_times()) sink.writer().HasNoTimes();
    if (!line.left_out.empty()) {
      sink.LeaveOut(line.left_out);
      return what;
    }
    for (uint64_t i = 0; i < line.times; ++i) {
      line.record.is_miss = i < line.misses;
      RETURN_IF_ERROR(sink.Take(line.key, line.record));
    }
    return what;
  };
  return ConvertLines(asked, std::move(fd), sink, read, go_on);
}

// Returns what kind of recording it is.
StatusOr<std::string> ConvertBinary(const TraceConversion& asked, UniqueFd fd, Sink& sink,
                                    const std::function<bool()>& go_on) {
  BinaryTrace trace(asked.source, std::move(fd));
  std::vector<TraceEntry> entries;
  for (;;) {
    if (const std::string what = trace.Read(entries); !what.empty()) {
      return Status::Usage(fmt::format("{}, {}", Printable(asked.from), what));
    }
    if (trace.is_over()) return std::string(trace.kind());
    for (TraceEntry& entry : entries) RETURN_IF_ERROR(sink.Take(entry));
    if (!sink.GoesOn(go_on)) return Status::Interrupted("interrupted");
  }
}

}  // namespace

StatusOr<ConvertedTrace> ConvertTrace(const TraceConversion& asked,
                                      const std::function<bool()>& go_on) {
  const std::string& from = asked.from;
  UniqueFd fd(from == "-" ? dup(STDIN_FILENO) : open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.ok()) {
    return Status::Usage(
        fmt::format("{}: cannot be opened: {}", Printable(from), std::strerror(errno)));
  }
  ASSIGN_OR_RETURN(TraceWriter writer, TraceWriter::Create(asked.to, IsInSeconds(asked.source)));
  Sink sink(asked, writer);
  std::string kind(TraceSourceText(asked.source));
  if (IsText(asked.source)) {
    RETURN_IF_ERROR(ConvertText(asked, std::move(fd), sink, go_on));
  } else {
    ASSIGN_OR_RETURN(kind, ConvertBinary(asked, std::move(fd), sink, go_on));
  }
  ConvertedTrace& converted = sink.converted;
  if (writer.records() == 0) {
    return Status::Usage(fmt::format("{}: has no operations: {} lines, {} of them left out",
                                     Printable(from), converted.lines, sink.left_out()));
  }
  const std::string name = std::filesystem::path(from).filename().string();
  RETURN_IF_ERROR(writer.Finish(
      fmt::format("{}, {}", kind, Printable(from == "-" ? "a pipe" : name)), sink.left_out()));
  converted.records = writer.records();
  converted.keys = writer.keys();
  converted.went_back = writer.went_back();
  converted.furthest_back_ns = writer.furthest_back_ns();
  return std::move(converted);
}

}  // namespace levelfield
