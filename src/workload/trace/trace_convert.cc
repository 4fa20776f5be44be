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

}  // namespace

StatusOr<ConvertedTrace> ConvertTrace(TraceSource source, const std::string& from,
                                      const std::string& to, const std::function<bool()>& go_on) {
  UniqueFd fd(from == "-" ? dup(STDIN_FILENO) : open(from.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.ok()) {
    return Status::Usage(
        fmt::format("{}: cannot be opened: {}", Printable(from), std::strerror(errno)));
  }
  ASSIGN_OR_RETURN(TraceWriter writer, TraceWriter::Create(to, IsInSeconds(source)));
  Lines lines(std::move(fd));
  TraceText text(source);
  TraceLine line;
  ConvertedTrace converted;
  uint64_t left_out = 0;
  const auto wrong = [&](const std::string& what) {
    return Status::Usage(fmt::format("{}, line {}, {}", Printable(from), converted.lines, what));
  };
  while (const std::optional<std::string_view> bytes = lines.Next()) {
    ++converted.lines;
    if (const std::string what = text.Read(*bytes, line); !what.empty()) return wrong(what);
    if (!line.left_out.empty()) {
      ++left_out;
      const bool is_known = converted.left_out.contains(line.left_out);
      ++converted.left_out[is_known || converted.left_out.size() < kMostLeftOut ? line.left_out
                                                                                : "others"];
      continue;
    }
    for (uint64_t i = 0; i < line.times; ++i) {
      line.record.is_miss = i < line.misses;
      RETURN_IF_ERROR(writer.Add(line.key, line.record));
    }
    if (converted.lines % 65'536 == 0 && !go_on()) return Status::Interrupted("interrupted");
  }
  if (!lines.error().empty()) {
    ++converted.lines;
    return wrong(lines.error());
  }
  if (writer.records() == 0) {
    return Status::Usage(fmt::format("{}: has no operations: {} lines, {} of them left out",
                                     Printable(from), converted.lines, left_out));
  }
  const std::string name = std::filesystem::path(from).filename().string();
  RETURN_IF_ERROR(writer.Finish(
      fmt::format("{}, {}", TraceSourceText(source), Printable(from == "-" ? "a pipe" : name)),
      left_out));
  converted.records = writer.records();
  converted.keys = writer.keys();
  converted.went_back = writer.went_back();
  converted.furthest_back_ns = writer.furthest_back_ns();
  return converted;
}

}  // namespace levelfield
