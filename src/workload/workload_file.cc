#include "workload/workload_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>

#include "base/nearest.h"
#include "base/quote.h"
#include "workload/expected_state.h"
#include "workload/key_format.h"
#include "workload/names_not_run.h"
#include "workload/slots.h"
#include "workload/triples.h"
#include "workload/value_sizes_text.h"
#include "workload/value_source.h"
#include "workload/ycsb_text.h"

namespace levelfield {
namespace {

constexpr size_t kMaxFileBytes = 64 << 10;

// The most that a number may be. Keys have 16 digits, a value's header 32 bits for its length; the
// others keep a slip of the finger from taking the machine.
constexpr uint64_t kMaxThreads = 1024;
constexpr uint64_t kMaxValueBytes = uint64_t{1} << 30;
constexpr uint64_t kMaxBatch = 1'000'000;
constexpr uint64_t kMostSets = 9'999;  // As in RocksDB's db_bench.
constexpr uint64_t kMaxNexts = 1'000'000'000;
constexpr uint64_t kMaxRate = 1'000'000'000;
constexpr uint64_t kMaxByteRate = 1'000'000'000'000'000;
constexpr uint64_t kMostDisposable = 1'000'000'000;
constexpr uint64_t kMostIds = 2'147'483'647;
constexpr uint64_t kMostDelayUs = 3'600'000'000;
constexpr uint64_t kNoLimit = ~uint64_t{0};

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool IsName(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

// The words of a text: runs of small letters, with the `$` of a variable.
std::vector<std::string> Words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || c == '_' || c == '$';
    if (is_letter && !in_word) words.emplace_back();
    if (is_letter) words.back() += c;
    in_word = is_letter;
  }
  return words;
}

// "; did you mean ...?" for the first word of `text` that is not among `known` but near one of it.
std::string DidYouMean(std::string_view text, std::span<const std::string> known) {
  for (const std::string& word : Words(text)) {
    if (std::ranges::find(known, word) != known.end()) continue;
    const std::string nearest = NearestName(word, known);
    if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  }
  return "";
}

// One line `key = value`, where it stands, for messages.
struct Assignment {
  size_t line = 0;
  std::string_view key;
  std::string_view value;
};

// Takes a value apart into what a key sets; an error says what the key accepts.
class Parser {
 public:
  Parser(const std::string& name, const WorkloadVariables& variables) : variables_(variables) {
    workload_.name = name;
  }

  Status Parse(std::string_view text) {
    if (text.size() > kMaxFileBytes) {
      return Status::Usage(
          fmt::format("workload {}: is larger than 64 KiB, the most that a workload file may be",
                      Printable(workload_.name)));
    }
    for (size_t line = 1; !text.empty(); ++line) {
      const size_t end = std::min(text.find('\n'), text.size());
      const Status status = ParseLine(line, Trim(text.substr(0, end)));
      if (!status.ok()) return status;
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return Finish();
  }

  Workload Take() { return std::move(workload_); }

 private:
  using Setter =
      std::function<std::string(Parser&, std::string_view)>;  // Empty, or what it accepts.

  Status Error(size_t line, const std::string& message) const {
    return Status::Usage(
        fmt::format("workload {}, line {}: {}", Printable(workload_.name), line, message));
  }

  Status ParseLine(size_t line, std::string_view text) {
    if (text.empty() || text.front() == '#') return Status::Ok();
    if (text.front() == '[') {
      if (text.back() != ']' || text.size() < 3 || !IsName(text.substr(1, text.size() - 2))) {
        return Error(line, fmt::format("{}: a role is written [name], of letters, digits, _ and -",
                                       Quote(text)));
      }
      sections_.push_back({.line = line});
      workload_.roles.emplace_back();
      Role& role = workload_.roles.back();
      role.name = text.substr(1, text.size() - 2);
      role.value_size = variables_.value_sizes.value_or(variables_.value_size)
                            .WithSeed(variables_.value_size_seed);
      role.range = std::max<uint64_t>(variables_.num, 1);
      role.distribution = variables_.distribution;
      role.distribution.kind = KeyDistributionPlan::Kind::kUniform;
      return Status::Ok();
    }
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
      return Error(
          line, fmt::format("{}: a line is `key = value`, a [role], or a # comment", Quote(text)));
    }
    return Assign({line, Trim(text.substr(0, equals)), Trim(text.substr(equals + 1))});
  }

  Status Assign(const Assignment& assignment) {
    const auto& keys = workload_.roles.empty() ? HeadKeys() : RoleKeys();
    const auto it = keys.find(assignment.key);
    if (it == keys.end()) {
      std::vector<std::string> names;
      for (const auto& [name, setter] : keys) names.emplace_back(name);
      return Error(assignment.line,
                   fmt::format("unknown key {} {}{}", Quote(assignment.key),
                               workload_.roles.empty() ? "before the first role" : "in a role",
                               DidYouMean(assignment.key, names)));
    }
    const auto [earlier, is_first] = section().lines.emplace(it->first, assignment.line);
    if (!is_first) {
      return Error(assignment.line, fmt::format("`{} =` a second time, after line {}",
                                                assignment.key, earlier->second));
    }
    const std::string accepted = it->second(*this, assignment.value);
    if (!accepted.empty()) {
      return Error(assignment.line,
                   fmt::format("{} = {} is not {}{}", assignment.key, Quote(assignment.value),
                               accepted, DidYouMean(assignment.value, Words(accepted))));
    }
    return Status::Ok();
  }

  // The keys of the head and of a role, each with what it does; the only lists of them.
  static const std::map<std::string_view, Setter>& HeadKeys() {
    static const std::map<std::string_view, Setter> keys = {
        {"summary",
         [](Parser& p, std::string_view v) {
           p.workload_.summary = v;
           return "";
         }},
        {"family",
         [](Parser& p, std::string_view v) {
           p.workload_.family = v;
           return "";
         }},
        {"durability",
         [](Parser& p, std::string_view v) {
           p.workload_.durability = v;
           return v == "none" || v == "process" || v == "synced" ? "" : "none, process or synced";
         }},
        {"needs",
         [](Parser& p, std::string_view v) {
           const bool is_refilled = v == "newly filled store";
           if (is_refilled) p.workload_.loader = "fillseq";
           p.workload_.need = v == "empty store"                   ? StoreNeed::kEmpty
                              : v == "loaded store" || is_refilled ? StoreNeed::kLoaded
                              : v == "no store"                    ? StoreNeed::kNone
                                                                   : StoreNeed::kAny;
           constexpr std::string_view kLoadedBy = "store loaded by ";
           if (v.starts_with(kLoadedBy) && IsName(v.substr(kLoadedBy.size()))) {
             p.workload_.need = StoreNeed::kLoaded;
             p.workload_.loaded_by = v.substr(kLoadedBy.size());
             return "";
           }
           return v == "empty store" || v == "loaded store" || v == "any store" ||
                          v == "no store" || is_refilled
                      ? ""
                      : "empty store, loaded store, newly filled store, store loaded by NAME, any "
                        "store or no store";
         }},
        {"key_format",
         [](Parser& p, std::string_view v) {
           p.workload_.key_format = v;
           return v == "decimal" || v == "hex" || v == "integer" ? "" : "decimal, hex or integer";
         }},
    };
    return keys;
  }

  static const std::map<std::string_view, Setter>& RoleKeys() {
    static const std::map<std::string_view, Setter> keys = {
        {"threads",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().threads, kMaxThreads, 0);
         }},
        {"op", [](Parser& p, std::string_view v) { return p.SetOperation(v); }},
        {"keys", [](Parser& p, std::string_view v) { return p.SetKeys(v); }},
        {"range",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().range, KeyFormat::kLimit, 1);
         }},
        {"stop", [](Parser& p, std::string_view v) { return p.SetStop(v); }},
        {"nexts",
         [](Parser& p, std::string_view v) { return p.SetCount(v, p.role().nexts, kMaxNexts, 0); }},
        {"direction",
         [](Parser& p, std::string_view v) {
           p.role().backwards =
               v == "backwards" || (v == "$direction" && p.variables_.reverse_iterator);
           return v == "forwards" || v == "backwards" || v == "$direction"
                      ? ""
                      : "forwards, backwards or $direction";
         }},
        {"max_distance",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().max_distance, KeyFormat::kLimit, 0);
         }},
        {"value_size", [](Parser& p, std::string_view v) { return p.SetValueSize(v); }},
        {"batch",
         [](Parser& p, std::string_view v) { return p.SetCount(v, p.role().batch, kMaxBatch, 1); }},
        {"stride",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().stride, KeyFormat::kLimit, 0);
         }},
        {"sets",
         [](Parser& p, std::string_view v) { return p.SetCount(v, p.role().sets, kMostSets, 1); }},
        {"rate", [](Parser& p, std::string_view v) { return p.SetRate(v); }},
        {"seed",
         [](Parser& p, std::string_view v) {
           p.role().seed = v;
           return IsName(v) ? "" : "a name or a number, of letters, digits, _ and -";
         }},
        {"at_end",
         [](Parser& p, std::string_view v) {
           p.role().restarts = v == "restart";
           return v == "stop" || v == "restart" ? "" : "stop or restart";
         }},
        {"property",
         [](Parser& p, std::string_view v) {
           p.role().property = v;
           return !v.empty() ? "" : "the name of a property of the engine";
         }},
        {"codec",
         [](Parser& p, std::string_view v) {
           p.role().codec = v;
           return v == "snappy" || v == "zstd" || v == "lz4" ? "" : "snappy, zstd or lz4";
         }},
        {"get_percent",
         [](Parser& p, std::string_view v) { return p.SetCount(v, p.role().get_percent, 100, 0); }},
        {"erase_percent",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().erase_percent, 100, 0);
         }},
        {"ids", [](Parser& p,
                   std::string_view v) { return p.SetCount(v, p.role().series.ids, kMostIds, 1); }},
        {"time_range",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().series.time_range, KeyFormat::kLimit, 0);
         }},
        {"stddev",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().stddev, KeyFormat::kLimit, 0);
         }},
        {"disposable_batch",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().disposal.disposable_batch, kMostDisposable, 0);
         }},
        {"persistent_batch",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().disposal.persistent_batch, kMostDisposable, 0);
         }},
        {"disposable_value_size",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().disposal.disposable_value_size, kMaxValueBytes, 0);
         }},
        {"persistent_value_size",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().disposal.persistent_value_size, kMaxValueBytes, 0);
         }},
        {"delay_us",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().disposal.delay_us, kMostDelayUs, 0);
         }},
        {"stream", [](Parser& p, std::string_view v) { return p.SetStream(v); }},
        {"records",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().records, KeyFormat::kLimit, 1);
         }},
        {"requests", [](Parser& p, std::string_view v) { return p.SetRequests(v); }},
        {"scan_length",
         [](Parser& p, std::string_view v) {
           return p.SetCount(v, p.role().ycsb.most_scan, kMaxNexts, 1);
         }},
        {"exponent",
         [](Parser& p, std::string_view v) {
           return p.SetRatio(v, p.role().distribution.exponent, 100);
         }},
        {"hot_keys",
         [](Parser& p, std::string_view v) {
           return p.SetRatio(v, p.role().distribution.hot_keys, 1);
         }},
        {"hot_requests",
         [](Parser& p, std::string_view v) {
           return p.SetRatio(v, p.role().distribution.hot_requests, 1);
         }},
        {"share",
         [](Parser& p, std::string_view v) {
           p.role().repeat = v == "repeat";
           return v == "split" || v == "repeat" ? ""
                                                : "split (threads share the work) or repeat "
                                                  "(each does all of it)";
         }},
    };
    return keys;
  }

  // Where the lines of the head (the first section) or of a role stood, and what waits for the end
  // of the role, because the lines of a role come in any order.
  struct Section {
    size_t line = 0;
    std::map<std::string_view, size_t> lines = {};  // Of each key that was set.
    uint64_t first_percent = 100;                   // `of the first N%` of the range.
    bool drawn = false;                             // `drawn`, not `uniform`.
    uint64_t bytes_per_second = 0;                  // `rate = N bytes`.
  };

  Role& role() { return workload_.roles.back(); }
  Section& section() { return sections_.back(); }

  // `1000`, `$num`, `$num/1000`, `$num*10`: what is not 0 stays at least 1. Or of two of them, in
  // which a quotient may be 0: max(A, B), up(A, B) and down(A, B), which round A to a multiple of
  // B; or power_of_two(A), the first one from A on. What is more than 64 bits hold is the most that
  // they do, which every limit is below.
  std::optional<uint64_t> Evaluate(std::string_view text) const {
    const size_t open = text.find('(');
    if (open == std::string_view::npos) {
      bool was_zero = false;
      const std::optional<uint64_t> value = Quotient(text, &was_zero);
      return value && !was_zero ? std::max<uint64_t>(*value, 1) : value;
    }
    const size_t comma = text.find(',');
    const std::string_view name = Trim(text.substr(0, open));
    if (name == "power_of_two" && text.ends_with(')')) {
      const auto number = Quotient(Trim(text.substr(open + 1, text.size() - open - 2)));
      if (!number || *number > KeyFormat::kLimit) return std::nullopt;
      return std::bit_ceil(*number);
    }
    if (comma == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
    const auto first = Quotient(Trim(text.substr(open + 1, comma - open - 1)));
    const auto second = Quotient(Trim(text.substr(comma + 1, text.size() - comma - 2)));
    if (!first || !second) return std::nullopt;
    if (name == "max") return std::max(*first, *second);
    if (*second == 0) return std::nullopt;
    if (name == "down") return *first / *second * *second;
    if (name == "up") return (*first / *second + (*first % *second != 0)) * *second;
    return std::nullopt;
  }

  // The numbers that a file may name.
  std::map<std::string_view, uint64_t> Named() const {
    return {
        {"$num", variables_.num},
        {"$reads", variables_.reads},
        {"$writes", variables_.writes != 0 ? variables_.writes : variables_.num},
        {"$threads", variables_.threads},
        {"$value_size", variables_.value_size},
        {"$batch", variables_.batch},
        {"$batch_size", variables_.batch_size},
        {"$writes_per_second", variables_.writes_per_second},
        {"$reads_per_second", variables_.reads_per_second},
        {"$write_bytes_per_second", variables_.write_bytes_per_second},
        {"$readwritepercent", variables_.readwritepercent},
        {"$mergereadpercent", variables_.mergereadpercent},
        {"$deletes", variables_.deletes != 0 ? variables_.deletes : variables_.num},
        {"$merge_keys", variables_.merge_keys != 0 ? variables_.merge_keys : variables_.num},
        {"$bgwriter_num", variables_.bgwriter_num != 0 ? variables_.bgwriter_num : variables_.num},
        {"$seek_nexts", variables_.seek_nexts},
        {"$max_scan_distance", variables_.max_scan_distance},
        {"$multiread_stride", variables_.multiread_stride},
        {"$transaction_sets", variables_.transaction_sets},
        {"$deletepercent", variables_.deletepercent},
        {"$numdistinct", variables_.numdistinct},
        {"$stddev", variables_.stddev},
        {"$key_id_range", variables_.key_id_range},
        {"$time_range", variables_.time_range},
        {"$expiring_threads", variables_.expiring_threads},
        {"$disposable_entries_batch_size", variables_.disposable.disposable_batch},
        {"$persistent_entries_batch_size", variables_.disposable.persistent_batch},
        {"$disposable_entries_value_size", variables_.disposable.disposable_value_size},
        {"$persistent_entries_value_size", variables_.disposable.persistent_value_size},
        {"$disposable_entries_delete_delay", variables_.disposable.delay_us}};
  }

  // `1000`, `$num`, `$num/1000`, `$num*10`; and whether it was 0 before it was divided.
  std::optional<uint64_t> Quotient(std::string_view text, bool* was_zero = nullptr) const {
    uint64_t factor = 1;
    uint64_t divisor = 1;
    if (const size_t sign = text.find_first_of("/*"); sign != std::string_view::npos) {
      const std::optional<uint64_t> number = Number(Trim(text.substr(sign + 1)));
      if (!number || *number == 0) return std::nullopt;
      (text[sign] == '/' ? divisor : factor) = *number;
      text = Trim(text.substr(0, sign));
    }
    const std::map<std::string_view, uint64_t> names = Named();
    const auto it = names.find(text);
    const std::optional<uint64_t> value = it != names.end() ? it->second : Number(text);
    if (!value) return std::nullopt;
    if (was_zero != nullptr) *was_zero = *value == 0;
    const unsigned __int128 result = static_cast<unsigned __int128>(*value) * factor / divisor;
    return result > kNoLimit ? kNoLimit : static_cast<uint64_t>(result);
  }

  static std::optional<uint64_t> Number(std::string_view text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
  }

  std::string SetCount(std::string_view text, uint64_t& field, uint64_t most, uint64_t least) {
    const std::optional<uint64_t> value = Evaluate(text);
    if (!value) {
      std::string names = "$num, $reads, $writes, $threads, $value_size, $batch";
      std::vector<std::string> all;
      for (const auto& [name, number] : Named()) all.emplace_back(name);
      for (const std::string& word : Words(text)) {
        const std::string nearest = NearestName(word, all);
        if (!nearest.empty()) names += ", " + nearest;
      }
      return fmt::format(
          "a number, {} or another name of docs/adding_a_workload.md, and perhaps / or * and a "
          "number above 0; or max, up or down of two of those, or power_of_two of one",
          names);
    }
    if (*value > most) return fmt::format("at most {}", most);
    if (*value < least) return fmt::format("at least {}", least);
    field = *value;
    return "";
  }

  std::string SetValueSize(std::string_view text) {
    const auto read_count = [&](std::string_view count, uint64_t& field) {
      return SetCount(count, field, kMaxValueBytes, 0);
    };
    ValueSizes sizes;
    const std::string accepted = ReadValueSizes(text, read_count, sizes);
    role().value_size = sizes.WithSeed(variables_.value_size_seed);
    return accepted;
  }

  // A decimal fraction, or one of three flags.
  std::string SetRatio(std::string_view text, double& field, double most) const {
    const std::pair<std::string_view, double> named[] = {
        {"$zipf_exponent", variables_.distribution.exponent},
        {"$hot_keys", variables_.distribution.hot_keys},
        {"$hot_requests", variables_.distribution.hot_requests}};
    for (const auto& [name, value] : named) {
      if (text != name || value > most) continue;
      field = value;
      return "";
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    if (!is_number || !(value >= 0 && value <= most)) {
      return fmt::format("a number from 0 to {}, $zipf_exponent, $hot_keys or $hot_requests", most);
    }
    field = value;
    return "";
  }

  std::string SetRequests(std::string_view text) {
    const auto kind = text == "$ycsb_requests" ? std::optional(variables_.ycsb_requests)
                                               : DistributionKindOf(text);
    if (!kind) return "$ycsb_requests, uniform, zipf, ycsb-zipf, latest, hotspot or exponential";
    role().distribution.kind = *kind;
    return "";
  }

  // COUNT | COUNT bytes
  std::string SetRate(std::string_view text) {
    constexpr std::string_view kBytes = " bytes";
    if (!text.ends_with(kBytes)) return SetCount(text, role().rate, kMaxRate, 0);
    text.remove_suffix(kBytes.size());
    return SetCount(Trim(text), section().bytes_per_second, kMaxByteRate, 0);
  }

  std::string SetOperation(std::string_view text) {
    static const std::map<std::string_view, OperationKind> operations = {
        {"get", OperationKind::kGet},
        {"put", OperationKind::kPut},
        {"erase", OperationKind::kErase},
        {"seek", OperationKind::kSeek},
        {"next", OperationKind::kNext},
        {"prev", OperationKind::kPrev},
        {"compact", OperationKind::kCompact},
        {"open", OperationKind::kOpen},
        {"property", OperationKind::kProperty},
        {"heapprofile", OperationKind::kHeapProfile},
        {"crc32c", OperationKind::kCrc32c},
        {"acquireload", OperationKind::kAcquireLoad},
        {"compress", OperationKind::kCompress},
        {"compress_reject", OperationKind::kCompressReject},
        {"uncompress", OperationKind::kUncompress},
        {"merge", OperationKind::kMerge},
        {"multi_get", OperationKind::kMultiGet},
        {"update", OperationKind::kUpdate},
        {"transaction", OperationKind::kTransaction},
        {"new_iterator", OperationKind::kNewIterator},
        {"append", OperationKind::kAppend},
        {"triple", OperationKind::kTriple},
        {"replace", OperationKind::kReplace},
        {"dispose", OperationKind::kDispose},
        {"series put", OperationKind::kSeriesPut},
        {"series read", OperationKind::kSeriesRead},
        {"series expire", OperationKind::kSeriesExpire},
        {"xor", OperationKind::kXor},
        {"graph", OperationKind::kGraph},
        {"graph of one number", OperationKind::kGraph},
        {"flush", OperationKind::kFlush},
        {"wait_for_background", OperationKind::kWaitForBackground},
        {"verify_checksums", OperationKind::kVerifyChecksums},
        {"backup", OperationKind::kBackup},
        {"restore", OperationKind::kRestore},
        {"xxhash", OperationKind::kXxHash},
        {"xxhash64", OperationKind::kXxHash},
        {"xxh3", OperationKind::kXxHash}};
    if (text == "seek again") {
      role().operation = OperationKind::kSeek;
      role().exact = true;
      role().again = true;
      return "";
    }
    if (text == "seek exact") {
      role().operation = OperationKind::kSeek;
      role().exact = true;
      return "";
    }
    if (const auto it = operations.find(text); it != operations.end()) {
      role().operation = it->second;
      role().merges = it->second == OperationKind::kMerge;
      role().as_batch = it->second == OperationKind::kTransaction && variables_.transaction_batches;
      if (it->second == OperationKind::kXxHash) role().codec = text;
      if (it->second == OperationKind::kGraph) {
        role().graph = variables_.graph;
        role().graph.one_number = text.ends_with("number");
      }
      return "";
    }
    if (text == "trace" || text == "trace load") {
      role().operation = OperationKind::kTrace;
      role().trace.loads = text != "trace";
      return "";
    }
    constexpr std::string_view kYcsb = "ycsb ";
    if (text.starts_with(kYcsb)) {
      role().operation = OperationKind::kYcsb;
      return ReadYcsbMix(text.substr(kYcsb.size()), role().ycsb);
    }
    for (const std::string_view mix :
         {"% get, else put", "% get, else merge", "% merge, else get"}) {
      if (!text.ends_with(mix)) continue;
      const auto percent = Evaluate(text.substr(0, text.size() - mix.size()));
      if (percent && *percent <= 100) {
        role().operation = OperationKind::kMix;
        role().merges = mix.find("merge") != std::string_view::npos;
        role().get_percent = mix.ends_with("get") ? 100 - *percent : *percent;
        return "";
      }
    }
    if (text.find("%") != std::string_view::npos && text.find("else") == std::string_view::npos) {
      return SetMix(text);
    }
    return "get, put, erase, merge, multi_get, update, transaction, new_iterator, append, xor, "
           "triple, replace, dispose, series put, series read, series expire, graph, graph of one "
           "number, seek, seek exact, seek again, ycsb ..., trace, trace load, "
           "next, prev, compact, "
           "open, "
           "flush, wait_for_background, verify_checksums, backup, restore, property, heapprofile, "
           "crc32c, xxhash, "
           "xxhash64, xxh3, acquireload, compress, compress_reject, uncompress, `N% get, else "
           "put`, `N% get, else "
           "merge` or `N% merge, else get`";
  }

  // `N% get, N% seek, N% put`, in any order; what is written is put or merged.
  std::string SetMix(std::string_view text) {
    constexpr const char* kAccepted =
        "`N% get, N% seek, N% put` (or merge), each at most once, of together 100%";
    std::map<std::string_view, uint64_t> percents;
    unsigned __int128 sum = 0;
    while (!text.empty()) {
      const size_t end = std::min(text.find(','), text.size());
      const std::string_view part = Trim(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      const size_t sign = part.find('%');
      if (sign == std::string_view::npos) return kAccepted;
      const std::optional<uint64_t> percent = Evaluate(Trim(part.substr(0, sign)));
      if (!percent || !percents.emplace(Trim(part.substr(sign + 1)), *percent).second) {
        return kAccepted;
      }
      sum += *percent;
    }
    for (const auto& [name, percent] : percents) {
      if (name != "get" && name != "seek" && name != "put" && name != "merge") return kAccepted;
    }
    role().merges = percents.contains("merge");
    const bool writes_once = role().merges != percents.contains("put");
    if (sum != 100 || !writes_once) return kAccepted;
    role().operation = OperationKind::kMix;
    role().get_percent = percents["get"];
    role().seek_percent = percents["seek"];
    return "";
  }

  // sequential | shuffled | uniform | drawn | forward | zipf [contiguous] | ycsb-zipf | latest |
  // hotspot [contiguous] | exponential [missing | cut] [of the first N%] | none
  std::string SetKeys(std::string_view text) {
    constexpr std::string_view kFirst = " of the first ";
    if (const size_t at = text.find(kFirst); at != std::string_view::npos) {
      std::string_view percent = text.substr(at + kFirst.size());
      if (!percent.ends_with('%')) return "`of the first N%`";
      percent.remove_suffix(1);
      const std::optional<uint64_t> number = Number(percent);
      if (!number || *number == 0 || *number > 100) return "`of the first N%`, N from 1 to 100";
      section().first_percent = *number;
      text = text.substr(0, at);
    }
    constexpr std::string_view kMissing = " missing";
    if (text.ends_with(kMissing)) {
      role().missing = true;
      text.remove_suffix(kMissing.size());
    }
    constexpr std::string_view kCut = " cut";
    if (text.ends_with(kCut)) {
      role().cut = true;
      text.remove_suffix(kCut.size());
    }
    static const std::map<std::string_view, KeyOrder> orders = {
        {"none", KeyOrder::kNone},         {"sequential", KeyOrder::kSequential},
        {"shuffled", KeyOrder::kShuffled}, {"uniform", KeyOrder::kUniform},
        {"drawn", KeyOrder::kUniform},     {"forward", KeyOrder::kForward}};
    if (text == "$ycsb_key_order") text = variables_.ycsb_ordered ? "sequential" : "shuffled";
    const auto it = orders.find(text);
    if (it == orders.end()) {
      if (SetSkewed(text)) return "";
      return "none, sequential, shuffled, uniform, drawn, forward, zipf, ycsb-zipf, latest, "
             "hotspot or exponential, and perhaps `contiguous`, `missing`, `cut` or `of the first "
             "N%`";
    }
    role().order = it->second;
    section().drawn = text == "drawn";
    return "";
  }

  bool SetSkewed(std::string_view text) {
    constexpr std::string_view kContiguous = " contiguous";
    const bool is_contiguous = text.ends_with(kContiguous);
    if (is_contiguous) text.remove_suffix(kContiguous.size());
    const auto kind = DistributionKindOf(text);
    if (!kind || (is_contiguous && !IsScattered(*kind))) return false;
    role().order = KeyOrder::kSkewed;
    role().distribution.kind = *kind;
    role().scattered = IsScattered(*kind) && !is_contiguous;
    return true;
  }

  // Those whose hot keys are in one place; YCSB's zipfian spreads them by itself, and the others
  // say of a key how new it is.
  static bool IsScattered(KeyDistributionPlan::Kind kind) {
    return kind == KeyDistributionPlan::Kind::kZipf || kind == KeyDistributionPlan::Kind::kHotspot;
  }

  std::string SetStream(std::string_view text) {
    static const std::map<std::string_view, DrawSource> sources = {
        {"own", DrawSource::kOwn},
        {"park-miller", DrawSource::kParkMiller},
        {"mersenne", DrawSource::kMersenne}};
    const auto it = sources.find(text);
    if (it == sources.end()) return "own, park-miller or mersenne";
    role().source = it->second;
    return "";
  }

  // after COUNT operations | when ROLE ends | when ROLEs end | at the end
  std::string SetStop(std::string_view text) {
    constexpr std::string_view kAccepted =
        "`after COUNT operations`, `when ROLE ends`, or of a scan or a trace `at the end`";
    if (text == "at the end") {
      role().operations = Role::kToTheEnd;
      return "";
    }
    for (const std::string_view unit : {" operations", " operation"}) {
      constexpr std::string_view kAfter = "after ";
      if (!text.starts_with(kAfter) || !text.ends_with(unit)) continue;
      if (text.size() < kAfter.size() + unit.size()) continue;  // "after operations".
      text.remove_prefix(kAfter.size());
      text.remove_suffix(unit.size());
      return SetCount(Trim(text), role().operations, kNoLimit - 1, 0);
    }
    if (!text.starts_with("when ")) return std::string(kAccepted);
    text.remove_prefix(5);
    for (const std::string_view ending : {std::string_view(" ends"), std::string_view("s end")}) {
      if (text.ends_with(ending)) {
        role().until_role = text.substr(0, text.size() - ending.size());
        return "";
      }
    }
    return std::string(kAccepted);
  }

  // What no single line can show to be wrong.
  Status Finish() {
    const auto lacks = [&](const char* what) {
      return Status::Usage(fmt::format("workload {}: has no {}", Printable(workload_.name), what));
    };
    if (workload_.roles.empty()) return lacks("[role]");
    if (workload_.summary.empty()) return lacks("`summary =`");
    if (workload_.family.empty()) return lacks("`family =`, the table it is shown in");
    const auto writes = [](const Role& role) { return Writes(role.operation); };
    if (!workload_.key_format.empty() &&
        (workload_.need != StoreNeed::kEmpty || std::ranges::none_of(workload_.roles, writes))) {
      return Error(sections_.front().lines.at("key_format"),
                   "key_format is for a workload that fills an empty store: what is in a store has "
                   "its format");
    }
    // Who erases what has expired has no threads where nothing is to be erased.
    for (size_t i = workload_.roles.size(); i-- > 0;) {
      const Role& role = workload_.roles[i];
      if (role.threads != 0) continue;
      if (role.operation != OperationKind::kSeriesExpire || workload_.roles.size() == 1) {
        return Error(sections_[i + 1].lines.at("threads"),
                     fmt::format("[{}] has no threads; a role has at least 1", role.name));
      }
      workload_.roles.erase(workload_.roles.begin() + static_cast<ptrdiff_t>(i));
      sections_.erase(sections_.begin() + static_cast<ptrdiff_t>(i) + 1);
    }
    if (variables_.finish_after_writes) EndWithTheWriter();
    for (size_t i = 0; i < workload_.roles.size(); ++i) {
      const Status status = FinishRole(workload_.roles[i], sections_[i + 1]);
      if (!status.ok()) return status;
    }
    return Status::Ok();
  }

  // Who writes until readers end does --writes operations instead, and the readers end when it
  // does.
  void EndWithTheWriter() {
    const auto writer = std::ranges::find_if(workload_.roles, [](const Role& role) {
      return Writes(role.operation) && !role.until_role.empty();
    });
    if (writer == workload_.roles.end()) return;
    const auto reader = std::ranges::find(workload_.roles, writer->until_role, &Role::name);
    if (reader == workload_.roles.end() || !reader->until_role.empty()) return;  // Told of later.
    reader->until_role = writer->name;
    writer->until_role.clear();
    writer->operations = Named().at("$writes");
  }

  Status FinishRole(Role& role, const Section& section) {
    // Named by the line of the key that is to blame, else by that of the role.
    const auto error = [&](std::string_view key, const std::string& message) {
      const auto it = section.lines.find(key);
      return Error(it != section.lines.end() ? it->second : section.line,
                   fmt::format("[{}] {}", role.name, message));
    };
    const auto earlier = std::ranges::find(workload_.roles, role.name, &Role::name);
    if (&*earlier != &role) {
      const auto place = static_cast<size_t>(earlier - workload_.roles.begin());
      return error("", fmt::format("a second time, after line {}", sections_[place + 1].line));
    }
    if (!section.lines.contains("op")) return error("", "needs `op =`");
    if (!section.lines.contains("stop")) return error("", "needs `stop =`");
    if (role.operation == OperationKind::kGraph) return FinishGraph(role, section, error);
    if (role.operation == OperationKind::kYcsb) return FinishYcsb(role, section, error);
    if (role.operation == OperationKind::kTrace) return FinishTrace(role, section, error);
    if (const Status status = CheckSkew(role, section, error); !status.ok()) return status;
    const bool makes_one_size =
        IsUpdate(role.operation) && role.operation != OperationKind::kUpdate;
    if (role.value_size.vary() && (makes_one_size || ChoosesKeys(role.operation) ||
                                   role.operation == OperationKind::kTransaction)) {
      return error("value_size",
                   "has values of one size, from which what the store holds afterwards is known: "
                   "give its file a `value_size`, or run it without sizes that vary");
    }
    const bool takes_keys = TakesKeys(role.operation);
    if (takes_keys == (role.order == KeyOrder::kNone)) {
      return error("keys", takes_keys ? "needs `keys =`" : "takes no keys");
    }
    if (const Status status = CheckDraws(role, section, error); !status.ok()) return status;
    if (!IsScan(role.operation) && role.operations == Role::kToTheEnd) {
      return error("stop", "stops at the end, which only a scan comes to");
    }
    if (role.cut && role.operation != OperationKind::kGet) {
      return error("keys", "cuts its keys, which only `op = get` may do");
    }
    if (Writes(role.operation) && role.missing) {
      return error("keys", "writes missing keys: a missing key is one that nobody writes");
    }
    const bool may_repeat = role.operation != OperationKind::kMix &&
                            role.operation != OperationKind::kMerge && !IsUpdate(role.operation) &&
                            role.operation != OperationKind::kTransaction &&
                            (role.order == KeyOrder::kSequential || section.drawn);
    if (Writes(role.operation) && role.repeat && !may_repeat) {
      return error(
          "share",
          "writes with `share = repeat`, which only puts and erases of drawn or sequential "
          "keys may: otherwise every key has one writer");
    }
    if (role.repeat && Writes(role.operation) && role.range > ExpectedState::kMostRemembered) {
      return error("range", fmt::format("has more than {} keys, of each of which the last write "
                                        "would be remembered, in 4 bytes",
                                        ExpectedState::kMostRemembered));
    }
    const auto is_another_writer = [&](const Role& other) {
      return &other != &role && Writes(other.operation) &&
             !(role.operation != other.operation && IsOfSeries(role.operation) &&
               IsOfSeries(other.operation));
    };
    if (Writes(role.operation) && std::ranges::any_of(workload_.roles, is_another_writer)) {
      return error("op", "is not the only role that writes: every key has one writer");
    }
    if (IsOfStore(role.operation) && (workload_.roles.size() > 1 || role.threads > 1)) {
      return error("op", "works on the whole store: its role, of one thread, is the only one");
    }
    if (role.batch > 1 && role.operation != OperationKind::kPut &&
        role.operation != OperationKind::kErase && role.operation != OperationKind::kMultiGet) {
      return error("batch",
                   "has a batch, but only `op = put`, `op = erase` and `op = multi_get` have "
                   "batches");
    }
    if (const Status status = CheckTransaction(role, section, error); !status.ok()) return status;
    const bool seeks = role.operation == OperationKind::kSeek || role.seek_percent != 0;
    for (const char* const key : {"nexts", "direction", "max_distance"}) {
      if (!section.lines.contains(key) || seeks) continue;
      return error(key, fmt::format("has {}, but only `op = seek` and a mix that seeks do", key));
    }
    if (role.again && role.max_distance != 0) {
      return error("max_distance", "has a max_distance, which `op = seek again` does not look at");
    }
    if (variables_.read_random_exp_range > 0 && role.order == KeyOrder::kUniform &&
        role.source == DrawSource::kOwn && !Writes(role.operation)) {
      role.order = KeyOrder::kExponential;
      role.skew = variables_.read_random_exp_range;
    }
    if (variables_.distribution.kind != KeyDistributionPlan::Kind::kUniform &&
        role.order == KeyOrder::kUniform && role.source == DrawSource::kOwn &&
        !Writes(role.operation)) {
      role.order = KeyOrder::kSkewed;
      role.distribution.kind = variables_.distribution.kind;
      role.scattered = IsScattered(role.distribution.kind) && !variables_.contiguous_hot_keys;
    }
    if (const Status status = FinishRate(role, section, error); !status.ok()) return status;
    if (const Status status = SetStride(role, error); !status.ok()) return status;
    if (section.lines.contains("seed") && !takes_keys) {
      return error("seed", "has a seed, but takes no keys");
    }
    if (role.restarts && (!IsScan(role.operation) || role.until_role.empty())) {
      return error(
          "at_end",
          "restarts, but only `op = next` and `op = prev` that stop when another role ends "
          "can");
    }
    if (const Status status = CheckChoosing(role, section, error); !status.ok()) return status;
    if (const Status status = CheckText(role, section, error); !status.ok()) return status;
    if (const Status status = CheckMachine(role, section, error); !status.ok()) return status;
    if (const Status status = CheckAwaited(role, error); !status.ok()) return status;
    const unsigned __int128 percents =
        static_cast<unsigned __int128>(role.range) * section.first_percent;
    role.range = static_cast<uint64_t>((percents + 99) / 100);
    // The last ten are left out: the missing keys of the last tens would sort behind every key.
    if (role.missing && role.range > 10) role.range = (role.range - 1) / 10 * 10;
    return Status::Ok();
  }

  // Uniform draws of keys become those of runs of keys.
  template <class MakeError>
  Status SetStride(Role& role, const MakeError& error) const {
    if (role.stride == 0) return Status::Ok();
    if (role.operation != OperationKind::kMultiGet || role.order != KeyOrder::kUniform ||
        role.source != DrawSource::kOwn) {
      return error("stride",
                   "has a stride between the keys of a call, but only `op = multi_get` of uniform "
                   "keys, drawn by our own generator without --read_random_exp_range or "
                   "--key_distribution, does");
    }
    if (static_cast<unsigned __int128>(role.stride) * role.batch > role.range) {
      return error("stride", fmt::format("asks for {} keys with a stride of {} in a call, which "
                                         "{} keys do not hold; lower --multiread_stride",
                                         role.batch, role.stride, role.range));
    }
    role.order = KeyOrder::kRuns;
    return Status::Ok();
  }

  template <class MakeError>
  Status FinishGraph(Role& role, const Section& section, const MakeError& error) const {
    for (const auto& [key, line] : section.lines) {
      if (key == "threads" || key == "op" || key == "range" || key == "stop" || key == "rate")
        continue;
      return error(key, fmt::format("has `{} =`, which its operation does not know: its flags say "
                                    "it",
                                    key));
    }
    if (workload_.roles.size() > 1) return error("op", "is not the only role, which it has to be");
    if (role.operations == Role::kToTheEnd) {
      return error("stop", "stops at the end, which only a scan comes to");
    }
    if (role.range > ExpectedState::kMostRemembered) {
      return error("range", fmt::format("has more than {} keys, of each of which the last put "
                                        "would be remembered, in 8 bytes",
                                        ExpectedState::kMostRemembered));
    }
    if (role.graph.keys.ranges > role.range) {
      return error("range", fmt::format("has {} keys, and --keyrange_num={} ranges of them",
                                        role.range, role.graph.keys.ranges));
    }
    if (role.graph.one_number && role.threads > 1 && role.graph.keys.has_hot_keys()) {
      return error(
          "threads",
          "has more than one thread: the sizes of hot keys are their numbers', so how long "
          "a value is that two threads wrote would not be known");
    }
    role.value_size = role.graph.Sizes().WithSeed(variables_.value_size_seed);
    return Status::Ok();
  }

  template <class MakeError>
  Status FinishYcsb(Role& role, const Section& section, const MakeError& error) const {
    constexpr std::string_view kKnown[] = {
        "threads",  "op",       "keys",         "range",      "records", "requests", "scan_length",
        "exponent", "hot_keys", "hot_requests", "value_size", "rate",    "stop"};
    for (const auto& [key, line] : section.lines) {
      if (std::ranges::find(kKnown, key) != std::end(kKnown)) continue;
      return error(key, fmt::format("has `{} =`, which `op = ycsb` does not know", key));
    }
    if (workload_.roles.size() > 1) return error("op", "is not the only role, which it has to be");
    if (role.order != KeyOrder::kShuffled && role.order != KeyOrder::kSequential) {
      return error("keys",
                   "needs `keys = shuffled`, `sequential` or `$ycsb_key_order`: in which "
                   "order the keys of its records are");
    }
    if (role.missing || role.cut || section.first_percent != 100) {
      return error("keys", "asks for keys that have no record, or only some");
    }
    if (!section.lines.contains("requests")) return error("", "needs `requests =`");
    if (!section.lines.contains("records")) {
      return error("", "needs `records =`, how many the store was loaded with");
    }
    if (role.records > role.range) {
      return error("records", fmt::format("has {} records, but keys for {}; raise its `range`",
                                          role.records, role.range));
    }
    if (role.range > ExpectedState::kMostRemembered) {
      return error("range", fmt::format("has more than {} keys, of each of which the last write "
                                        "would be remembered, in 4 bytes",
                                        ExpectedState::kMostRemembered));
    }
    if (role.value_size.vary() || role.value_size.most() < ValueSource::kHeaderBytes) {
      return error("value_size", fmt::format("has records of one size, from {} bytes on",
                                             size_t{ValueSource::kHeaderBytes}));
    }
    if (role.operations == Role::kToTheEnd || !role.until_role.empty()) {
      return error("stop", "stops `after COUNT operations`");
    }
    const double inserts = static_cast<double>(role.operations) * role.ycsb.insert;
    if (inserts > static_cast<double>(role.range - role.records)) {
      return error("stop", fmt::format("inserts about {:.0f} records, and there is room for {}; "
                                       "lower --reads, or raise its `range`",
                                       inserts, role.range - role.records));
    }
    return FinishRate(role, section, error);
  }

  // Which keys, how many operations and how long values are is the trace's to say.
  template <class MakeError>
  Status FinishTrace(const Role& role, const Section& section, const MakeError& error) const {
    for (const auto& [key, line] : section.lines) {
      if (key == "threads" || key == "op" || key == "stop") continue;
      return error(key, fmt::format("has `{} =`, which the trace says itself", key));
    }
    if (workload_.roles.size() > 1) return error("op", "is not the only role, which it has to be");
    if (role.operations != Role::kToTheEnd) return error("stop", "stops `at the end` of the trace");
    if (role.trace.loads != (workload_.need == StoreNeed::kEmpty)) {
      return error("op", role.trace.loads ? "fills a store: its workload says `needs = empty store`"
                                          : "needs the store that `op = trace load` has filled: "
                                            "`needs = store loaded by replay-load`");
    }
    return Status::Ok();
  }

  // Lines of roles that draw some keys more often, or fill only some of an order.
  template <class MakeError>
  Status CheckSkew(const Role& role, const Section& section, const MakeError& error) const {
    for (const char* const key : {"requests", "scan_length"}) {
      if (!section.lines.contains(key)) continue;
      return error(key, fmt::format("has `{} =`, which only `op = ycsb` knows", key));
    }
    using Kind = KeyDistributionPlan::Kind;
    const Kind kind = role.order == KeyOrder::kSkewed ? role.distribution.kind : Kind::kUniform;
    if (section.lines.contains("exponent") && kind != Kind::kZipf && kind != Kind::kLatest) {
      return error("exponent", "has an exponent, but its keys are not `zipf` or `latest`");
    }
    for (const char* const key : {"hot_keys", "hot_requests"}) {
      if (!section.lines.contains(key) || kind == Kind::kHotspot) continue;
      return error(key, fmt::format("has `{} =`, but its keys are not `hotspot`", key));
    }
    if (!section.lines.contains("records")) return Status::Ok();
    const bool is_order = role.order == KeyOrder::kShuffled || role.order == KeyOrder::kSequential;
    if (role.operation != OperationKind::kPut || !is_order || role.repeat) {
      return error("records",
                   "has records, but only `op = ycsb`, and `op = put` of shuffled or sequential "
                   "keys that fills the store for it, have some");
    }
    if (role.records <= role.range) return Status::Ok();
    return error("records", fmt::format("has {} records, but keys for {}; raise its `range`",
                                        role.records, role.range));
  }

  // What draws may be for, and what generator they come from.
  template <class MakeError>
  Status CheckDraws(const Role& role, const Section& section, const MakeError& error) const {
    if (role.source != DrawSource::kOwn &&
        (!IsDrawn(role.order) || role.order == KeyOrder::kSkewed)) {
      return error("stream", "names a generator, but its keys are not uniform, drawn or forward");
    }
    if (role.source == DrawSource::kParkMiller && role.range > ParkMiller::kModulus) {
      return error("range", fmt::format("is beyond {}, the most that park-miller draws",
                                        ParkMiller::kModulus));
    }
    if (!Writes(role.operation) || !IsDrawn(role.order)) return Status::Ok();
    if (!section.drawn) {
      return error(
          "keys",
          "writes keys that are drawn: a writer's keys are sequential or shuffled, so that what "
          "the store must hold is known, or `drawn`, which remembers it");
    }
    if (role.operation != OperationKind::kPut && role.operation != OperationKind::kErase &&
        role.operation != OperationKind::kTransaction) {
      return error("keys",
                   "writes drawn keys, which only `op = put`, `op = erase` and `op = transaction` "
                   "may do");
    }
    if (role.range > ExpectedState::kMostRemembered) {
      return error("range", fmt::format("has more than {} keys, of each of which the last drawn "
                                        "write would be remembered, in 4 bytes",
                                        ExpectedState::kMostRemembered));
    }
    return Status::Ok();
  }

  // Of operations that choose their keys; sets what follows from several of their lines.
  template <class MakeError>
  Status CheckChoosing(Role& role, const Section& section, const MakeError& error) const {
    struct OwnKey {
      std::string_view key;
      OperationKind operation;
    };
    constexpr OwnKey kOwnKeys[] = {{"get_percent", OperationKind::kTriple},
                                   {"erase_percent", OperationKind::kTriple},
                                   {"ids", OperationKind::kSeriesPut},
                                   {"time_range", OperationKind::kSeriesPut},
                                   {"stddev", OperationKind::kReplace},
                                   {"disposable_batch", OperationKind::kDispose},
                                   {"persistent_batch", OperationKind::kDispose},
                                   {"disposable_value_size", OperationKind::kDispose},
                                   {"persistent_value_size", OperationKind::kDispose},
                                   {"delay_us", OperationKind::kDispose}};
    for (const auto& [key, operation] : kOwnKeys) {
      if (role.operation == operation || !section.lines.contains(key)) continue;
      return error(key, fmt::format("has `{} =`, which its operation does not know", key));
    }
    if (!ChoosesKeys(role.operation)) return Status::Ok();
    if (role.operation == OperationKind::kTriple) {
      if (role.get_percent + role.erase_percent > 100) {
        return error("erase_percent",
                     fmt::format("gets {}% and erases {}%, which is more than all; lower "
                                 "--readwritepercent or --deletepercent",
                                 role.get_percent, role.erase_percent));
      }
      if (role.value_size.least() < ValueSource::kHeaderBytes) {
        return error("value_size", fmt::format("compares values, which name their version from {} "
                                               "bytes on",
                                               size_t{ValueSource::kHeaderBytes}));
      }
      if (role.range % kTriple != 0) return error("range", "is not a multiple of 3");
      if (role.range > ExpectedState::kMostRemembered) {
        return error("range", fmt::format("is beyond {}, of which groups the last write is "
                                          "remembered",
                                          ExpectedState::kMostRemembered));
      }
      return Status::Ok();
    }
    if (role.threads > 1 && role.operation != OperationKind::kSeriesRead &&
        role.operation != OperationKind::kSeriesExpire) {
      return error("threads", "has more than one thread, which it works in");
    }
    if (workload_.need != StoreNeed::kEmpty) {
      return error("op", "fills a store: its workload says `needs = empty store`");
    }
    if (IsOfSeries(role.operation)) return CheckSeries(role, error);
    if (role.operation == OperationKind::kReplace) {
      if (role.range % kSlots != 0) return error("range", "is not a multiple of 50");
      return Status::Ok();
    }
    if (!role.until_role.empty()) return error("stop", "stops when another role ends");
    if (role.disposal.disposable_batch == 0)
      role.disposal.persistent_value_size = role.value_size.most();
    role.value_size =
        std::max(role.disposal.disposable_value_size, role.disposal.persistent_value_size);
    if (role.operations > KeyFormat::kLimit / 2) {
      return error("stop", "has more operations than there are keys");
    }
    const DisposalPlan& plan = role.disposal;
    if (plan.disposable_batch != 0 &&
        static_cast<unsigned __int128>(role.operations) / plan.disposable_batch * plan.cycle() +
                plan.cycle() >
            KeyFormat::kLimit) {
      return error("persistent_batch", "needs more keys than there are; make it smaller");
    }
    role.range = plan.PositionsFor(role.operations);
    return Status::Ok();
  }

  // Of the roles of a series, all of which have what its writer says.
  template <class MakeError>
  Status CheckSeries(Role& role, const MakeError& error) const {
    const auto writer =
        std::ranges::find(workload_.roles, OperationKind::kSeriesPut, &Role::operation);
    if (writer == workload_.roles.end()) {
      return error("op", "is of a series, which no role with `op = series put` writes");
    }
    if (writer->operations == 0 || !writer->until_role.empty()) {
      return error("stop", "is of a series whose writer has no number of operations");
    }
    role.series.ids = writer->series.ids;
    role.series.time_range = writer->series.time_range;
    role.series.time_bits = SeriesPlan::BitsFor(writer->operations);
    role.series.expires = std::ranges::any_of(workload_.roles, [](const Role& other) {
      return other.operation == OperationKind::kSeriesExpire;
    });
    role.value_size = writer->value_size;
    if (role.series.time_bits > 50 || static_cast<unsigned __int128>(role.series.ids)
                                              << role.series.time_bits >
                                          KeyFormat::kLimit) {
      return error("op", fmt::format("needs more keys than there are: {} ids of {} times (rounded "
                                     "up to a power of two); lower --key_id_range or --num",
                                     role.series.ids, writer->operations));
    }
    role.range = role.series.range();
    return Status::Ok();
  }

  // Of a rate in bytes makes one in entries, of their mean size: the schedule counts those.
  template <class MakeError>
  Status FinishRate(Role& role, const Section& section, const MakeError& error) const {
    if (!section.lines.contains("rate")) return Status::Ok();
    if (IsOfStore(role.operation) || IsOfMachine(role.operation)) {
      return error("rate", "has a rate, but does not read or write entries one after the other");
    }
    const uint64_t bytes = section.bytes_per_second;
    if (bytes == 0) return Status::Ok();
    if (role.operation != OperationKind::kPut && role.operation != OperationKind::kErase &&
        role.operation != OperationKind::kMerge && !IsUpdate(role.operation)) {
      return error("rate",
                   "has a rate in bytes, but only `put`, `erase`, `merge`, `update`, `append` and "
                   "`xor` do, whose operations write one entry each");
    }
    const uint64_t value_bytes = role.operation == OperationKind::kErase
                                     ? 0
                                     : (role.value_size.least() + role.value_size.most()) / 2;
    const uint64_t entry_bytes = std::max<uint64_t>(variables_.key_bytes + value_bytes, 1);
    if (bytes < entry_bytes) {
      return error("rate", fmt::format("has a rate of {} bytes a second, which is less than one "
                                       "entry of {} bytes; raise it, or make the values smaller",
                                       bytes, entry_bytes));
    }
    role.rate = std::min((bytes + entry_bytes / 2) / entry_bytes, kMaxRate);
    return Status::Ok();
  }

  template <class MakeError>
  Status CheckTransaction(const Role& role, const Section& section, const MakeError& error) const {
    if (role.operation != OperationKind::kTransaction) {
      if (!section.lines.contains("sets")) return Status::Ok();
      return error("sets", "has sets of keys, but only `op = transaction` changes one of each");
    }
    if (role.order != KeyOrder::kUniform || role.source != DrawSource::kOwn) {
      return error("keys",
                   "changes counters in transactions: their keys are `drawn`, by our own "
                   "generator");
    }
    if (role.value_size.least() < ValueSource::kHeaderBytes) {
      return error("value_size", fmt::format("counts in the versions of its values, which those "
                                             "below {} bytes do not have; this has {}",
                                             ValueSource::kHeaderBytes, role.value_size.least()));
    }
    const auto keys = static_cast<unsigned __int128>(role.range) * role.sets;
    if (keys > ExpectedState::kMostRemembered) {
      return error("sets", fmt::format("has more than {} keys in all its sets, of each of which "
                                       "the counter would be remembered, in 4 bytes",
                                       ExpectedState::kMostRemembered));
    }
    if (role.as_batch && role.threads > 1) {
      return error("threads",
                   fmt::format("has {} threads, and without transactions they lose each other's "
                               "updates: one thread, or an engine's transactions "
                               "(--transaction_batches=0; RocksDB's db_bench: --transaction_db or "
                               "--optimistic_transaction_db)",
                               role.threads));
    }
    return Status::Ok();
  }

  template <class MakeError>
  Status CheckText(const Role& role, const Section& section, const MakeError& error) const {
    const bool asks = role.operation == OperationKind::kProperty;
    if (asks != section.lines.contains("property")) {
      return error("property", asks ? "needs `property =`, the name of one"
                                    : "names a property, but only `op = property` asks for one");
    }
    if (GivesText(role.operation) && role.operations != 1) {
      return error("stop", "gives one text: `stop = after 1 operation`");
    }
    return Status::Ok();
  }

  template <class MakeError>
  Status CheckMachine(const Role& role, const Section& section, const MakeError& error) const {
    const bool has_codec = role.operation == OperationKind::kCompress ||
                           role.operation == OperationKind::kCompressReject ||
                           role.operation == OperationKind::kUncompress;
    if (has_codec != section.lines.contains("codec")) {
      return error("codec", has_codec ? "needs `codec =`: snappy, zstd or lz4"
                                      : "names a codec, but only compress, compress_reject and "
                                        "uncompress have one");
    }
    if (IsOfMachine(role.operation) != (workload_.need == StoreNeed::kNone)) {
      return error("op", IsOfMachine(role.operation)
                             ? "measures the machine: its workload says `needs = no store`"
                             : "works on a store, but the workload says `needs = no store`");
    }
    if (!IsOfMachine(role.operation)) return Status::Ok();
    if (workload_.roles.size() > 1) {
      return error("op", "measures the machine: its role is the only one");
    }
    if (role.value_size.vary()) {
      return error("value_size", "varies, but blocks of the machine's operations have one size");
    }
    if (role.value_size.most() > ValueSource::kPoolBytes) {
      return error("value_size", fmt::format("has blocks of more than {} bytes, which is all that "
                                             "the pool of values has",
                                             ValueSource::kPoolBytes));
    }
    return Status::Ok();
  }

  template <class MakeError>
  Status CheckAwaited(const Role& role, const MakeError& error) const {
    if (role.until_role.empty()) return Status::Ok();
    std::vector<std::string> names;  // Of those that end by themselves.
    for (const Role& other : workload_.roles) {
      if (other.until_role.empty()) names.push_back(other.name);
    }
    if (std::ranges::find(names, role.until_role) != names.end()) return Status::Ok();
    const std::string nearest = NearestName(role.until_role, names);
    return error("stop",
                 fmt::format("stops when [{}] ends, but no such role ends by itself{}",
                             Printable(role.until_role.substr(0, 80)),
                             nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
  }

  WorkloadVariables variables_;
  Workload workload_;
  std::vector<Section> sections_{1};  // Of the head, and of each role.
};

}  // namespace

StatusOr<Workload> ParseWorkload(const std::string& name, std::string_view text,
                                 const WorkloadVariables& variables) {
  Parser parser(name, variables);
  const Status status = parser.Parse(text);
  if (!status.ok()) return status;
  return parser.Take();
}

StatusOr<WorkloadText> FindWorkload(const std::string& name_or_path) {
  if (name_or_path.ends_with(".workload")) {
    std::ifstream file(name_or_path, std::ios::binary);
    if (!file) {
      return Status::Usage(
          fmt::format("--benchmarks: cannot read the workload file {}", name_or_path));
    }
    std::string text(kMaxFileBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(file.gcount()));
    return WorkloadText{std::filesystem::path(name_or_path).stem().string(), std::move(text)};
  }
  std::vector<std::string> names;
  for (const auto& [name, text] : BuiltinWorkloads()) {
    if (name == name_or_path) return WorkloadText{name_or_path, std::string(text)};
    names.emplace_back(name);
  }
  if (const std::string_view why = WhyNotRun(name_or_path); !why.empty()) {
    return Status::Usage(fmt::format(
        "--benchmarks: '{}' {}, so it is not run here. `levelfield workloads` lists what is.",
        name_or_path, why));
  }
  const std::string nearest = NearestName(name_or_path, names);
  return Status::Usage(fmt::format(
      "--benchmarks: no workload is called '{}'{} `levelfield workloads` lists them; a file of "
      "your "
      "own is given by its path, ending in .workload.",
      name_or_path, nearest.empty() ? "." : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace levelfield
