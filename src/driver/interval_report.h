// The rate of each interval of each workload as CSV: one file for the whole run, with a column for
// the workload and rates a second. The last interval of a workload may be short. Times are those of
// the worker's messages, ten a second. One thread.
#ifndef LEVELFIELD_DRIVER_INTERVAL_REPORT_H_
#define LEVELFIELD_DRIVER_INTERVAL_REPORT_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "base/status.h"

namespace levelfield {

class IntervalReport {
 public:
  // Refuses an existing file, because it belongs to somebody; but `replaces` an earlier report, as
  // RocksDB's db_bench does.
  static StatusOr<IntervalReport> Create(const std::string& path, double interval_seconds,
                                         bool replaces = false);

  // The workload begins, has done so many operations, and has ended.
  void Begin(const std::string& engine, const std::string& workload, uint64_t now_ns);
  void Progress(uint64_t operations, uint64_t now_ns);
  void End(uint64_t now_ns);
  // Its total, for the last interval. Nothing if it never ran.
  void Complete(uint64_t operations);

  // The first error of writing a line.
  const Status& status() const { return status_; }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  IntervalReport(std::string path, File file, double interval_seconds)
      : path_(std::move(path)), file_(std::move(file)), interval_seconds_(interval_seconds) {}

  void Write(uint64_t operations, uint64_t now_ns);

  std::string path_;
  File file_;
  double interval_seconds_;
  Status status_ = Status::Ok();
  std::string names_;
  uint64_t begun_ns_ = 0;
  uint64_t written_ns_ = 0;
  uint64_t written_operations_ = 0;
  uint64_t ended_ns_ = 0;  // 0: it runs, or none has begun.
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_INTERVAL_REPORT_H_
