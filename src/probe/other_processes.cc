#include "probe/other_processes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "base/whole_file.h"
#include "probe/resource_probe.h"

namespace levelfield {
namespace {

std::string FileOf(const ProcessId& id, std::string_view name) {
  return fmt::format("/proc/{}/{}", id.pid, name);
}

void Add(const Resources::Io& one, Resources::Io& sum) {
  sum.read_call_bytes += one.read_call_bytes;
  sum.write_call_bytes += one.write_call_bytes;
  sum.storage_read_bytes += one.storage_read_bytes;
  sum.dirtied_bytes += one.dirtied_bytes;
}

void Add(const Resources::Memory& one, Resources::Memory& sum) {
  sum.anonymous_bytes += one.anonymous_bytes;
  sum.file_bytes += one.file_bytes;
  sum.shared_bytes += one.shared_bytes;
  sum.proportional_bytes += one.proportional_bytes;
}

}  // namespace

void AddStat(std::string_view stat, double ticks_per_second, Resources& sum) {
  // proc(5): behind the name stand fields 3 to 9, then minflt, cminflt, majflt, cmajflt, utime,
  // stime, cutime, cstime. Those of c are of children that it has waited for.
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return;
  std::istringstream fields{std::string(stat.substr(name_end + 1))};
  std::string skipped;
  for (int field = 3; field < 10; ++field) fields >> skipped;
  uint64_t minor = 0, minor_of_ended = 0, major = 0, major_of_ended = 0;
  double user = 0, system = 0, user_of_ended = 0, system_of_ended = 0;
  fields >> minor >> minor_of_ended >> major >> major_of_ended;
  if (!(fields >> user >> system >> user_of_ended >> system_of_ended)) return;
  sum.minor_faults += minor + minor_of_ended;
  sum.major_faults += major + major_of_ended;
  sum.user_seconds += (user + user_of_ended) / ticks_per_second;
  sum.system_seconds += (system + system_of_ended) / ticks_per_second;
}

void AddThreadStatus(std::string_view status, Resources& sum) {
  sum.voluntary_switches += NumberBehind(status, "voluntary_ctxt_switches:").value_or(0);
  sum.involuntary_switches += NumberBehind(status, "nonvoluntary_ctxt_switches:").value_or(0);
}

void AddUseOf(const std::vector<ProcessId>& roots, Resources& sum) {
  const double ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  for (const ProcessId& one : TreesOf(roots)) {
    AddStat(ReadAll(FileOf(one, "stat")), ticks_per_second, sum);
    const auto io = ParseProcessIo(ReadAll(FileOf(one, "io")));
    if (io && sum.io) Add(*io, *sum.io);
    std::error_code error;
    for (std::filesystem::directory_iterator it(FileOf(one, "task"), error), end;
         !error && it != end; it.increment(error)) {
      AddThreadStatus(ReadAll(it->path().string() + "/status"), sum);
    }
  }
}

void AddMemoryOf(const std::vector<ProcessId>& roots, Resources& sum) {
  for (const ProcessId& one : TreesOf(roots)) {
    const std::string status = ReadAll(FileOf(one, "status"));
    sum.peak_resident_bytes += NumberBehind(status, "VmHWM:").value_or(0) << 10;
    const auto memory = ParseMemory(status, ReadAll(FileOf(one, "smaps_rollup")));
    if (memory && sum.memory) Add(*memory, *sum.memory);
  }
}

void ForgetPeaksOf(const std::vector<ProcessId>& roots) {
  for (const ProcessId& one : TreesOf(roots)) std::ofstream(FileOf(one, "clear_refs")) << "5";
}

}  // namespace levelfield
