#include "plan/compat.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "workload/expected_state.h"
#include "workload/original_values.h"
#include "workload/workload_file.h"

namespace levelfield {
namespace {

constexpr std::string_view kHeading = "=== ";
// The benchmarks of a dialect: (name, text).
std::vector<WorkloadText> ExactWorkloadsOf(const std::string& dialect) {
  std::vector<WorkloadText> workloads;
  for (const auto& [name, text] : ExactWorkloads()) {
    if (name != dialect) continue;
    size_t at = text.find(kHeading);
    while (at != std::string_view::npos) {
      const size_t end_of_line = text.find('\n', at);
      const size_t next = text.find("\n" + std::string(kHeading), end_of_line);
      const size_t end = next == std::string_view::npos ? text.size() : next + 1;
      workloads.push_back(
          {.name =
               std::string(text.substr(at + kHeading.size(), end_of_line - at - kHeading.size())),
           .text = std::string(text.substr(end_of_line + 1, end - end_of_line - 1))});
      at = next == std::string_view::npos ? next : end;
    }
  }
  return workloads;
}

// Whether there is nothing in it that an original could have done with other keys or values.
bool DrawsNothing(const WorkloadText& source) {
  const StatusOr<Workload> workload =
      ParseWorkload(source.name, source.text, {.num = 1, .reads = 1, .value_size = 1});
  return workload.ok() && std::ranges::all_of(workload->roles, [](const Role& role) {
           return role.order == KeyOrder::kNone && !role.operation->writes &&
                  !role.operation->is_scan();
         });
}

Status Refused(const std::string& what) { return Status::Usage("--compat=exact: " + what); }

}  // namespace

Status CheckCompat(const Settings& settings) {
  if (!IsExact(settings)) return Status::Ok();
  std::vector<std::string> dialects;
  for (const auto& [name, text] : ExactWorkloads()) dialects.emplace_back(name);
  if (std::ranges::find(dialects, settings.dialect) == dialects.end()) {
    return Refused("RocksDB's db_bench draws from the clock; there is no stream to repeat");
  }
  return Status::Ok();
}

Status CheckExact(const Workload& workload, const Settings& settings) {
  if (!IsExact(settings)) return Status::Ok();
  for (const Role& role : workload.roles) {
    if (!role.operation->writes) continue;
    if (role.value_size.vary()) {
      return Refused(workload.name +
                     " writes values whose sizes vary, which no original that is repeated does");
    }
    if (role.value_size.most() > OriginalValues::kMostValueBytes) {
      return Refused(fmt::format(
          "{} writes values of {} bytes; the original takes its values from a buffer of {}, and "
          "reads past its end for larger ones",
          workload.name, role.value_size.most(), OriginalValues::kMostValueBytes));
    }
    if (role.range > ExpectedState::kMostRemembered) {
      return Refused(fmt::format(
          "{} writes to {} keys, of each of which the last write is remembered in 4 bytes; {} are "
          "the most",
          workload.name, role.range, ExpectedState::kMostRemembered));
    }
    if (role.operation->mixes) {
      return Refused(
          fmt::format("{} gets and puts in one thread, which no original does", workload.name));
    }
  }
  return Status::Ok();
}

StatusOr<WorkloadText> FindExactWorkload(const std::string& name, const Settings& settings) {
  std::vector<std::string> names;
  for (WorkloadText& workload : ExactWorkloadsOf(settings.dialect)) {
    if (workload.name == name) return std::move(workload);
    names.push_back(std::move(workload.name));
  }
  StatusOr<WorkloadText> own = FindWorkload(name);
  if (name.ends_with(".workload") || (own.ok() && DrawsNothing(*own))) return own;
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  return Status::Usage(fmt::format(
      "--benchmarks: the original for {} has no benchmark {}{} With --compat=exact there are: {}.",
      settings.dialect, Quote(name), own.ok() ? "." : DidYouMean(name, names, "."), list));
}

}  // namespace levelfield
