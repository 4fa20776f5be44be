#include "workload/file/keys.h"

#include <optional>
#include <utility>

#include "base/trim.h"
#include "workload/file/key_text.h"
#include "workload/file/operation_text.h"
#include "workload/file/words.h"
#include "workload/key_format.h"
#include "workload/value_sizes_text.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

// The most that a number may be. Keys have 16 digits, a value's header 32 bits for its length; the
// others keep a slip of the finger from taking the machine.
constexpr uint64_t kMaxThreads = 1024;
constexpr uint64_t kMaxValueBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxBatch = 1'000'000;
constexpr uint64_t kMostSets = 9'999;  // As in RocksDB's db_bench.
constexpr uint64_t kMaxNexts = 1'000'000'000;
constexpr uint64_t kMaxByteRate = 1'000'000'000'000'000;
constexpr uint64_t kMostDisposable = 1'000'000'000;
constexpr uint64_t kMostIds = 2'147'483'647;
constexpr uint64_t kMostDelayUs = 3'600'000'000;

std::string ReadValueSize(std::string_view text, const FileNumbers& numbers,
                          ParsedWorkload& parsed) {
  const auto read_count = [&](std::string_view count, uint64_t& field) {
    return numbers.SetCount(count, field, kMaxValueBytes, 0);
  };
  ValueSizes sizes;
  const std::string accepted = ReadValueSizes(text, read_count, sizes);
  parsed.role().value_size = sizes.WithSeed(ValueSizeSeed(numbers.settings()));
  return accepted;
}

std::string ReadRequests(std::string_view text, const FileNumbers& numbers,
                         ParsedWorkload& parsed) {
  const auto kind =
      DistributionKindOf(text == "$ycsb_requests" ? numbers.settings().ycsb_requests : text);
  if (!kind) return "$ycsb_requests, uniform, zipf, ycsb-zipf, latest, hotspot or exponential";
  parsed.role().distribution.kind = *kind;
  return "";
}

// COUNT | COUNT bytes
std::string ReadRate(std::string_view text, const FileNumbers& numbers, ParsedWorkload& parsed) {
  constexpr std::string_view kBytes = " bytes";
  if (!text.ends_with(kBytes)) return numbers.SetCount(text, parsed.role().rate, kMaxRate, 0);
  text.remove_suffix(kBytes.size());
  return numbers.SetCount(Trim(text), parsed.section().bytes_per_second, kMaxByteRate, 0);
}

std::string ReadStream(std::string_view text, const FileNumbers&, ParsedWorkload& parsed) {
  static const std::map<std::string_view, DrawSource> sources = {
      {"own", DrawSource::kOwn},
      {"park-miller", DrawSource::kParkMiller},
      {"mersenne", DrawSource::kMersenne}};
  const auto it = sources.find(text);
  if (it == sources.end()) return "own, park-miller or mersenne";
  parsed.role().source = it->second;
  return "";
}

// after COUNT operations | when ROLE ends | when ROLEs end | at the end
std::string ReadStop(std::string_view text, const FileNumbers& numbers, ParsedWorkload& parsed) {
  constexpr std::string_view kAccepted =
      "`after COUNT operations`, `when ROLE ends`, or of a scan or a trace `at the end`";
  if (text == "at the end") {
    parsed.role().operations = Role::kToTheEnd;
    return "";
  }
  for (const std::string_view unit : {" operations", " operation"}) {
    constexpr std::string_view kAfter = "after ";
    if (!text.starts_with(kAfter) || !text.ends_with(unit)) continue;
    if (text.size() < kAfter.size() + unit.size()) continue;  // "after operations".
    text.remove_prefix(kAfter.size());
    text.remove_suffix(unit.size());
    return numbers.SetCount(Trim(text), parsed.role().operations, kNoLimit - 1, 0);
  }
  if (!text.starts_with("when ")) return std::string(kAccepted);
  text.remove_prefix(5);
  for (const std::string_view ending : {std::string_view(" ends"), std::string_view("s end")}) {
    if (text.ends_with(ending)) {
      parsed.role().until_role = text.substr(0, text.size() - ending.size());
      return "";
    }
  }
  return std::string(kAccepted);
}

}  // namespace

const std::map<std::string_view, KeySetter>& HeadKeys() {
  static const std::map<std::string_view, KeySetter> keys = {
      {"summary",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         p.workload.summary = v;
         return "";
       }},
      {"family",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         p.workload.family = v;
         return "";
       }},
      {"durability",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         p.workload.durability = v;
         return v == "none" || v == "process" || v == "synced" ? "" : "none, process or synced";
       }},
      {"needs",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         const bool is_refilled = v == "newly filled store";
         if (is_refilled) p.workload.loader = "fillseq";
         p.workload.need = v == "empty store"                   ? StoreNeed::kEmpty
                           : v == "loaded store" || is_refilled ? StoreNeed::kLoaded
                           : v == "no store"                    ? StoreNeed::kNone
                                                                : StoreNeed::kAny;
         constexpr std::string_view kLoadedBy = "store loaded by ";
         if (v.starts_with(kLoadedBy) && IsName(v.substr(kLoadedBy.size()))) {
           p.workload.need = StoreNeed::kLoaded;
           p.workload.loaded_by = v.substr(kLoadedBy.size());
           return "";
         }
         return v == "empty store" || v == "loaded store" || v == "any store" || v == "no store" ||
                        is_refilled
                    ? ""
                    : "empty store, loaded store, newly filled store, store loaded by NAME, any "
                      "store or no store";
       }},
      {"key_format",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         p.workload.key_format = v;
         return v == "decimal" || v == "hex" || v == "integer" ? "" : "decimal, hex or integer";
       }},
  };
  return keys;
}

const std::map<std::string_view, KeySetter>& RoleKeys() {
  static const std::map<std::string_view, KeySetter> keys = {
      {"threads",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().threads, kMaxThreads, 0);
       }},
      {"op", [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return ReadOperation(v, n, p.role()); }},
      {"keys", [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return ReadKeys(v, n.settings().ycsb_key_order == "ordered", p.role(), p.section()); }},
      {"range",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().range, KeyFormat::kLimit, 1);
       }},
      {"stop", [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return ReadStop(v, n, p); }},
      {"nexts",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return n.SetCount(v, p.role().nexts, kMaxNexts, 0); }},
      {"direction",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         p.role().backwards =
             v == "backwards" || (v == "$direction" && n.settings().reverse_iterator);
         return v == "forwards" || v == "backwards" || v == "$direction"
                    ? ""
                    : "forwards, backwards or $direction";
       }},
      {"max_distance",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().max_distance, KeyFormat::kLimit, 0);
       }},
      {"value_size", [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return ReadValueSize(v, n, p); }},
      {"batch",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return n.SetCount(v, p.role().batch, kMaxBatch, 1); }},
      {"stride",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().stride, KeyFormat::kLimit, 0);
       }},
      {"sets",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return n.SetCount(v, p.role().sets, kMostSets, 1); }},
      {"rate", [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return ReadRate(v, n, p); }},
      {"seed",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         p.role().seed = v;
         return IsName(v) ? "" : "a name or a number, of letters, digits, _ and -";
       }},
      {"at_end",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         p.role().restarts = v == "restart";
         return v == "stop" || v == "restart" ? "" : "stop or restart";
       }},
      {"property",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         p.role().property = v;
         return !v.empty() ? "" : "the name of a property of the engine";
       }},
      {"codec",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         p.role().codec = v;
         return v == "snappy" || v == "zstd" || v == "lz4" ? "" : "snappy, zstd or lz4";
       }},
      {"get_percent",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return n.SetCount(v, p.role().get_percent, 100, 0); }},
      {"erase_percent",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().erase_percent, 100, 0);
       }},
      {"ids", [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return n.SetCount(v, p.role().series.ids, kMostIds, 1); }},
      {"time_range",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().series.time_range, KeyFormat::kLimit, 0);
       }},
      {"stddev",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().stddev, KeyFormat::kLimit, 0);
       }},
      {"disposable_batch",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().disposal.disposable_batch, kMostDisposable, 0);
       }},
      {"persistent_batch",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().disposal.persistent_batch, kMostDisposable, 0);
       }},
      {"disposable_value_size",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().disposal.disposable_value_size, kMaxValueBytes, 0);
       }},
      {"persistent_value_size",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().disposal.persistent_value_size, kMaxValueBytes, 0);
       }},
      {"delay_us",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().disposal.delay_us, kMostDelayUs, 0);
       }},
      {"stream", [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return ReadStream(v, n, p); }},
      {"records",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().records, KeyFormat::kLimit, 1);
       }},
      {"requests", [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) { return ReadRequests(v, n, p); }},
      {"scan_length",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetCount(v, p.role().ycsb.most_scan, kMaxNexts, 1);
       }},
      {"exponent",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetRatio(v, p.role().distribution.exponent, 100);
       }},
      {"hot_keys",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetRatio(v, p.role().distribution.hot_keys, 1);
       }},
      {"hot_requests",
       [](ParsedWorkload& p, const FileNumbers& n, std::string_view v) {
         return n.SetRatio(v, p.role().distribution.hot_requests, 1);
       }},
      {"share",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) {
         p.role().repeat = v == "repeat";
         return v == "split" || v == "repeat" ? ""
                                              : "split (threads share the work) or repeat "
                                                "(each does all of it)";
       }},
  };
  return keys;
}

}  // namespace levelfield
