#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "base/number.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"
#include "driver/supervisor.h"
#include "facts/facts_here.h"
#include "process/process.h"
#include "settings/settings.h"
#include "stats/histogram.h"
#include "verbs/verbs.h"
#include "workload/trace/trace_convert.h"
#include "workload/trace/trace_file.h"

namespace levelfield {
namespace {

std::string UsageOfTrace() {
  return fmt::format(
      "trace: `levelfield trace convert --from={} [--value_size=BYTES] IN OUT` (IN may be -), or "
      "`levelfield trace show FILE`",
      Joined(TraceSourceNames(), "|"));
}

Answer Convert(const Words& words) {
  constexpr std::string_view kFrom = "--from=";
  constexpr std::string_view kValueSize = "--value_size=";
  std::optional<TraceSource> source;
  TraceConversion asked;
  Words paths;
  for (const std::string& word : words) {
    if (word.starts_with(kFrom)) {
      source = TraceSourceOf(word.substr(kFrom.size()));
      if (!source) {
        return Status::Usage(
            fmt::format("{}: {} is accepted", Printable(word), Listed(TraceSourceNames(), "or")));
      }
    } else if (word.starts_with(kValueSize)) {
      const StatusOr<uint64_t> bytes = ParseBytes(word.substr(kValueSize.size()));
      if (!bytes.ok() || *bytes > limits::kValueBytes) {
        return Status::Usage(fmt::format("{}: is a number of bytes, at most {}", Printable(word),
                                         Grouped(limits::kValueBytes)));
      }
      asked.value_size = static_cast<uint32_t>(*bytes);
    } else if (word.starts_with("--")) {
      return Status::Usage(fmt::format("{}: is no flag here; {}", Printable(word), UsageOfTrace()));
    } else {
      paths.push_back(word);
    }
  }
  if (!source || paths.size() != 2) return Status::Usage(UsageOfTrace());
  RETURN_IF_ERROR(CheckOutsideStores("OUT", paths[1]));
  InstallInterruptHandlers();
  asked.source = *source;
  asked.from = paths[0];
  asked.to = paths[1];
  ASSIGN_OR_RETURN(const ConvertedTrace converted,
                   ConvertTrace(asked, [] { return !IsInterrupted(); }));
  const std::string_view parts = IsText(*source) ? "lines" : "records";
  Answer answer;
  answer.text = fmt::format("{} operations on {} keys, of {} {}\n", Grouped(converted.records),
                            Grouped(converted.keys), Grouped(converted.lines), parts);
  for (const auto& [what, lines] : converted.left_out) {
    answer.text += fmt::format("left out: {} {} of {}\n", Grouped(lines), parts, Printable(what));
  }
  if (converted.went_back != 0) {
    answer.text += fmt::format(
        "{} operations had a time before the previous operation's, by at most {}; they got that "
        "one's time\n",
        Grouped(converted.went_back), Latency(converted.furthest_back_ns));
  }
  return answer;
}

// Percentiles of sizes in bytes.
std::string Percentiles(const Histogram& sizes) {
  if (sizes.NonEmpty().empty()) return "none";
  std::string text = fmt::format("{} to {}", Grouped(sizes.Min()), Grouped(sizes.Max()));
  for (const auto& [share, name] : {std::pair(0.5, "p50"), std::pair(0.9, "p90"),
                                    std::pair(0.99, "p99"), std::pair(0.999, "p99.9")}) {
    const std::optional<uint64_t> size = sizes.Percentile(share);
    if (size) text += fmt::format(", {} {}", name, Grouped(*size));
  }
  return text;
}

double PercentOf(uint64_t part, uint64_t whole) {
  return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<uint64_t>(whole, 1));
}

// Counts the operations on the hottest hundredth of the keys, which is at least one key.
uint64_t OfHottest(std::vector<uint64_t> of_keys) {
  const size_t hot = std::max<size_t>(of_keys.size() / 100, 1);
  std::ranges::nth_element(of_keys, of_keys.begin() + static_cast<ptrdiff_t>(hot) - 1,
                           std::greater<>());
  uint64_t sum = 0;
  for (size_t i = 0; i < hot; ++i) sum += of_keys[i];
  return sum;
}

std::string DurationText(const TraceHeader& header, double seconds, uint64_t records) {
  std::string text = fmt::format("duration       {:.3f} s", seconds);
  if (seconds > 0) {
    text += fmt::format(", {}/s on the average", Rate(static_cast<double>(records) / seconds));
  }
  return text + (header.is_spread ? "; recorded in whole seconds, and spread within them\n" : "\n");
}

// Needs 8 bytes of memory for each key.
Answer Show(const std::string& path) {
  ASSIGN_OR_RETURN(TraceReader reader, TraceReader::Open(path));
  const TraceHeader& header = reader.header();
  std::array<uint64_t, kTraceOperations> operations = {};
  uint64_t misses = 0;
  uint64_t with_ttl = 0;
  uint64_t end_ns = 0;
  std::vector<uint64_t> of_keys;
  Histogram key_sizes;
  Histogram written;
  Histogram found;
  uint64_t entries = 0;  // That seeks read.
  TraceRecord record;
  while (reader.Next(record)) {
    ++operations[static_cast<size_t>(record.operation)];
    misses += record.is_miss && record.operation == TraceOperation::kGet ? 1 : 0;
    with_ttl += record.ttl_seconds != 0 ? 1 : 0;
    end_ns = record.time_ns;
    if (reader.is_first_of_key()) of_keys.push_back(0);
    ++of_keys[record.key];
    key_sizes.Add(record.key_size);
    const bool reads =
        record.operation == TraceOperation::kGet || record.operation == TraceOperation::kSeek;
    if (reads && !record.is_miss) found.Add(record.value_size);
    entries += record.entries;
    if (record.operation == TraceOperation::kPut || record.operation == TraceOperation::kModify) {
      written.Add(record.value_size);
    }
  }
  if (!reader.status().ok()) return reader.status();
  const uint64_t records = reader.records();
  std::string text =
      fmt::format("source         {}\nchecksum       {:016x}\n", header.source, header.checksum);
  const double seconds = static_cast<double>(end_ns) * 1e-9;
  text += fmt::format("operations     {}", Grouped(records));
  if (header.left_out != 0) {
    text += fmt::format("; {} lines of the source were left out", Grouped(header.left_out));
  }
  text += "\n";
  for (size_t i = 0; i < kTraceOperations; ++i) {
    if (operations[i] == 0) continue;
    const auto operation = static_cast<TraceOperation>(i);
    text += fmt::format("  {:12} {} ({:.3g} %)", TraceOperationName(operation),
                        Grouped(operations[i]), PercentOf(operations[i], records));
    if (operation == TraceOperation::kGet && misses != 0) {
      text += fmt::format("; {:.3g} % of them found nothing", PercentOf(misses, operations[i]));
    }
    if (operation == TraceOperation::kSeek) {
      text += fmt::format("; {} entries", Grouped(entries));
    }
    text += "\n";
  }
  if (header.has_no_times) {
    text += "duration       not known: it was recorded without times\n";
  } else {
    text += DurationText(header, seconds, records);
  }
  text +=
      fmt::format("keys           {}; the hottest 1 % of them have {:.3g} % of the operations\n",
                  Grouped(header.keys), PercentOf(OfHottest(std::move(of_keys)), records));
  text += fmt::format("key bytes      {}\n", Percentiles(key_sizes));
  text += fmt::format("value bytes    written: {}; found: {}\n", Percentiles(written),
                      Percentiles(found));
  text += fmt::format("time to live   {:.3g} % of the operations have one\n",
                      PercentOf(with_ttl, records));
  return text;
}

}  // namespace

Answer TraceVerb(const Words& words) {
  if (!words.empty() && words.front() == "convert") {
    return Convert({words.begin() + 1, words.end()});
  }
  if (words.size() == 2 && words.front() == "show") return Show(words.back());
  return Status::Usage(UsageOfTrace());
}

}  // namespace levelfield
