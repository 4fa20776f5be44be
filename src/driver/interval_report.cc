#include "driver/interval_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

constexpr std::string_view kHeader =
    "engine,benchmark,secs_elapsed,interval_seconds,operations,ops_per_second";
constexpr std::string_view kHeaderOfRocksDb = "secs_elapsed,interval_qps";

// Whether the file is such a report, of an earlier run or of RocksDB's db_bench.
bool IsReport(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) && (line == kHeader || line == kHeaderOfRocksDb);
}

double Seconds(uint64_t ns) { return static_cast<double>(ns) * 1e-9; }

}  // namespace

StatusOr<IntervalReport> IntervalReport::Create(const std::string& path, double interval_seconds,
                                                bool replaces) {
  File file(std::fopen(path.c_str(), replaces && IsReport(path) ? "we" : "wxe"), std::fclose);
  if (file == nullptr) {
    const char* const next = errno == EEXIST ? "; name another file, or move it away" : "";
    return Status::Usage(fmt::format("--report_file={}: cannot make it: {}{}", Printable(path),
                                     std::strerror(errno), next));
  }
  IntervalReport report(path, std::move(file), interval_seconds);
  (void)std::fputs((std::string(kHeader) + "\n").c_str(), report.file_.get());
  return report;
}

void IntervalReport::Begin(const std::string& engine, const std::string& workload,
                           uint64_t now_ns) {
  names_ = CsvField(engine) + "," + CsvField(workload);
  begun_ns_ = written_ns_ = now_ns;
  written_operations_ = ended_ns_ = 0;
}

void IntervalReport::Progress(uint64_t operations, uint64_t now_ns) {
  if (names_.empty() || ended_ns_ != 0) return;
  if (Seconds(now_ns - written_ns_) >= interval_seconds_) Write(operations, now_ns);
}

void IntervalReport::End(uint64_t now_ns) {
  if (!names_.empty() && ended_ns_ == 0) ended_ns_ = now_ns;
}

void IntervalReport::Complete(uint64_t operations) {
  if (names_.empty()) return;
  if (operations > written_operations_) {
    Write(operations, std::max(ended_ns_, written_ns_ + 1));
  }
  names_.clear();
}

void IntervalReport::Write(uint64_t operations, uint64_t now_ns) {
  const double seconds = Seconds(now_ns - written_ns_);
  const uint64_t more = operations - std::min(operations, written_operations_);
  const std::string line =
      fmt::format("{},{:.3f},{:.3f},{},{:.1f}\n", names_, Seconds(now_ns - begun_ns_), seconds,
                  more, static_cast<double>(more) / seconds);
  const bool is_written =
      std::fputs(line.c_str(), file_.get()) >= 0 && std::fflush(file_.get()) == 0;
  if (!is_written && status_.ok()) {
    status_ = Status::Failed(
        fmt::format("cannot write to {}: {}", Printable(path_), std::strerror(errno)));
  }
  written_ns_ = now_ns;
  written_operations_ = operations;
}

}  // namespace levelfield
