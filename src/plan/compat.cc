#include "plan/compat.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "base/quote.h"
#include "base/text.h"
#include "workload/expected_state.h"
#include "workload/original_values.h"
#include "workload/workload_file.h"

namespace levelfield {
namespace {

// The benchmarks of a dialect: pairs of name and text.
std::vector<WorkloadText> ExactWorkloadsOf(const std::string& dialect) {
  constexpr std::string_view kHeading = "=== ";
  std::vector<WorkloadText> workloads;
  for (const auto& [name, text] : ExactWorkloads()) {
    if (name != dialect) continue;
    std::istringstream lines{std::string(text)};
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(kHeading)) {
        workloads.push_back({.name = line.substr(kHeading.size()), .text = ""});
      } else if (!workloads.empty()) {
        workloads.back().text += line + "\n";
      }
    }
  }
  return workloads;
}

// Whether it draws no keys and writes no values, so that an original could not do it differently.
bool DrawsNothing(const WorkloadText& source) {
  const StatusOr<Workload> workload =
      ParseWorkload(source.name, source.text, {.num = 1, .reads = 1, .value_size = 1});
  return workload.ok() && std::ranges::all_of(workload->roles, [](const Role& role) {
           return role.order == KeyOrder::kNone && !role.operation->writes() &&
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
    if (!role.operation->writes()) continue;
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
  if (own.ok() && DrawsNothing(*own)) return own;
  return Status::Usage(fmt::format(
      "--benchmarks: the original for {} has no benchmark {}{} With --compat=exact there are: {}.",
      settings.dialect, Quote(name), own.ok() ? "." : DidYouMean(name, names, "."),
      fmt::join(names, ", ")));
}

}  // namespace levelfield
