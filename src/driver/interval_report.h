// The rate of each interval of each workload, as CSV: one file for the whole run, a column that
// names the workload, rates a second, and the last interval of each, however short. Times are those
// at which the driver hears of the worker, ten times a second. One thread.
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
  // A file that is there already is somebody's, and refused.
  static StatusOr<IntervalReport> Create(const std::string& path, double interval_seconds);

  // The workload runs; what it has done so far; and that it does no more.
  void Begin(const std::string& engine, const std::string& workload, uint64_t now_ns);
  void Progress(uint64_t operations, uint64_t now_ns);
  void End(uint64_t now_ns);
  // What it did in all, for the last interval; nothing where it never ran.
  void Complete(uint64_t operations);

  // The first line that could not be written.
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
  uint64_t ended_ns_ = 0;  // 0: it runs, or nothing has begun.
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_INTERVAL_REPORT_H_
