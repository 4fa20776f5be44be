#include "settings/dialects/cache_bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <variant>

#include "base/quote.h"
#include "base/text.h"
#include "base/units.h"

namespace levelfield {
namespace {

constexpr Generation kGenerations[] = {Generation::k2014, Generation::k2020, Generation::kCurrent};
constexpr double kMostKeys = uint64_t{1} << 56;
constexpr double kLeastValueBytes = 8;  // Its stamp.
constexpr double kMostValueBytes = 1 << 30;

// One flag: everything about it except the use of its field.
struct Row {
  using Defaults = std::array<std::optional<std::string_view>, 3>;  // None: that one lacks it.
  struct Bytes {
    uint64_t CacheBenchSettings::*field;
  };
  // A flag without a field asks for something of which only the default can be honoured.
  using Field =
      std::variant<std::monostate, uint64_t CacheBenchSettings::*, Bytes,
                   int64_t CacheBenchSettings::*, double CacheBenchSettings::*,
                   bool CacheBenchSettings::*, std::string CacheBenchSettings::*, CacheOperation>;

  std::string_view name;
  std::string_view type;  // gflags' name for it.
  Defaults defaults;      // By generation.
  std::string_view help;
  Field field;
  double least = 0;
  double most = 0;
  std::string_view refused = "";  // Why only the default is accepted; empty: any value is.
  bool is_ours = false;           // The original has no such flag.

  const std::optional<std::string_view>& DefaultIn(Generation generation) const {
    return defaults[static_cast<size_t>(generation)];
  }
  bool IsIn(Generation generation) const { return DefaultIn(generation).has_value(); }
  bool IsSwitch() const { return type == "bool"; }
};

constexpr Row::Defaults Always(std::string_view text) { return {text, text, text}; }
constexpr Row::Defaults By(std::string_view first, std::string_view second,
                           std::string_view current) {
  return {first, second, current};
}
constexpr Row::Defaults In2014(std::string_view text) { return {text, std::nullopt, std::nullopt}; }
constexpr Row::Defaults Since2020(std::string_view second, std::string_view current) {
  return {std::nullopt, second, current};
}
constexpr Row::Defaults Since2020(std::string_view text) { return Since2020(text, text); }
constexpr Row::Defaults Now(std::string_view text) { return {std::nullopt, std::nullopt, text}; }

constexpr Row Share(std::string_view name, Row::Defaults defaults, std::string_view help,
                    CacheOperation operation) {
  return {name, "uint32", defaults, help, operation, 0, 100};
}
constexpr Row Switch(std::string_view name, Row::Defaults defaults, std::string_view help,
                     bool CacheBenchSettings::*field) {
  return {name, "bool", defaults, help, field};
}
constexpr Row OnlyDefault(std::string_view name, std::string_view type, Row::Defaults defaults,
                          std::string_view help, std::string_view reason) {
  return {name, type, defaults, help, {}, 0, 0, reason};
}
constexpr Row Ours(Row row) {
  row.is_ours = true;
  return row;
}

constexpr std::string_view kNoKeyStress =
    "it tests how RocksDB makes its cache keys and measures no cache";
constexpr std::string_view kNoGathering =
    "a further thread that walks all entries has no counterpart in the other caches";
constexpr std::string_view kNoAllocator =
    "every cache is measured with the allocator of the process, so that they can be compared";

constexpr Row kRows[] = {
    {"threads", "uint32", Always("16"), "Number of concurrent threads to run.",
     &CacheBenchSettings::threads, 1, 1024},
    {"cache_size", "uint64", By("8388608", "1073741824", "1073741824"),
     "Capacity of the cache: bytes, of which a value takes value_bytes; in generation 2014 "
     "entries, since each is charged 1.",
     Row::Bytes{&CacheBenchSettings::cache_size}, 1, uint64_t{1} << 48},
    {"num_shard_bits", "int32", By("4", "6", "-1"), "2^n shards; -1: as the cache itself chooses.",
     &CacheBenchSettings::num_shard_bits, -1, 19},
    {"ops_per_thread", "uint64", By("1200000", "2000000", "2000000"),
     "Number of operations per thread.", &CacheBenchSettings::ops_per_thread, 1, uint64_t{1} << 40},
    Switch("populate_cache", By("false", "true", "true"),
           "Fill the cache before the operations, unmeasured.",
           &CacheBenchSettings::populate_cache),
    {"max_key", "int64", In2014("1073741824"), "Number of keys, drawn uniformly.",
     &CacheBenchSettings::max_key, 1, kMostKeys},
    Switch("use_clock_cache", In2014("false"),
           "Use RocksDB's clock cache: today's HyperClockCache, since the old one has been "
           "removed.",
           &CacheBenchSettings::use_clock_cache),
    Share("lookup_insert_percent", Since2020("87", "82"),
          "Ratio of lookup (+ insert on not found) to total workload (expressed as a percentage)",
          CacheOperation::kLookupInsert),
    Share("insert_percent", By("40", "2", "2"),
          "Ratio of insert to total workload (expressed as a percentage)", CacheOperation::kInsert),
    Share("blind_insert_percent", Now("5"),
          "Ratio of insert without keeping a handle to total workload (expressed as a percentage)",
          CacheOperation::kBlindInsert),
    Share("lookup_percent", By("50", "10", "10"),
          "Ratio of lookup to total workload (expressed as a percentage)", CacheOperation::kLookup),
    Share("erase_percent", By("10", "1", "1"),
          "Ratio of erase to total workload (expressed as a percentage)", CacheOperation::kErase),
    {"resident_ratio", "double", Since2020("0.25"),
     "Ratio of keys fitting in cache to key space: there are cache_size / resident_ratio / "
     "value_bytes keys.",
     &CacheBenchSettings::resident_ratio, 1e-9, 1e9},
    {"value_bytes", "uint32", Since2020("8192"), "Size of each value added.",
     Row::Bytes{&CacheBenchSettings::value_bytes}, kLeastValueBytes, kMostValueBytes},
    {"value_bytes_estimate", "uint32", Now("0"),
     "What a HyperClockCache is told that an entry is charged; 0: value_bytes.",
     Row::Bytes{&CacheBenchSettings::value_bytes_estimate}, 0, kMostValueBytes},
    {"compressible_to_ratio", "double", Now("0.5"),
     "The share of a value that is random; the rest repeats it.",
     &CacheBenchSettings::compressible_to_ratio, 0.01, 1},
    {"skew", "uint32", Since2020("5"),
     "Degree of skew in key selection: a key is the least of skew + 1 draws.",
     &CacheBenchSettings::skew, 0, 1000},
    Switch("skewed", Since2020("false"), "Log-uniform keys in place of skew.",
           &CacheBenchSettings::skewed),
    {"pinned_ratio", "double", Now("0.25"),
     "Ratio of the cache that the threads' handles hold, the oldest released first.",
     &CacheBenchSettings::pinned_ratio, 0, 0.95},
    Switch("histograms", Always("true"),
           "Read the clock around every call; without, there are no percentiles.",
           &CacheBenchSettings::histograms),
    Switch("lean", Always("false"), "Measure the cache alone: no value is made, read or freed.",
           &CacheBenchSettings::lean),
    {"seed", "uint32", Always("0"), "Of all random streams.", &CacheBenchSettings::seed, 0, 0x1p64},
    {"cache_type", "string", By("lru_cache", "lru_cache", "hyper_clock_cache"),
     "lru_cache, hyper_clock_cache, fixed_hyper_clock_cache, auto_hyper_clock_cache (RocksDB's; "
     "lru_cache@system, hyper_clock_cache@system: the distribution's), leveldb_lru, sharded_map "
     "(the floor); several with commas between, or all.",
     &CacheBenchSettings::cache_type},
    OnlyDefault("gather_stats", "bool", Since2020("false"),
                "Walk all entries periodically in a further thread.", kNoGathering),
    OnlyDefault("gather_stats_sleep_ms", "uint32", Since2020("1000"), "Between two walks.",
                kNoGathering),
    OnlyDefault("gather_stats_entries_per_lock", "uint32", Since2020("256"), "Of a walk.",
                kNoGathering),
    OnlyDefault("secondary_cache_uri", "string", Since2020(""),
                "A secondary cache behind the cache.",
                "no secondary cache is a plug-in here, and the table of caches has no way to "
                "reach one"),
    OnlyDefault("vary_capacity_ratio", "double", Now("0"), "Change the capacity meanwhile.",
                "a capacity that changes has no counterpart in LevelDB's cache"),
    OnlyDefault("eviction_effort_cap", "uint32", Now("30"), "Of HyperClockCache.",
                "RocksDB 7.8.3, whose caches are measured, has no such option"),
    OnlyDefault("degenerate_hash_bits", "uint32", Now("0"), "Make hash collisions.",
                "a cache chooses its own hash, which only RocksDB's own program can spoil"),
    OnlyDefault("usleep", "uint32", Now("0"), "Sleep after each operation.",
                "a sleep within the measured loop would be counted as the cache's"),
    OnlyDefault("early_exit", "bool", Now("false"), "Exit before the cache is destroyed.",
                "destroying the cache shows that each value was let go once, which is checked"),
    OnlyDefault("report_problems", "bool", Now("true"), "Report what is wrong.",
                "what is wrong is always reported"),
    OnlyDefault("use_jemalloc_no_dump_allocator", "bool", Now("false"),
                "An allocator of RocksDB's.", kNoAllocator),
    OnlyDefault("jemalloc_no_dump_allocator_num_arenas", "uint32", Now("1"), "Of that allocator.",
                kNoAllocator),
    OnlyDefault("jemalloc_no_dump_allocator_limit_tcache_size", "bool", Now("false"),
                "Of that allocator.", kNoAllocator),
    OnlyDefault("stress_cache_instances", "uint32", Now("0"), "Make and destroy many caches.",
                "it tests for a limit of RocksDB's and measures no cache"),
    OnlyDefault("stress_cache_key", "bool", Since2020("false"),
                "Run the stress test of cache keys instead.", kNoKeyStress),
    // Read first, because it decides what the others mean.
    Ours({"generation",
          "string",
          Always(""),
          "2014, 2020 or current: whose flags, defaults and mix these are. If it is not given, it "
          "follows from the flags.",
          {}}),
    Ours(Switch("scaling", Always("false"), "Run with 1, 2, 4 ... threads up to --threads.",
                &CacheBenchSettings::scaling)),
    Ours({"stall", "double", Always("30"),
          "Seconds without any operation after which a cache is taken to hang, and is killed.",
          &CacheBenchSettings::stall, 0.1, 1e6}),
    Ours({"results", "string", Always("results"),
          "The directory in which the results' directory is made.", &CacheBenchSettings::results}),
};

const Row* RowOf(std::string_view name) {
  const auto it = std::ranges::find(kRows, name, &Row::name);
  return it == std::end(kRows) ? nullptr : &*it;
}

// RocksDB's names for its caches. From the current generation on, `hyper_clock_cache` is the one
// that grows.
struct CacheName {
  std::string_view typed;
  std::string_view plugin;
  std::string_view plugin_now = plugin;
  Generation since = Generation::k2020;
};
constexpr CacheName kRocksDbNames[] = {
    {"lru_cache", "rocksdb_lru"},
    {"hyper_clock_cache", "rocksdb_hyper_clock", "rocksdb_auto_hyper_clock"},
    {"fixed_hyper_clock_cache", "rocksdb_hyper_clock", "rocksdb_hyper_clock", Generation::kCurrent},
    {"auto_hyper_clock_cache", "rocksdb_auto_hyper_clock", "rocksdb_auto_hyper_clock",
     Generation::kCurrent},
    {"lru_cache@system", "rocksdb_lru@system"},
    {"hyper_clock_cache@system", "rocksdb_hyper_clock@system"}};

struct NoCache {
  std::string_view typed;
  std::string_view reason;
};
constexpr NoCache kNoCaches[] = {
    {"clock_cache", "RocksDB has removed it; hyper_clock_cache is its successor"},
    {"fast_lru_cache", "RocksDB's headers do not let anybody make one, and it has been removed"},
    {"tiered_lru_cache", "it needs a secondary cache, which is no plug-in here"},
};

Status UnknownCacheBenchFlag(const std::string& name) {
  if (name.starts_with("sck_")) {
    return Status::Usage(fmt::format("--{}: {}", Printable(name), kNoKeyStress));
  }
  std::vector<std::string> names;
  for (const Row& row : kRows) names.emplace_back(row.name);
  const std::string nearest = NearestName(name, names);
  return Status::Usage(
      fmt::format("unknown command line flag '{}'{} `cache_bench --help` lists "
                  "them.",
                  Printable(name), nearest.empty() ? "." : "; did you mean --" + nearest + "?"));
}

// gflags' name for it. The numbers of the first generation are signed, except for one.
std::string_view TypeOf(const Row& row, Generation generation) {
  if (generation != Generation::k2014 || row.name == "ops_per_thread") return row.type;
  if (row.type == "uint32") return "int32";
  return row.type == "uint64" ? "int64" : row.type;
}

std::optional<Generation> GenerationOf(std::string_view text) {
  for (const Generation generation : kGenerations) {
    if (GenerationName(generation) == text) return generation;
  }
  return std::nullopt;
}

// The oldest generation that has all of the flags.
StatusOr<std::pair<Generation, std::string>> ChooseGeneration(const CacheBenchWords& words) {
  for (const auto& [name, value] : words.flags) {
    if (words.generation && !RowOf(name)->IsIn(*words.generation)) {
      return Status::Usage(fmt::format("--{}: is no flag of generation {}", name,
                                       GenerationName(*words.generation)));
    }
  }
  if (words.generation) return std::pair{*words.generation, std::string("as was asked for")};
  std::string decided_by;
  std::vector<Generation> left(std::begin(kGenerations), std::end(kGenerations));
  const auto keep = [&](auto accepts, const std::string& name) {
    const size_t before = left.size();
    std::vector<Generation> kept;
    std::ranges::copy_if(left, std::back_inserter(kept), accepts);
    if (kept.empty()) return false;
    left = std::move(kept);
    if (left.size() < before) decided_by += (decided_by.empty() ? "--" : ", --") + name;
    return true;
  };
  for (const auto& [name, value] : words.flags) {
    const Row& row = *RowOf(name);
    if (!keep([&](Generation generation) { return row.IsIn(generation); }, name)) {
      return Status::Usage(
          fmt::format("--{} and {} are of different generations of cache_bench; `cache_bench "
                      "--help` lists the flags of each",
                      name, decided_by));
    }
  }
  // Flags that the first generation lacked, but that we accept there, and names of later caches.
  for (const auto& [name, value] : words.flags) {
    const auto* const cache = std::ranges::find(kRocksDbNames, value, &CacheName::typed);
    const bool is_rocksdb = name == "cache_type" && cache != std::end(kRocksDbNames);
    if (!is_rocksdb && name != "lean") continue;
    const Generation since = is_rocksdb ? cache->since : Generation::k2020;
    (void)keep([&](Generation generation) { return generation >= since; }, name);
  }
  return std::pair{left.front(), decided_by.empty()
                                     ? "the oldest, since no flag is of a later one only"
                                     : "by " + decided_by};
}

template <class T>
StatusOr<T> NumberIn(const Row& row, const std::string& text, std::string_view what) {
  const std::optional<T> number = WholeNumber<T>(text);
  const auto size = static_cast<double>(number.value_or(0));
  if (number && size >= row.least && size <= row.most) return *number;
  return Status::Usage(fmt::format("{}from {} to {} is accepted", what, row.least, row.most));
}

StatusOr<uint64_t> CountIn(const Row& row, const StatusOr<uint64_t>& count) {
  if (!count.ok()) return count;
  const auto number = static_cast<double>(*count);
  if (number >= row.least && number <= row.most) return count;
  return Status::Usage(fmt::format("from {:.0f} to {:.0f} is accepted", row.least, row.most));
}

// Puts the text into the row's field.
class Setter {
 public:
  Setter(const Row& row, const std::string& text, CacheBenchSettings& settings)
      : row_(row), text_(text), settings_(settings) {}

  Status operator()(std::monostate) const {
    const std::string_view only = row_.DefaultIn(settings_.generation).value_or("");
    const bool is_default = row_.IsSwitch() ? IsSwitchAt(only == "true") : text_ == only;
    return is_default || row_.refused.empty() ? Status::Ok()
                                              : Status::Usage(std::string(row_.refused));
  }
  Status operator()(uint64_t CacheBenchSettings::*field) const {
    return Take(CountIn(row_, ParseCount(text_)), settings_.*field);
  }
  Status operator()(Row::Bytes bytes) const {
    return Take(CountIn(row_, ParseBytes(text_)), settings_.*bytes.field);
  }
  Status operator()(CacheOperation operation) const {
    return Take(CountIn(row_, ParseCount(text_)),
                settings_.percent[static_cast<size_t>(operation)]);
  }
  Status operator()(int64_t CacheBenchSettings::*field) const {
    return Take(NumberIn<int64_t>(row_, text_, ""), settings_.*field);
  }
  Status operator()(double CacheBenchSettings::*field) const {
    return Take(NumberIn<double>(row_, text_, "a number "), settings_.*field);
  }
  Status operator()(bool CacheBenchSettings::*field) const {
    return Take(ParseFlag(text_), settings_.*field);
  }
  Status operator()(std::string CacheBenchSettings::*field) const {
    settings_.*field = text_;
    return Status::Ok();
  }

 private:
  bool IsSwitchAt(bool value) const {
    const StatusOr<bool> is_on = ParseFlag(text_);
    return is_on.ok() && *is_on == value;
  }
  template <class T>
  static Status Take(const StatusOr<T>& value, T& field) {
    if (value.ok()) field = *value;
    return value.status();
  }

  const Row& row_;
  const std::string& text_;
  CacheBenchSettings& settings_;
};

Status SetFields(const CacheBenchWords& words, CacheBenchSettings& settings) {
  const std::map<std::string_view, std::string_view> given(words.flags.begin(), words.flags.end());
  for (const Row& row : kRows) {
    if (!row.IsIn(settings.generation)) continue;
    const auto typed = given.find(row.name);
    const std::string text(typed != given.end() ? typed->second
                                                : *row.DefaultIn(settings.generation));
    const Status status = std::visit(Setter(row, text, settings), row.field);
    if (!status.ok()) {
      return Status::Usage(fmt::format("--{}={}: {}", row.name, Printable(text), status.message()));
    }
    settings.values.emplace_back(row.name, text);
  }
  for (const auto& [name, value] : words.flags) settings.given.push_back(name);
  settings.shards_are_given = given.contains("num_shard_bits");
  if (settings.use_clock_cache && given.contains("cache_type")) {
    return Status::Usage("--use_clock_cache=true: --cache_type says which cache already");
  }
  return Status::Ok();
}

// From 2020 on, `resident_ratio` of the entries that fit decides the number of keys.
Status DeriveKeys(CacheBenchSettings& settings) {
  const double entries =
      static_cast<double>(settings.cache_size) / static_cast<double>(settings.value_bytes);
  const double keys = entries / settings.resident_ratio;
  if (keys < 1 || keys > kMostKeys) {
    return Status::Usage(fmt::format(
        "--cache_size={}: with --resident_ratio={} and --value_bytes={} there are {:.3g} keys; "
        "from 1 to 2^56 are accepted",
        settings.cache_size, settings.resident_ratio, settings.value_bytes, keys));
  }
  settings.max_key = static_cast<uint64_t>(keys);
  settings.pinned = static_cast<uint64_t>(settings.pinned_ratio * entries);
  return Status::Ok();
}

std::string_view PluginOf(const CacheName& cache, Generation generation) {
  return generation == Generation::kCurrent ? cache.plugin_now : cache.plugin;
}

// Says which caches are there, and what makes the others.
Status NoSuchCache(const std::string& typed, Generation generation,
                   const std::vector<std::string>& there) {
  std::vector<std::string> names;
  bool lacks_some = false;
  for (const CacheName& known : kRocksDbNames) {
    const bool is_there = std::ranges::find(there, PluginOf(known, generation)) != there.end();
    if (is_there) names.emplace_back(known.typed);
    lacks_some = lacks_some || !is_there;
  }
  for (const std::string& plugin : there) {
    if (!plugin.starts_with("rocksdb_")) names.push_back(plugin);
  }
  names.emplace_back("all");
  const bool is_known = std::ranges::find(kRocksDbNames, typed, &CacheName::typed) !=
                        std::end(kRocksDbNames);
  std::string words = is_known ? "this build of Levelfield does not have it" : "there is no such cache";
  words += fmt::format("; there are {}", Listed(names));
  if (typed.ends_with("@system")) {
    words += "; `make build` builds those of the distribution's RocksDB, too";
  } else if (lacks_some) {
    words += "; `make caches` builds RocksDB's, too, in some two minutes";
  }
  return Status::Usage(fmt::format("--cache_type={}: {}", Printable(typed), words));
}

// A distribution's build runs only if it is asked for by name.
Status ChooseCaches(const std::string& text, Generation generation,
                    const std::vector<std::string>& there, std::vector<std::string>& caches) {
  if (text == "all") {
    std::ranges::copy_if(there, std::back_inserter(caches),
                         [](const std::string& name) { return name.find('@') == name.npos; });
  }
  for (const std::string& typed : Parts(text, ',')) {
    if (text == "all") break;
    const auto renamed = std::ranges::find(kRocksDbNames, typed, &CacheName::typed);
    const std::string name = renamed == std::end(kRocksDbNames)
                                 ? typed
                                 : std::string(PluginOf(*renamed, generation));
    const auto gone = std::ranges::find(kNoCaches, typed, &NoCache::typed);
    if (gone != std::end(kNoCaches)) {
      return Status::Usage(fmt::format("--cache_type={}: {}", typed, gone->reason));
    }
    if (std::ranges::find(there, name) == there.end()) return NoSuchCache(typed, generation, there);
    if (std::ranges::find(caches, name) != caches.end()) {
      return Status::Usage(
          fmt::format("--cache_type={}: {} is in it twice", Printable(text), name));
    }
    caches.push_back(name);
  }
  if (caches.empty()) {
    return Status::Failed(
        "no cache is there; `make build` puts them into caches/ beside the "
        "program, LEVELFIELD_CACHES names another directory");
  }
  return Status::Ok();
}

Status CheckSum(const CacheBenchSettings& settings) {
  const uint64_t sum = std::accumulate(settings.percent.begin(), settings.percent.end(), 0ull);
  if (sum == 100) return Status::Ok();
  std::string parts;
  for (size_t i = 0; i < kCacheOperations; ++i) {
    const std::string name = std::string(kCacheOperationNames[i]) + "_percent";
    if (!RowOf(name)->IsIn(settings.generation)) continue;
    parts += fmt::format("{}{}={}", parts.empty() ? "" : " + ", name, settings.percent[i]);
  }
  return Status::Usage(fmt::format("percentages must add to 100: {} is {} (generation {}, {})",
                                   parts, sum, GenerationName(settings.generation),
                                   settings.generation_reason));
}

// The help for a flag, in lines of at most 100 columns.
std::string HelpOf(const Row& row, Generation shown) {
  const std::string_view by_default = *row.DefaultIn(shown);
  std::string text = fmt::format("-{} ({}) type: {} default: {}", row.name, row.help,
                                 TypeOf(row, shown), by_default.empty() ? "\"\"" : by_default);
  if (!row.refused.empty()) text += fmt::format(" (only this: {})", row.refused);
  return Wrapped("    " + text, 6, 100);
}

// Flags that every generation accepts, whether it had them or not.
bool IsOfAny(const Row& row) {
  constexpr std::string_view kNames[] = {"cache_type", "lean", "histograms", "seed"};
  return row.is_ours || std::ranges::find(kNames, row.name) != std::end(kNames);
}

// Whether the original of that generation had such a flag.
bool IsNewIn(const Row& row, Generation shown) {
  if (row.is_ours || row.name == "seed" || shown == Generation::k2014) return false;
  return row.name != "histograms" || shown == Generation::kCurrent;
}

using TypedFlag = std::pair<std::string, std::string>;

// The flag at words[i] and its value, which may be the next word; --help has none.
StatusOr<TypedFlag> TakeFlag(const std::vector<std::string>& words, size_t& i) {
  const std::string& word = words[i];
  const size_t dashes = word.starts_with("--") ? 2 : 1;
  if (!word.starts_with('-') || word.size() == dashes) {
    return Status::Usage(fmt::format(
        "{} is no flag: they are written -name=value, --name=value or --name value", Quote(word)));
  }
  const size_t equals = word.find('=');
  const std::string name = word.substr(dashes, equals == word.npos ? word.npos : equals - dashes);
  const Row* const row = RowOf(name);
  if (name == "help" || name == "h") return TypedFlag(name, "");
  if (equals != word.npos && row != nullptr) return TypedFlag(name, word.substr(equals + 1));
  if (row == nullptr) {
    const Row* const negated = name.starts_with("no") ? RowOf(name.substr(2)) : nullptr;
    if (negated == nullptr || !negated->IsSwitch() || equals != word.npos)
      return UnknownCacheBenchFlag(name);
    return TypedFlag(negated->name, "false");
  }
  if (row->IsSwitch()) return TypedFlag(name, "true");
  if (i + 1 == words.size()) return Status::Usage(fmt::format("--{}: needs a value", name));
  return TypedFlag(name, words[++i]);
}

}  // namespace

std::string_view GenerationName(Generation generation) {
  constexpr std::string_view kNames[] = {"2014", "2020", "current"};
  return kNames[static_cast<size_t>(generation)];
}

uint64_t CacheBenchSettings::Populated() const {
  if (!populate_cache) return 0;
  // Drawn keys repeat, so twice the capacity fills most of it.
  return generation == Generation::k2014 ? cache_size : 2 * (cache_size / value_bytes);
}

uint64_t CacheBenchSettings::PinnedByThread(uint64_t thread_count) const {
  if (generation == Generation::k2014) return 0;
  if (generation == Generation::k2020) return 1;
  return std::max<uint64_t>(pinned / thread_count, 1);
}

std::vector<uint64_t> CacheBenchSettings::ThreadCounts() const {
  std::vector<uint64_t> counts;
  for (uint64_t n = 1; scaling && n < threads; n *= 2) counts.push_back(n);
  counts.push_back(threads);
  return counts;
}

std::string CacheBenchHelp(std::optional<Generation> generation) {
  std::string help =
      "cache_bench of Levelfield: caches alone, measured as RocksDB's cache_bench does.\n"
      "-name=value, --name=value, --name value; -switch, -noswitch. Three generations of the\n"
      "original's flags; which one is meant follows from the flags, or --generation says it.\n";
  for (const Generation shown : kGenerations) {
    if (generation && shown != *generation) continue;
    help += fmt::format("\n  Flags of generation {}:\n", GenerationName(shown));
    for (const Row& row : kRows) {
      if (row.IsIn(shown) && (!IsOfAny(row) || IsNewIn(row, shown))) help += HelpOf(row, shown);
    }
  }
  help += "\n  Flags of any generation:\n";
  for (const Row& row : kRows) {
    if (IsOfAny(row)) help += HelpOf(row, generation.value_or(Generation::k2014));
  }
  return help;
}

StatusOr<CacheBenchWords> SplitCacheBenchWords(const std::vector<std::string>& words) {
  CacheBenchWords split;
  for (size_t i = 0; i < words.size(); ++i) {
    ASSIGN_OR_RETURN(const auto flag, TakeFlag(words, i));
    const auto& [name, value] = flag;
    if (name == "help" || name == "h") {
      split.help = true;
      continue;
    }
    if (std::ranges::find(split.flags, name, &TypedFlag::first) != split.flags.end()) {
      return Status::Usage(fmt::format("--{} is given twice", name));
    }
    if (name == "generation") {
      split.generation = GenerationOf(value);
      if (!split.generation) {
        return Status::Usage(
            fmt::format("--generation={}: 2014, 2020 or current is accepted", Printable(value)));
      }
    }
    split.flags.push_back(flag);
  }
  return split;
}

StatusOr<CacheBenchSettings> ParseCacheBench(const CacheBenchWords& words,
                                             const std::vector<std::string>& caches) {
  ASSIGN_OR_RETURN(const auto chosen, ChooseGeneration(words));
  CacheBenchSettings settings;
  settings.generation = chosen.first;
  settings.generation_reason = chosen.second;
  RETURN_IF_ERROR(SetFields(words, settings));
  const bool is_2014 = settings.generation == Generation::k2014;
  settings.charges_metadata = !is_2014;
  settings.key_size = is_2014 ? 8 : 16;
  settings.charge = is_2014 ? 1 : settings.value_bytes;
  settings.entry_charge =
      settings.value_bytes_estimate != 0 ? settings.value_bytes_estimate : settings.charge;
  RETURN_IF_ERROR(is_2014 ? Status::Ok() : DeriveKeys(settings));
  RETURN_IF_ERROR(CheckSum(settings));
  RETURN_IF_ERROR(ChooseCaches(settings.use_clock_cache ? "hyper_clock_cache" : settings.cache_type,
                               settings.generation, caches, settings.caches));
  return settings;
}

}  // namespace levelfield
