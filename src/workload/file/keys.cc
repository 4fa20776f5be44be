// The keys that may stand before a `=` in a workload file, and what they set.
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"
#include "workload/acts.h"
#include "workload/file/numbers.h"
#include "workload/file/role_lines.h"
#include "workload/find_workload.h"
#include "workload/key_format.h"
#include "workload/value_sizes.h"
#include "workload/workload_settings.h"

namespace levelfield {
namespace {

template <std::string Workload::*kMember>
std::string ReadText(ParsedWorkload& parsed, const FileNumbers&, std::string_view text) {
  parsed.workload.*kMember = text;
  return "";
}

std::string ReadNeed(ParsedWorkload& parsed, const FileNumbers&, std::string_view text) {
  static const std::map<std::string_view, StoreNeed> needs = {
      {"empty store", StoreNeed::kEmpty},
      {"loaded store", StoreNeed::kLoaded},
      {"newly filled store", StoreNeed::kLoaded},
      {"any store", StoreNeed::kAny},
      {"no store", StoreNeed::kNone}};
  Workload& workload = parsed.workload;
  constexpr std::string_view kLoadedBy = "store loaded by ";
  const auto it = needs.find(text);
  if (it != needs.end()) {
    workload.need = it->second;
    if (text == "newly filled store") workload.loader = "fillseq";
  } else if (text.starts_with(kLoadedBy)) {
    workload.loaded_by = text.substr(kLoadedBy.size());
    if (!IsWorkloadFile(workload.loaded_by) && !FindWorkload(workload.loaded_by).ok()) {
      return "store loaded by NAME, which `levelfield workloads` lists, or by FILE.workload";
    }
    workload.need = StoreNeed::kLoaded;
  } else {
    return "empty store, loaded store, newly filled store, store loaded by NAME or FILE.workload, "
           "any store or no store";
  }
  return "";
}

// COUNT | LOW..HIGH
std::string ReadKeySize(ParsedWorkload& parsed, const FileNumbers& numbers, std::string_view text) {
  constexpr uint64_t kMostDigits = 1024;  // As --key_size and --key_size_max have.
  Workload& workload = parsed.workload;
  const size_t dots = text.find("..");
  std::string accepted =
      numbers.SetCount(Trim(text.substr(0, dots)), workload.key_size, kMostDigits, 1);
  if (accepted.empty() && dots != std::string_view::npos) {
    accepted = numbers.SetCount(Trim(text.substr(dots + 2)), workload.key_size_max, kMostDigits, 1);
  }
  if (!accepted.empty()) return accepted;
  const bool has_range =
      dots == std::string_view::npos || workload.key_size <= workload.key_size_max;
  return has_range ? "" : "LOW..HIGH with LOW at most HIGH";
}

bool ReadSkewed(std::string_view text, Role& role) {
  constexpr std::string_view kContiguous = " contiguous";
  const bool is_contiguous = text.ends_with(kContiguous);
  if (is_contiguous) text.remove_suffix(kContiguous.size());
  const auto kind = DistributionKindOf(text);
  if (!kind || (is_contiguous && !RowOf(*kind).is_scattered)) return false;
  role.order = KeyOrder::kSkewed;
  role.distribution.kind = *kind;
  role.scattered = RowOf(*kind).is_scattered && !is_contiguous;
  return true;
}

// How the keys of a role are written:
//     sequential | shuffled [within COUNT] | drawn | forward | DISTRIBUTION [contiguous] [missing |
//     cut] [of the first N%] | none
std::string ReadKeys(ParsedWorkload& parsed, const FileNumbers& numbers, std::string_view text) {
  Role& role = parsed.role();
  constexpr std::string_view kFirst = " of the first ";
  if (const size_t at = text.find(kFirst); at != std::string_view::npos) {
    std::string_view percent = text.substr(at + kFirst.size());
    if (!percent.ends_with('%')) return "`of the first N%`";
    percent.remove_suffix(1);
    const std::optional<uint64_t> number = Digits(percent);
    if (!number || *number == 0 || *number > 100) return "`of the first N%`, N from 1 to 100";
    parsed.section().first_percent = *number;
    text = text.substr(0, at);
  }
  constexpr std::string_view kMissing = " missing";
  if (text.ends_with(kMissing)) {
    role.missing = true;
    text.remove_suffix(kMissing.size());
  }
  constexpr std::string_view kCut = " cut";
  if (text.ends_with(kCut)) {
    role.cut = true;
    text.remove_suffix(kCut.size());
  }
  static const std::map<std::string_view, KeyOrder> orders = {
      {"none", KeyOrder::kNone},         {"sequential", KeyOrder::kSequential},
      {"shuffled", KeyOrder::kShuffled}, {"uniform", KeyOrder::kUniform},
      {"drawn", KeyOrder::kUniform},     {"forward", KeyOrder::kForward}};
  if (text == "$ycsb_key_order") {
    text = numbers.settings().ycsb_key_order == "ordered" ? "sequential" : "shuffled";
  }
  constexpr std::string_view kWithin = "shuffled within ";
  if (text.starts_with(kWithin)) {
    role.order = KeyOrder::kShuffled;
    return numbers.SetCount(text.substr(kWithin.size()), role.window, KeyFormat::kLimit, 1);
  }
  const auto it = orders.find(text);
  if (it == orders.end()) {
    if (ReadSkewed(text, role)) return "";
    return "none, sequential, shuffled, `shuffled within COUNT`, drawn, forward, " +
           Listed(DistributionNames(), "or") +
           ", and perhaps `contiguous`, `missing`, `cut` or `of the first N%`";
  }
  role.order = it->second;
  parsed.section().drawn = text == "drawn";
  return "";
}

std::string ReadValueSize(ParsedWorkload& parsed, const FileNumbers& numbers,
                          std::string_view text) {
  const auto read_count = [&](std::string_view count, uint64_t& field) {
    return numbers.SetCount(count, field, limits::kValueBytes, 0);
  };
  ValueSizes sizes;
  const std::string accepted = ReadValueSizes(text, read_count, sizes);
  parsed.role().value_size = sizes.WithSeed(ValueSizeSeed(numbers.settings()));
  return accepted;
}

// COUNT | COUNT bytes | a curve
std::string ReadRate(ParsedWorkload& parsed, const FileNumbers& numbers, std::string_view text) {
  if (text.starts_with('@')) return "a rate: a file is for --rate=@FILE; put its steps here";
  if (RateCurve::IsCurve(text)) {
    StatusOr<RateCurve> curve = RateCurve::Parse(text);
    if (!curve.ok()) return "a rate: " + curve.status().message();
    parsed.role().rate = static_cast<uint64_t>(std::ceil(curve->PeakRate()));
    parsed.role().curve = std::move(*curve);
    return "";
  }
  constexpr std::string_view kBytes = " bytes";
  if (!text.ends_with(kBytes)) return numbers.SetCount(text, parsed.role().rate, limits::kRate, 0);
  text.remove_suffix(kBytes.size());
  return numbers.SetCount(Trim(text), parsed.section().bytes_per_second, limits::kByteRate, 0);
}

std::string ReadStream(ParsedWorkload& parsed, const FileNumbers&, std::string_view text) {
  static const std::map<std::string_view, DrawSource> sources = {
      {"own", DrawSource::kOwn},
      {"park-miller", DrawSource::kParkMiller},
      {"mersenne", DrawSource::kMersenne}};
  const auto it = sources.find(text);
  if (it == sources.end()) return "own, park-miller or mersenne";
  parsed.role().source = it->second;
  return "";
}

// after COUNT operations [at most] | when ROLE ends | when ROLEs end | at the end
std::string ReadStop(ParsedWorkload& parsed, const FileNumbers& numbers, std::string_view text) {
  constexpr std::string_view kAccepted =
      "`after COUNT operations`, perhaps `at most`, `when ROLE ends`, or of a scan or a trace `at "
      "the "
      "end`";
  if (text == "at the end") {
    parsed.role().operations = Role::kToTheEnd;
    return "";
  }
  constexpr std::string_view kAfter = "after ";
  constexpr std::string_view kAtMost = " at most";
  if (text.starts_with(kAfter) && text.ends_with(kAtMost)) {
    parsed.role().ends_by_count = true;
    text.remove_suffix(kAtMost.size());
  }
  for (const std::string_view unit : {" operations", " operation"}) {
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

std::string ReadOperation(ParsedWorkload& parsed, const FileNumbers& numbers,
                          std::string_view text) {
  std::string accepted;
  for (const Operation* const operation : Operations()) {
    const bool is_named = operation->read == nullptr && operation->name == text;
    const std::optional<std::string> read =
        operation->read != nullptr ? operation->read(text, numbers, parsed.role()) : std::nullopt;
    if (is_named || read) {
      parsed.role().operation = operation;
      if (operation->set != nullptr) operation->set(numbers, parsed.role());
      return read.value_or("");
    }
    accepted += accepted.empty() ? "" : ", ";
    accepted += operation->form;
  }
  return accepted;
}

template <double KeyDistributionPlan::*kMember>
std::string ReadRatio(ParsedWorkload& parsed, const FileNumbers& numbers, std::string_view text) {
  const bool is_exponent = kMember == &KeyDistributionPlan::exponent;
  return numbers.SetRatio(text, parsed.role().distribution.*kMember, is_exponent ? 100 : 1);
}

// Lines that any role may have.
constexpr RoleLine kCommonLines[] = {
    {"threads", ReadCount<limits::kThreads, 0, &Role::threads>},
    {"op", ReadOperation},
    {"keys", ReadKeys},
    {"range", ReadCount<KeyFormat::kLimit, 1, &Role::range>},
    {"prefixes", ReadCount<KeyFormat::kLimit, 1, &Role::prefixes>},
    {"stop", ReadStop},
    {"value_size", ReadValueSize},
    {"batch", ReadCount<limits::kBatch, 1, &Role::batch>},
    {"stride", ReadCount<KeyFormat::kLimit, 0, &Role::stride>},
    {"rate", ReadRate},
    {"seed",
     [](ParsedWorkload& p, const FileNumbers&, std::string_view v) -> std::string {
       p.role().seed = v;
       return IsName(v) ? "" : "a name or a number, of letters, digits, _ and -";
     }},
    {"at_end",
     [](ParsedWorkload& p, const FileNumbers&, std::string_view v) -> std::string {
       p.role().restarts = v == "restart";
       return v == "stop" || v == "restart" ? "" : "stop or restart";
     }},
    {"stream", ReadStream},
    {"records", ReadCount<KeyFormat::kLimit, 1, &Role::records>},
    {"exponent", ReadRatio<&KeyDistributionPlan::exponent>},
    {"hot_keys", ReadRatio<&KeyDistributionPlan::hot_keys>},
    {"hot_requests", ReadRatio<&KeyDistributionPlan::hot_requests>},
    {"share",
     [](ParsedWorkload& p, const FileNumbers&, std::string_view v) -> std::string {
       p.role().repeat = v == "repeat";
       return v == "split" || v == "repeat"
                  ? ""
                  : "split (threads share the work) or repeat (each does all of it)";
     }},
};

}  // namespace

const std::map<std::string_view, LineReader>& HeadKeys() {
  static const std::map<std::string_view, LineReader> keys = {
      {"summary", ReadText<&Workload::summary>},
      {"family", ReadText<&Workload::family>},
      {"durability",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) -> std::string {
         p.workload.durability = v;
         return v == "none" || v == "process" || v == "synced" ? "" : "none, process or synced";
       }},
      {"needs", ReadNeed},
      {"act", [](ParsedWorkload& p, const FileNumbers&,
                 std::string_view v) { return ReadAct(v, p.workload.act); }},
      {"key_format",
       [](ParsedWorkload& p, const FileNumbers&, std::string_view v) -> std::string {
         p.workload.key_format = v;
         return v == "decimal" || v == "hex" || v == "integer" ? "" : "decimal, hex or integer";
       }},
      {"key_size", ReadKeySize},
  };
  return keys;
}

const std::map<std::string_view, LineReader>& RoleKeys() {
  static const std::map<std::string_view, LineReader> keys = [] {
    std::map<std::string_view, LineReader> readers;
    for (const RoleLine& line : kCommonLines) readers.emplace(line.key, line.read);
    for (const Operation* const operation : Operations()) {
      for (const RoleLine& line : operation->lines) readers.emplace(line.key, line.read);
    }
    return readers;
  }();
  return keys;
}

}  // namespace levelfield
