#include "report/ycsb/ycsb_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "base/text.h"

namespace levelfield {
namespace {

constexpr uint64_t kNsOfMicro = 1000;
constexpr uint64_t kNsOfMilli = 1'000'000;

// One line: where it belongs, what it is, and its number.
struct YcsbLine {
  std::string metric;
  std::string measurement;
  std::string value;
};

constexpr std::string_view kModifies = "READ-MODIFY-WRITE";

struct YcsbKindName {
  std::string_view operation;
  std::string_view name;
  std::string_view name_of_load = name;
};
// A put is an update that writes the whole record, but in a load.
constexpr YcsbKindName kYcsbNames[] = {{"get", "READ"},      {"put", "UPDATE", "INSERT"},
                                       {"update", "UPDATE"}, {"insert", "INSERT"},
                                       {"scan", "SCAN"},     {"rmw", kModifies}};

// The greatest value of the bucket in which the share of the values ends, in microseconds.
uint64_t MicrosAt(const SparseHistogram& latency_ns, double share) {
  const auto wanted = static_cast<uint64_t>(
      std::max(1.0, std::ceil(share * static_cast<double>(latency_ns.Count()) - 1e-6)));
  uint64_t below = 0;
  for (const auto& [bucket, count] : latency_ns.NonEmpty()) {
    below += count;
    if (below < wanted) continue;
    return std::min(Histogram::HighestOf(bucket), latency_ns.Max()) / kNsOfMicro;
  }
  return latency_ns.Count() == 0 ? 0 : latency_ns.Max() / kNsOfMicro;
}

double MeanMicros(const SparseHistogram& latency_ns) {
  return static_cast<double>(latency_ns.Sum()) / static_cast<double>(latency_ns.Count()) /
         kNsOfMicro;
}

// Of a bucket's middle, within what was seen.
uint64_t NsOf(const SparseHistogram& latency_ns, uint64_t bucket) {
  return std::clamp(Histogram::MiddleOf(bucket), latency_ns.Min(), latency_ns.Max());
}

// "95th", "1st"; "99.9" where it is no whole number.
std::string Ordinal(double percentile) {
  const auto whole = static_cast<int>(percentile);
  if (percentile != whole) return JavaDouble(percentile);
  constexpr std::string_view kEndings[] = {"th", "st", "nd", "rd"};
  const bool is_teen = whole % 100 >= 11 && whole % 100 <= 13;
  return fmt::format("{}{}", whole, is_teen || whole % 10 > 3 ? "th" : kEndings[whole % 10]);
}

// The operations as YCSB counts them: what is timed of a read-modify-write by itself is among the
// reads and among the updates, too.
std::vector<OperationStatistics> AsYcsbCounts(const RoleResult& role, bool loads) {
  std::vector<OperationStatistics> counted = role.statistics;
  for (const OperationPart& part : role.parts) {
    const auto whole =
        std::ranges::find(role.statistics, part.operation, &OperationStatistics::operation);
    if (whole == role.statistics.end()) continue;
    const std::string_view name = YcsbNameOf(part.part, loads);
    auto same = std::ranges::find_if(counted, [&](const OperationStatistics& stats) {
      return YcsbNameOf(stats.operation, loads) == name;
    });
    if (same == counted.end()) {
      same = counted.insert(same, {.operation = part.part, .latency_ns = SparseHistogram()});
    }
    same->operations += whole->operations;
    same->hits += whole->hits;
    same->misses += part.part == "get" ? whole->misses : 0;
    same->latency_ns->Merge(part.latency_ns);
  }
  return counted;
}

class LineWriter {
 public:
  LineWriter(bool loads, const YcsbOutput& output, std::span<const PhaseInterval> intervals)
      : loads_(loads), output_(output), intervals_(intervals) {}

  std::vector<YcsbLine> Write(const PhaseResult& phase) {
    const RoleResult& role = phase.roles.front();
    const auto run_time = static_cast<uint64_t>(std::llround(role.seconds * 1000));
    Add("OVERALL", "RunTime(ms)", std::to_string(run_time));
    Add("OVERALL", "Throughput(ops/sec)", JavaDouble(role.OperationsPerSecond()));
    uint64_t read = 0;
    for (const OperationStatistics& stats : role.statistics) {
      read += stats.Does(Effect::kReads) ? stats.hits : 0;
    }
    for (const OperationStatistics& stats : AsYcsbCounts(role, loads_)) {
      if (stats.operations != 0 && stats.latency_ns) AddKind(stats);
    }
    if (output_.verifies && read != 0) Add("VERIFY", "Return=OK", std::to_string(read));
    return std::move(lines_);
  }

 private:
  void Add(const std::string& metric, std::string_view measurement, std::string value) {
    lines_.push_back({metric, std::string(measurement), std::move(value)});
  }

  void AddKind(const OperationStatistics& stats) {
    const std::string name(YcsbNameOf(stats.operation, loads_));
    const SparseHistogram& intended = stats.response_ns ? *stats.response_ns : *stats.latency_ns;
    if (output_.latency == YcsbLatency::kIntended) return AddSeries(name, stats, intended);
    AddSeries(name, stats, *stats.latency_ns);
    if (output_.latency != YcsbLatency::kBoth) return;
    is_second_ = true;  // YCSB counts answers once.
    AddSeries("Intended-" + name, stats, intended);
    is_second_ = false;
  }

  void AddSeries(const std::string& name, const OperationStatistics& stats,
                 const SparseHistogram& latency_ns) {
    const bool is_both = output_.measurement == YcsbMeasurement::kHdrAndBuckets;
    if (output_.measurement == YcsbMeasurement::kHdr || is_both) {
      AddHdr(is_both ? "Hdr" + name : name, stats, latency_ns);
    }
    if (output_.measurement == YcsbMeasurement::kBuckets || is_both) {
      const bool was_second = std::exchange(is_second_, is_second_ || is_both);
      AddBuckets(is_both ? "Bucket" + name : name, stats, latency_ns);
      is_second_ = was_second;
    }
    if (output_.measurement == YcsbMeasurement::kSeries) AddTimes(name, stats, latency_ns);
  }

  void AddHead(const std::string& name, const SparseHistogram& latency_ns, bool has_variance) {
    Add(name, "Operations", std::to_string(latency_ns.Count()));
    Add(name, "AverageLatency(us)", JavaDouble(MeanMicros(latency_ns)));
    if (has_variance) Add(name, "LatencyVariance(us)", JavaDouble(VarianceOf(latency_ns)));
    Add(name, "MinLatency(us)", std::to_string(latency_ns.Min() / kNsOfMicro));
    Add(name, "MaxLatency(us)", std::to_string(latency_ns.Max() / kNsOfMicro));
  }

  // From the buckets, each at its middle.
  static double VarianceOf(const SparseHistogram& latency_ns) {
    double sum = 0;
    const double mean = MeanMicros(latency_ns);
    for (const auto& [bucket, count] : latency_ns.NonEmpty()) {
      const double distance = static_cast<double>(NsOf(latency_ns, bucket)) / kNsOfMicro - mean;
      sum += distance * distance * static_cast<double>(count);
    }
    return sum / static_cast<double>(latency_ns.Count());
  }

  // A read-modify-write is two answers in YCSB, which are counted there.
  void AddAnswers(const std::string& name, const OperationStatistics& stats) {
    if (is_second_ || YcsbNameOf(stats.operation, loads_) == kModifies) return;
    if (stats.hits != 0) Add(name, "Return=OK", std::to_string(stats.hits));
    if (stats.misses != 0) Add(name, "Return=NOT_FOUND", std::to_string(stats.misses));
  }

  void AddHdr(const std::string& name, const OperationStatistics& stats,
              const SparseHistogram& latency_ns) {
    AddHead(name, latency_ns, false);
    for (const double percentile : output_.percentiles) {
      Add(name, Ordinal(percentile) + "PercentileLatency(us)",
          std::to_string(MicrosAt(latency_ns, percentile / 100)));
    }
    AddAnswers(name, stats);
    if (!output_.has_all_buckets) return;
    std::map<uint64_t, uint64_t> of_micros;
    for (const auto& [bucket, count] : latency_ns.NonEmpty()) {
      of_micros[NsOf(latency_ns, bucket) / kNsOfMicro] += count;
    }
    for (const auto& [micros, count] : of_micros) {
      Add(name, std::to_string(micros), JavaDouble(static_cast<double>(count)));
    }
  }

  // Buckets of a millisecond.
  void AddBuckets(const std::string& name, const OperationStatistics& stats,
                  const SparseHistogram& latency_ns) {
    AddHead(name, latency_ns, true);
    std::vector<uint64_t> counts(output_.buckets);
    uint64_t beyond = 0;
    for (const auto& [bucket, count] : latency_ns.NonEmpty()) {
      const uint64_t millis = NsOf(latency_ns, bucket) / kNsOfMilli;
      (millis < counts.size() ? counts[millis] : beyond) += count;
    }
    for (const double share : {0.95, 0.99}) {
      const uint64_t micros = MicrosAt(latency_ns, share) / 1000 * 1000;
      if (micros / 1000 >= counts.size()) continue;
      Add(name, Ordinal(share * 100) + "PercentileLatency(us)", std::to_string(micros));
    }
    AddAnswers(name, stats);
    if (!output_.has_all_buckets) return;
    for (size_t i = 0; i < counts.size(); ++i) {
      Add(name, std::to_string(i), std::to_string(counts[i]));
    }
    Add(name, fmt::format(">{}", counts.size()), std::to_string(beyond));
  }

  // The mean of each interval, by the milliseconds at which it began.
  void AddTimes(const std::string& name, const OperationStatistics& stats,
                const SparseHistogram& latency_ns) {
    AddHead(name, latency_ns, false);
    AddAnswers(name, stats);
    for (size_t i = 0; i < intervals_.size(); ++i) {
      if (intervals_[i].roles.empty()) continue;
      const auto& lanes = intervals_[i].roles.front().statistics;
      const auto lane = std::ranges::find(lanes, stats.operation, &StatisticsInterval::operation);
      if (lane == lanes.end()) continue;
      const bool is_intended = &latency_ns != &*stats.latency_ns;
      const SparseHistogram& of_interval =
          is_intended && lane->response_ns ? *lane->response_ns : lane->latency_ns;
      if (of_interval.Count() == 0) continue;
      Add(name, std::to_string(i * output_.granularity_ms), JavaDouble(MeanMicros(of_interval)));
    }
  }

  const bool loads_;
  const YcsbOutput& output_;
  const std::span<const PhaseInterval> intervals_;
  bool is_second_ = false;
  std::vector<YcsbLine> lines_;
};

std::string AsText(const std::vector<YcsbLine>& lines) {
  std::string text;
  for (const auto& [metric, measurement, value] : lines) {
    text += fmt::format("[{}], {}, {}\n", metric, measurement, value);
  }
  return text;
}

std::string AsJson(const std::vector<YcsbLine>& lines, bool is_array) {
  std::string text;
  for (const auto& [metric, measurement, value] : lines) {
    const char* const before = text.empty() ? is_array ? "[ " : "" : is_array ? ", " : "";
    text += fmt::format(
        "{}{{\n  \"metric\" : \"{}\",\n  \"measurement\" : \"{}\",\n  \"value\" : {}\n}}", before,
        metric, measurement, value);
  }
  return text + (is_array ? " ]" : "");
}

// As Java's DecimalFormat("#.##").
std::string Short(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return "\u221e";
  std::string text = fmt::format("{:.2f}", number);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

// "2 days 3 hours", "5 minutes", "20 seconds", each with a blank behind it.
std::string RemainingText(uint64_t seconds) {
  constexpr uint64_t kDay = 86400;
  constexpr uint64_t kHour = 3600;
  const auto part = [](uint64_t count, std::string_view unit) {
    return count == 0 ? "" : fmt::format("{} {}{} ", count, unit, count == 1 ? "" : "s");
  };
  std::string text = part(seconds / kDay, "day") + part(seconds % kDay / kHour, "hour");
  if (seconds < kDay) text += part(seconds % kHour / 60, "minute");
  // YCSB never says "1 second".
  return text.empty() ? fmt::format("{} seconds ", seconds) : text;
}

}  // namespace

std::string_view YcsbNameOf(std::string_view operation, bool loads) {
  const auto* const it = std::ranges::find(kYcsbNames, operation, &YcsbKindName::operation);
  if (it == std::end(kYcsbNames)) return operation;
  return loads ? it->name_of_load : it->name;
}

std::string YcsbText(const PhaseResult& phase, bool loads, const YcsbOutput& output,
                     std::span<const PhaseInterval> intervals) {
  const std::vector<YcsbLine> lines = LineWriter(loads, output, intervals).Write(phase);
  if (output.exporter == YcsbExporter::kText) return AsText(lines);
  return AsJson(lines, output.exporter == YcsbExporter::kJsonArray);
}

std::string YcsbStatus(double seconds, uint64_t operations, double rate, double whole_rate,
                       uint64_t left) {
  std::string text =
      fmt::format("{} sec: {} operations; ", static_cast<uint64_t>(seconds), operations);
  if (operations != 0) text += fmt::format("{} current ops/sec; ", Short(rate));
  if (left != 0 && whole_rate > 0) {
    text += "est completion in " +
            RemainingText(static_cast<uint64_t>(std::ceil(static_cast<double>(left) / whole_rate)));
  }
  return text;
}

std::string YcsbStatusOf(const PhaseResult& phase, bool loads) {
  std::string text;
  for (const OperationStatistics& stats : AsYcsbCounts(phase.roles.front(), loads)) {
    if (stats.operations == 0 || !stats.latency_ns) continue;
    const SparseHistogram& of = *stats.latency_ns;
    text += fmt::format("[{}: Count={}, Max={}, Min={}, Avg={}", YcsbNameOf(stats.operation, loads),
                        of.Count(), of.Max() / kNsOfMicro, of.Min() / kNsOfMicro,
                        Short(MeanMicros(of)));
    for (const double percentile : {50.0, 90.0, 99.0, 99.9, 99.99}) {
      text += fmt::format(", {}={}", percentile, MicrosAt(of, percentile / 100));
    }
    text += "] ";
  }
  return text;
}

std::string JavaDouble(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "Infinity" : "-Infinity";
  const double size = std::abs(number);
  if (size == 0 || (size >= 1e-3 && size < 1e7)) {
    std::string text = fmt::format("{}", number);
    return text.find('.') == text.npos ? text + ".0" : text;
  }
  // The shortest digits, with one before the point.
  std::string text = fmt::format("{:e}", number);
  for (int digits = 0; digits <= 17; ++digits) {
    text = fmt::format("{:.{}e}", number, digits);
    if (WholeNumber<double>(text) == number) break;
  }
  const size_t e = text.find('e');
  std::string mantissa = text.substr(0, e);
  if (mantissa.find('.') == mantissa.npos) mantissa += ".0";
  return fmt::format("{}E{}", mantissa, std::stoi(text.substr(e + 1)));
}

}  // namespace levelfield
