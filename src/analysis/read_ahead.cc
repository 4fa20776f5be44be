#include "analysis/read_ahead.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/quote.h"
#include "base/text.h"

namespace levelfield {
namespace {

// What the operations asked for: the entries that they read or wrote.
double AskedBytes(const PhaseResult& phase) {
  constexpr uint64_t kPageBytes = 4096;
  uint64_t bytes = 0;
  for (const RoleResult& role : phase.roles) {
    for (const OperationStatistics& stats : role.statistics) {
      bytes += stats.bytes + stats.misses * kPageBytes;
    }
  }
  return static_cast<double>(bytes);
}

// 16 KiB. https://www.mongodb.com/docs/manual/administration/production-notes/ advises 8 to 32
// sectors of 512 bytes.
constexpr uint64_t kAdvisedSectors = 32;

}  // namespace

std::optional<ReadAhead> ReadAheadOf(const RunResult& run, const PhaseResult& phase) {
  constexpr double kDecides = 30;
  if (phase.outcome != Outcome::kOk || !phase.resources || !phase.resources->io) {
    return std::nullopt;
  }
  if (!run.no_readahead.empty() && OwnMeansOf(run).empty()) return std::nullopt;
  const Resources::Io& io = *phase.resources->io;
  const uint64_t faults = phase.resources->major_faults;
  const double asked = AskedBytes(phase);
  const auto fetched = static_cast<double>(io.storage_read_bytes);
  const bool is_by_calls = io.storage_read_bytes <= 2 * io.read_call_bytes;
  if (faults == 0 || is_by_calls || fetched <= kDecides * asked || asked == 0) return std::nullopt;
  return ReadAhead{.per_byte = fetched / asked,
                   .per_fault = (fetched - static_cast<double>(io.read_call_bytes)) /
                                static_cast<double>(faults)};
}

std::string OwnMeansOf(const RunResult& run) {
  std::vector<std::string> words;
  for (const auto& [name, value] : run.no_readahead) {
    if (TextIn(run.settings, name) == value) continue;
    words.push_back(fmt::format("--{}.{}={}", EngineName(run.engine), name, value));
  }
  return Joined(words, " ");
}

std::string LimitReadAhead(const Result& result, const RunResult& run) {
  const bool is_less = result.read_ahead_kb * 2 <= kAdvisedSectors;  // Two sectors a KB.
  if (result.block_device.empty() || is_less || run.file_system) return "";
  return fmt::format("sudo blockdev --setra {} /dev/{}", kAdvisedSectors, result.block_device);
}

std::optional<Remark> FindReadAhead(const Result& result, const std::vector<const Series*>& all) {
  Remark remark{.kind = RemarkKind::kReadAhead};
  std::vector<std::string> means;
  std::string limit;
  for (const Series* const series : all) {
    std::vector<RemarkCase> cases;
    double most = 0;
    for (size_t place = 0; place < series->sum.phases.size(); ++place) {
      const PhaseResult* const phase = series->MiddleRound(place);
      if (phase == nullptr || phase->implicit || phase->repetition.warm_up) continue;
      const std::optional<ReadAhead> found = ReadAheadOf(series->sum, *phase);
      if (!found) continue;
      most = std::max(most, found->per_byte);
      cases.push_back({.engine = Printable(RunName(series->sum.engine, series->sum.variant)),
                       .workload = Printable(phase->workload),
                       .place = place});
    }
    if (cases.empty()) continue;
    cases.front().numbers = {{"fetched", most, RemarkUnit::kTimes}};
    std::ranges::move(cases, std::back_inserter(remark.cases));
    if (std::string own = OwnMeansOf(series->sum); !own.empty()) AddOnce(means, Printable(own));
    if (limit.empty()) limit = Printable(LimitReadAhead(result, series->sum));
  }
  if (remark.cases.empty()) return std::nullopt;
  if (!limit.empty()) {
    remark.numbers = {
        {"kilobytes", static_cast<double>(result.read_ahead_kb), RemarkUnit::kKilobytes}};
  }
  remark.texts = {
      {"device", Printable(result.block_device)}, {"means", Listed(means)}, {"limit", limit}};
  return remark;
}

}  // namespace levelfield
