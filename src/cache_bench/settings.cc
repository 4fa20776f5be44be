#include "cache_bench/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>

#include "base/nearest.h"
#include "base/quote.h"
#include "base/units.h"
#include "cache_bench/flags.h"

namespace levelfield {
namespace {

using Kind = CacheFlag::Kind;

constexpr Generation kGenerations[] = {Generation::k2014, Generation::k2020, Generation::kCurrent};
constexpr uint64_t kMostKeys = uint64_t{1} << 56;
constexpr uint64_t kLeastValueBytes = 8;  // Its stamp.
constexpr uint64_t kMostValueBytes = uint64_t{1} << 30;
constexpr uint64_t kValueBytesOf2014 = 10;

// What RocksDB's program calls its caches. From the current generation on its `hyper_clock_cache`
// is the one that grows.
struct CacheName {
  std::string_view typed;
  std::string_view plugin;
  std::string_view plugin_now = plugin;
};
constexpr CacheName kRocksDbNames[] = {
    {"lru_cache", "rocksdb_lru"},
    {"hyper_clock_cache", "rocksdb_hyper_clock", "rocksdb_auto_hyper_clock"},
    {"fixed_hyper_clock_cache", "rocksdb_hyper_clock"},
    {"auto_hyper_clock_cache", "rocksdb_auto_hyper_clock"},
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

bool IsOf(const CacheFlag& flag, Generation generation) {
  return !flag.defaults[static_cast<size_t>(generation)].empty();
}

std::string_view DefaultOf(const CacheFlag& flag, Generation generation) {
  const std::string_view text = flag.defaults[static_cast<size_t>(generation)];
  return text == "\"\"" ? "" : text;
}

Status UnknownFlag(const std::string& name) {
  if (name.starts_with("sck_")) {
    return Status::Usage(fmt::format(
        "--{}: it tests how RocksDB makes its cache keys and measures no cache", Printable(name)));
  }
  std::vector<std::string> names;
  for (const CacheFlag& flag : CacheFlags()) names.emplace_back(flag.name);
  const std::string nearest = NearestName(name, names);
  return Status::Usage(
      fmt::format("unknown command line flag '{}'{} `cache_bench --help` lists "
                  "them.",
                  Printable(name), nearest.empty() ? "." : "; did you mean --" + nearest + "?"));
}

// As gflags calls it. The numbers of the first generation have signs, but for one.
std::string_view TypeOf(const CacheFlag& flag, Generation generation) {
  if (generation != Generation::k2014 || flag.name == "ops_per_thread") return flag.type;
  if (flag.type == "uint32") return "int32";
  return flag.type == "uint64" ? "int64" : flag.type;
}

std::optional<Generation> GenerationOf(std::string_view text) {
  for (const Generation generation : kGenerations) {
    if (GenerationName(generation) == text) return generation;
  }
  return std::nullopt;
}

// Whose flags they are: the oldest generation that has all of them.
StatusOr<std::pair<Generation, std::string>> ChooseGeneration(const CacheBenchWords& words) {
  for (const auto& [name, value] : words.flags) {
    if (words.generation && !IsOf(*CacheFlagOf(name), *words.generation)) {
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
    const CacheFlag& flag = *CacheFlagOf(name);
    if (!keep([&](Generation generation) { return IsOf(flag, generation); }, name)) {
      return Status::Usage(
          fmt::format("--{} and {} are of different generations of cache_bench; `cache_bench "
                      "--help` lists the flags of each",
                      name, decided_by));
    }
  }
  // Not flags of the first generation, though we take them there.
  for (const auto& [name, value] : words.flags) {
    const bool is_rocksdb =
        name == "cache_type" &&
        std::ranges::find(kRocksDbNames, value, &CacheName::typed) != std::end(kRocksDbNames);
    if (!is_rocksdb && name != "lean") continue;
    (void)keep([](Generation generation) { return generation != Generation::k2014; }, name);
  }
  return std::pair{left.front(), decided_by.empty()
                                     ? "the oldest, since no flag is of a later one only"
                                     : "by " + decided_by};
}

class Parser {
 public:
  Parser(const CacheBenchWords& words, Generation generation) : generation_(generation) {
    for (const auto& [name, value] : words.flags) given_[name] = value;
  }

  bool Has(std::string_view name) const { return given_.contains(std::string(name)); }
  const Status& status() const { return status_; }

  std::string Text(std::string_view name) const {
    const auto it = given_.find(std::string(name));
    return it != given_.end() ? it->second
                              : std::string(DefaultOf(*CacheFlagOf(name), generation_));
  }

  uint64_t Count(std::string_view name, uint64_t least, uint64_t most) {
    const std::string text = Text(name);
    if (text.empty()) return 0;  // No flag of this generation.
    const bool is_bytes = CacheFlagOf(name)->kind == Kind::kBytes;
    const StatusOr<uint64_t> number = is_bytes ? ParseBytes(text) : ParseCount(text);
    if (!number.ok()) {
      Refuse(name, text, number.status().message());
    } else if (*number < least || *number > most) {
      Refuse(name, text, fmt::format("from {} to {} is accepted", least, most));
    }
    return number.ok() ? *number : 0;
  }

  int32_t Integer(std::string_view name, int32_t least, int32_t most) {
    const std::string text = Text(name);
    int32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || at != end || number < least || number > most) {
      Refuse(name, text, fmt::format("from {} to {} is accepted", least, most));
    }
    return number;
  }

  double Number(std::string_view name, double least, double most) {
    const std::string text = Text(name);
    if (text.empty()) return 0;
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || at != end || !(number >= least && number <= most)) {
      Refuse(name, text, fmt::format("a number from {} to {} is accepted", least, most));
    }
    return number;
  }

  bool Switch(std::string_view name) {
    const std::string text = Text(name);
    if (text.empty()) return false;
    if (text == "t" || text == "y") return true;  // gflags' own further spellings.
    if (text == "f" || text == "n") return false;
    const StatusOr<bool> flag = ParseFlag(text);
    if (!flag.ok()) Refuse(name, text, flag.status().message());
    return flag.ok() && *flag;
  }

  // What cannot be honoured is taken where it asks for nothing.
  void CheckRefused() {
    for (const CacheFlag& flag : CacheFlags()) {
      if (flag.refused.empty() || !Has(flag.name)) continue;
      const std::string default_text(DefaultOf(flag, generation_));
      const bool is_default = flag.kind == Kind::kSwitch
                                  ? Switch(flag.name) == (default_text == "true")
                                  : Text(flag.name) == default_text;
      if (!is_default) Refuse(flag.name, Text(flag.name), std::string(flag.refused));
    }
  }

  void Refuse(std::string_view name, const std::string& text, const std::string& reason) {
    if (!status_.ok()) return;
    status_ = Status::Usage(fmt::format("--{}={}: {}", name, Printable(text), reason));
  }

 private:
  Generation generation_;
  std::map<std::string, std::string> given_;
  Status status_ = Status::Ok();
};

// A distribution's build runs where it is asked for by name.
Status ChooseCaches(const std::string& text, Generation generation,
                    const std::vector<std::string>& there, std::vector<std::string>& caches) {
  if (text == "all") {
    std::ranges::copy_if(there, std::back_inserter(caches),
                         [](const std::string& name) { return name.find('@') == name.npos; });
  }
  for (size_t begin = 0; text != "all" && begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    const std::string typed = text.substr(begin, comma - begin);
    begin = comma + 1;
    const auto renamed = std::ranges::find(kRocksDbNames, typed, &CacheName::typed);
    const std::string name = renamed == std::end(kRocksDbNames)   ? typed
                             : generation == Generation::kCurrent ? std::string(renamed->plugin_now)
                                                                  : std::string(renamed->plugin);
    const auto gone = std::ranges::find(kNoCaches, typed, &NoCache::typed);
    if (gone != std::end(kNoCaches)) {
      return Status::Usage(fmt::format("--cache_type={}: {}", typed, gone->reason));
    }
    if (std::ranges::find(there, name) == there.end()) {
      std::vector<std::string> names;
      for (const CacheName& known : kRocksDbNames) names.emplace_back(known.typed);
      for (const std::string& plugin : there) {
        if (!plugin.starts_with("rocksdb_")) names.push_back(plugin);
      }
      std::string list;
      for (const std::string& known : names) list += known + ", ";
      return Status::Usage(fmt::format("--cache_type={}: there is no such cache; there are {}all",
                                       Printable(typed), list));
    }
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
    if (!IsOf(*CacheFlagOf(name), settings.generation)) continue;
    parts += fmt::format("{}{}={}", parts.empty() ? "" : " + ", name, settings.percent[i]);
  }
  return Status::Usage(fmt::format("percentages must add to 100: {} is {} (generation {}, {})",
                                   parts, sum, GenerationName(settings.generation),
                                   settings.generation_reason));
}

}  // namespace

std::string_view GenerationName(Generation generation) {
  constexpr std::string_view kNames[] = {"2014", "2020", "current"};
  return kNames[static_cast<size_t>(generation)];
}

uint64_t CacheBenchSettings::Populated() const {
  if (!populate_cache) return 0;
  // Drawn keys repeat, so that twice the capacity fills most of it.
  return generation == Generation::k2014 ? cache_size : 2 * (cache_size / value_bytes);
}

uint64_t CacheBenchSettings::PinnedByThread(uint64_t thread_count) const {
  if (generation == Generation::k2014) return 0;
  if (generation == Generation::k2020) return 1;
  return std::max<uint64_t>(pinned / thread_count, 1);
}

std::string CacheBenchHelp(std::optional<Generation> generation) {
  std::string help =
      "cache_bench of Levelfield: caches alone, measured as RocksDB's cache_bench does.\n"
      "-name=value, --name=value, --name value; -switch, -noswitch. Three generations of the\n"
      "original's flags; which one is meant follows from the flags, or --generation says it.\n";
  const auto add = [&](const CacheFlag& flag, Generation shown) {
    std::string text = fmt::format("-{} ({}) type: {} default: {}", flag.name, flag.help,
                                   TypeOf(flag, shown), flag.defaults[static_cast<size_t>(shown)]);
    if (!flag.refused.empty()) text += fmt::format(" (only this: {})", flag.refused);
    std::string line = "   ";
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = std::min(text.find(' ', begin), text.size());
      if (line.size() + 1 + end - begin > 100) {
        help += line + "\n";
        line = "     ";
      }
      line += " " + text.substr(begin, end - begin);
      begin = end + 1;
    }
    help += line + "\n";
  };
  const auto is_everywhere = [](const CacheFlag& flag) {
    return flag.is_ours || flag.name == "cache_type" || flag.name == "lean" ||
           flag.name == "histograms" || flag.name == "seed";
  };
  for (const Generation shown : kGenerations) {
    if (generation && shown != *generation) continue;
    help += fmt::format("\n  Flags of generation {}:\n", GenerationName(shown));
    for (const CacheFlag& flag : CacheFlags()) {
      const bool is_later = shown != Generation::k2014 && flag.name != "seed" && !flag.is_ours &&
                            (flag.name != "histograms" || shown == Generation::kCurrent);
      if (!IsOf(flag, shown) || (is_everywhere(flag) && !is_later)) continue;
      add(flag, shown);
    }
  }
  help += "\n  Flags of any generation:\n";
  for (const CacheFlag& flag : CacheFlags()) {
    if (is_everywhere(flag)) add(flag, generation.value_or(Generation::k2014));
  }
  return help;
}

StatusOr<CacheBenchWords> SplitCacheBenchWords(const std::vector<std::string>& words) {
  CacheBenchWords split;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const size_t dashes = word.starts_with("--") ? 2 : 1;
    if (!word.starts_with('-') || word.size() == dashes) {
      return Status::Usage(
          fmt::format("{} is no flag: they are written -name=value, --name=value "
                      "or --name value",
                      Quote(word)));
    }
    const size_t equals = word.find('=');
    std::string name = word.substr(dashes, equals == word.npos ? word.npos : equals - dashes);
    if (name == "help" || name == "h") {
      split.help = true;
      continue;
    }
    const CacheFlag* flag = CacheFlagOf(name);
    std::string value = equals == word.npos ? "" : word.substr(equals + 1);
    if (flag == nullptr && name.starts_with("no") && equals == word.npos) {
      const CacheFlag* const negated = CacheFlagOf(std::string_view(name).substr(2));
      if (negated != nullptr && negated->kind == Kind::kSwitch) {
        flag = negated;
        name = negated->name;
        value = "false";
      }
    } else if (flag != nullptr && equals == word.npos) {
      const bool is_switch = flag->kind == Kind::kSwitch;
      if (!is_switch && i + 1 == words.size()) {
        return Status::Usage(fmt::format("--{}: needs a value", name));
      }
      value = is_switch ? "true" : words[++i];
    }
    if (flag == nullptr) return UnknownFlag(name);
    for (const auto& [other, text] : split.flags) {
      if (other == name) return Status::Usage(fmt::format("--{} is given twice", name));
    }
    if (name == "generation") {
      split.generation = GenerationOf(value);
      if (!split.generation) {
        return Status::Usage(
            fmt::format("--generation={}: 2014, 2020 or current is accepted", Printable(value)));
      }
    }
    split.flags.emplace_back(name, value);
  }
  return split;
}

StatusOr<CacheBenchSettings> ParseCacheBench(const CacheBenchWords& words,
                                             const std::vector<std::string>& caches) {
  const auto chosen = ChooseGeneration(words);
  if (!chosen.ok()) return chosen.status();
  CacheBenchSettings settings;
  settings.generation = chosen->first;
  settings.generation_reason = chosen->second;
  const bool is_2014 = settings.generation == Generation::k2014;

  Parser parser(words, settings.generation);
  parser.CheckRefused();
  settings.threads = parser.Count("threads", 1, 1024);
  settings.cache_size = parser.Count("cache_size", 1, uint64_t{1} << 48);
  settings.num_shard_bits = parser.Integer("num_shard_bits", -1, 19);
  settings.shards_are_given = parser.Has("num_shard_bits");
  settings.ops_per_thread = parser.Count("ops_per_thread", 1, uint64_t{1} << 40);
  settings.populate_cache = parser.Switch("populate_cache");
  for (size_t i = 0; i < kCacheOperations; ++i) {
    settings.percent[i] = parser.Count(std::string(kCacheOperationNames[i]) + "_percent", 0, 100);
  }
  settings.skew = parser.Count("skew", 0, 1000);
  settings.skewed = parser.Switch("skewed");
  settings.lean = parser.Switch("lean");
  settings.histograms = parser.Switch("histograms");
  settings.scaling = parser.Switch("scaling");
  settings.seed = parser.Count("seed", 0, UINT64_MAX);
  settings.results = parser.Text("results");
  settings.stall = parser.Number("stall", 0.1, 1e6);
  settings.charges_metadata = !is_2014;
  settings.key_size = is_2014 ? 8 : 16;
  settings.value_bytes =
      is_2014 ? kValueBytesOf2014 : parser.Count("value_bytes", kLeastValueBytes, kMostValueBytes);
  settings.charge = is_2014 ? 1 : settings.value_bytes;
  const uint64_t estimate = parser.Count("value_bytes_estimate", 0, kMostValueBytes);
  settings.entry_charge = estimate != 0 ? estimate : settings.charge;
  const double pinned_ratio = parser.Number("pinned_ratio", 0, 0.95);
  const double resident_ratio = parser.Number("resident_ratio", 1e-9, 1e9);
  settings.max_key = is_2014 ? parser.Count("max_key", 1, kMostKeys) : 0;
  if (settings.generation == Generation::kCurrent) {
    settings.compressible_to_ratio = parser.Number("compressible_to_ratio", 0.01, 1);
  }
  std::string cache_type = parser.Text("cache_type");
  if (parser.Switch("use_clock_cache")) {
    if (parser.Has("cache_type")) {
      parser.Refuse("use_clock_cache", "true", "--cache_type says which cache already");
    }
    cache_type = "hyper_clock_cache";
  }
  if (!parser.status().ok()) return parser.status();
  if (!is_2014) {
    const double entries =
        static_cast<double>(settings.cache_size) / static_cast<double>(settings.value_bytes);
    const double keys = entries / resident_ratio;
    if (keys < 1 || keys > static_cast<double>(kMostKeys)) {
      return Status::Usage(fmt::format(
          "--cache_size={}: with --resident_ratio={} and --value_bytes={} there are {:.3g} keys; "
          "from 1 to 2^56 are accepted",
          settings.cache_size, resident_ratio, settings.value_bytes, keys));
    }
    settings.max_key = static_cast<uint64_t>(keys);
    settings.pinned = static_cast<uint64_t>(pinned_ratio * entries);
  }
  if (const Status status = CheckSum(settings); !status.ok()) return status;
  const Status status = ChooseCaches(cache_type, settings.generation, caches, settings.caches);
  if (!status.ok()) return status;
  for (const CacheFlag& flag : CacheFlags()) {
    if (!IsOf(flag, settings.generation)) continue;
    settings.values.emplace_back(flag.name, parser.Text(flag.name));
  }
  for (const auto& [name, value] : words.flags) settings.given.push_back(name);
  return settings;
}

}  // namespace levelfield
