// A store that does one thing wrong on command, for the end-to-end tests: `misbehaving@flip_bit`
// is an ordered map that is kept in a file, and whose `get` flips a bit now and then. Without a
// command it does everything right, which shows that it is the fault that is found, not the store.
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <string>

#include "levelfield/engine.h"

namespace {

using levelfield::EngineSettings;
using levelfield::View;

const lf_option kOptions[] = {
    {"cache_size", LF_ABSENT, nullptr, nullptr, "Everything is in memory."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr, "Writes go to the map itself."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Has no blocks."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_CHOICE, "none", "none", "Keeps values as they are."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Has one file."},
    {"even", LF_COUNT, "0", nullptr, "Any even number; an odd one is refused when it is opened."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_REFUSED, "keeps everything until it is closed, and nothing less"},
    {"process", LF_D1_PROCESS, "so it says"},
    {"synced", LF_D4_SYNCED, "so it says"},
    {nullptr, LF_REFUSED, nullptr},
};

// Every fault that there is; `load` refuses another name.
constexpr const char* kFaults[] = {
    "none",
    // It dies, hangs or fails.
    "abort_in_put",
    "segfault_in_get",
    "exit_in_put",
    "hang_in_put",
    "hang_in_open",
    "hang_in_close",
    "fail_100th_put",
    "no_erase",
    "cannot_open",
    "cannot_begin",
    "fail_in_scan",
    "close_fails",
    "slow_put",
    // It refuses what it has done before, or never can.
    "refuse_put",
    "refuse_100th_put",
    "refuse_100th_get",
    "refuse_100th_erase",
    "refuse_100th_write",
    "refuse_100th_step",
    "refuse_reopen",
    // It says too much, or leaves somebody behind.
    "noisy",
    "noisy_load",
    "abort_in_load",
    "speaks_for_us",
    "grandchild",
    // It answers, and wrongly.
    "lose_puts",
    "lose_batch_half",
    "other_value",
    "flip_bit",
    "keep_old",
    "skip_in_scan",
    "wrong_order",
    "end_early",
    "forget",
    "resurrect",
    "extra_entry",
    "find_missing",
    "keep_conflicts",
};

std::string fault = "none";
std::atomic<uint64_t> calls{0};

bool Has(std::string_view name) { return fault == name; }
bool StrikesEvery(uint64_t n) { return ++calls % n == 0; }
bool Refuses(std::string_view fault_of_call) { return Has(fault_of_call) && StrikesEvery(100); }
lf_code Refuse() { return levelfield::Unsupported("it is not in the mood"); }

using Map = std::map<std::string, std::string, std::less<>>;

// Tells a test that waits for it that a fault which takes time has begun: the file that
// $MISBEHAVING_STRUCK names is there.
void TellOfStrike() {
  static const bool told = [] {
    const char* const path = std::getenv("MISBEHAVING_STRUCK");
    return path != nullptr && std::ofstream(path).good();
  }();
  (void)told;
}

[[noreturn]] void Hang() {
  TellOfStrike();
  while (true) pause();
}

struct Shared {
  std::mutex mutex;
  Map map;
  Map erased;  // For "resurrect".
};

class Session {
 public:
  explicit Session(Shared& shared) : shared_(shared) {}

  lf_code Get(lf_bytes key, lf_bytes* value) {
    if (Has("segfault_in_get")) std::raise(SIGSEGV);
    if (Refuses("refuse_100th_get")) return Refuse();
    const std::lock_guard lock(shared_.mutex);
    const bool strikes = StrikesEvery(500);
    auto it = shared_.map.find(View(key));
    if (it == shared_.map.end()) {
      if (!Has("find_missing") || !strikes) return LF_NOT_FOUND;
      it = shared_.map.begin();
    }
    value_ = it->second;
    if (Has("flip_bit") && strikes) {
      // Another byte each time: the calls that are struck are multiples of 500.
      char& byte = value_[calls / 500 % value_.size()];
      byte = static_cast<char>(byte ^ 4);
    }
    if (Has("other_value") && strikes) {
      value_ =
          it == shared_.map.begin() ? shared_.map.rbegin()->second : shared_.map.begin()->second;
    }
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }

  lf_code Put(lf_bytes key, lf_bytes value) {
    if (Has("abort_in_put")) {
      std::fputs("misbehaving: the internal error that ends it\n", stderr);
      std::abort();
    }
    if (Has("exit_in_put")) std::exit(3);
    if (Has("hang_in_put") && StrikesEvery(100)) Hang();
    if (Has("fail_100th_put") && StrikesEvery(100)) {
      return levelfield::Failed("no space left on the moon");
    }
    if (Has("refuse_put") || Refuses("refuse_100th_put")) return Refuse();
    if (Has("slow_put")) {
      TellOfStrike();
      usleep(1000);
    }
    const std::lock_guard lock(shared_.mutex);
    PutLocked(key, value);
    return LF_OK;
  }

  // For one thread: what it writes is written at once, and never rolled back.
  lf_code BeginTransaction() { return LF_OK; }
  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) { return Get(key, value); }
  lf_code CommitTransaction() {
    if (Has("keep_conflicts") && StrikesEvery(100)) return levelfield::Conflict("so it says");
    return LF_OK;
  }
  lf_code RollBackTransaction() { return LF_OK; }

  lf_code Erase(lf_bytes key) {
    if (Has("no_erase")) return levelfield::Unsupported("what is written stays written");
    if (Refuses("refuse_100th_erase")) return Refuse();
    const std::lock_guard lock(shared_.mutex);
    EraseLocked(key);
    return LF_OK;
  }

  lf_code Write(std::span<const lf_entry> entries) {
    const std::lock_guard lock(shared_.mutex);
    if (Refuses("refuse_100th_write")) return Refuse();
    if (Has("lose_batch_half")) entries = entries.first((entries.size() + 1) / 2);
    for (const lf_entry& entry : entries) {
      if (entry.erase != 0) {
        EraseLocked(entry.key);
      } else {
        PutLocked(entry.key, entry.value);
      }
    }
    return LF_OK;
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    const std::lock_guard lock(shared_.mutex);
    const Map& map = shared_.map;
    switch (how) {
      case LF_FIRST:
        return Emit(map.begin(), found_key, value);
      case LF_LAST:
        return EmitBefore(map.end(), found_key, value);
      case LF_AT_OR_AFTER:
        return Emit(map.lower_bound(View(key)), found_key, value);
      case LF_AT_OR_BEFORE:
        return EmitBefore(map.upper_bound(View(key)), found_key, value);
    }
    return LF_NOT_FOUND;
  }

  lf_code Next(lf_bytes* key, lf_bytes* value) {
    const std::lock_guard lock(shared_.mutex);
    if (Refuses("refuse_100th_step")) return Refuse();
    const bool strikes = StrikesEvery(500);
    if (Has("fail_in_scan") && strikes) return levelfield::Damaged("the page is torn");
    if (Has("end_early") && strikes) return LF_NOT_FOUND;
    auto it = shared_.map.upper_bound(key_);
    if (Has("skip_in_scan") && strikes && it != shared_.map.end()) ++it;
    if (Has("wrong_order") && strikes) return EmitBefore(shared_.map.lower_bound(key_), key, value);
    return Emit(it, key, value);
  }

  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    const std::lock_guard lock(shared_.mutex);
    return EmitBefore(shared_.map.lower_bound(key_), key, value);
  }

 private:
  void PutLocked(lf_bytes key, lf_bytes value) {
    if (Has("lose_puts") && StrikesEvery(1000)) return;
    if (Has("keep_old") && shared_.map.contains(View(key))) return;
    shared_.map[std::string(View(key))] = View(value);
  }

  void EraseLocked(lf_bytes key) {
    const auto it = shared_.map.find(View(key));
    if (it == shared_.map.end()) return;
    if (Has("resurrect") && StrikesEvery(1000)) shared_.erased.insert(*it);
    shared_.map.erase(it);
  }

  lf_code Emit(Map::const_iterator it, lf_bytes* key, lf_bytes* value) {
    if (it == shared_.map.end()) return LF_NOT_FOUND;
    key_ = it->first;
    value_ = it->second;
    *key = levelfield::Bytes(key_);
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }
  lf_code EmitBefore(Map::const_iterator it, lf_bytes* key, lf_bytes* value) {
    if (it == shared_.map.begin()) return LF_NOT_FOUND;
    return Emit(std::prev(it), key, value);
  }

  Shared& shared_;
  std::string key_;
  std::string value_;
};

// Sizes in decimal, then the bytes.
void WriteText(std::ostream& file, const std::string& text) {
  file << text.size() << ' ' << text << '\n';
}
bool ReadText(std::istream& file, std::string& text) {
  size_t size = 0;
  if (!(file >> size) || file.get() != ' ') return false;
  text.resize(size);
  return file.read(text.data(), static_cast<std::streamsize>(size)) && file.get() == '\n';
}

// A process of the engine's own that outlives it, and holds every pipe that it has inherited.
void LeaveSomebodyBehind() {
  if (fork() == 0) Hang();
}

class Store {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    if (settings.Number("even", 0) % 2 != 0) {
      return levelfield::Unsupported("even=1 is odd; give an even number");
    }
    if (directory == nullptr) return LF_OK;
    if (Has("cannot_open")) return levelfield::Failed("the moon is in the wrong house");
    if (Has("hang_in_open")) Hang();
    if (Has("grandchild")) LeaveSomebodyBehind();
    if (Has("noisy")) MakeNoise();
    if (Has("speaks_for_us")) SpeakForUs();
    store = std::make_unique<Store>();
    static int opened = 0;
    if (Has("refuse_reopen") && ++opened > 1) return Refuse();
    store->path_ = std::string(directory) + "/map";
    if (!Has("forget")) store->Load();
    return LF_OK;
  }

  lf_code Close() {
    if (Has("hang_in_close")) Hang();
    std::ofstream file(path_, std::ios::binary);
    for (const auto& [key, value] : shared_.map) {
      WriteText(file, key);
      WriteText(file, value);
    }
    for (const auto& [key, value] : shared_.erased) {
      WriteText(file, key);
      WriteText(file, value);
    }
    if (Has("extra_entry")) {
      WriteText(file, "0000000000000007x");
      WriteText(file, "extra");
    }
    file.flush();
    if (Has("close_fails")) return levelfield::Failed("the door is stuck");
    return file ? LF_OK : levelfield::Failed("cannot write " + path_);
  }

  lf_code BeginSession(std::unique_ptr<Session>& session) {
    if (Has("cannot_begin")) return levelfield::Failed("there are no sessions today");
    session = std::make_unique<Session>(shared_);
    return LF_OK;
  }
  lf_code Sync() { return LF_OK; }
  lf_code Compact() { return LF_OK; }

 private:
  void Load() {
    std::ifstream file(path_, std::ios::binary);
    std::string key;
    std::string value;
    while (ReadText(file, key) && ReadText(file, value)) shared_.map[key] = value;
  }

  static void MakeNoise() {
    const std::string line = "misbehaving: " + std::string(50, 'n') + '\n';
    for (size_t bytes = 0; bytes < (1 << 20); bytes += line.size())
      std::fputs(line.c_str(), stderr);
    const std::string endless(1 << 20, 'o');  // A line that never ends.
    for (int i = 0; i < 10; ++i) std::fwrite(endless.data(), 1, endless.size(), stdout);
    std::fflush(stdout);
  }

  // What a stray write to a descriptor could come to.
  static void SpeakForUs() {
    const std::string lines =
        "\n{}\nnonsense\n[1]\n{\"event\":5}\n{\"event\":\"stage\",\"phase\":\"x\"}\n"
        "{\"event\":\"progress\",\"operations\":-1}\n";
    (void)!write(3, lines.data(), lines.size());
  }

  std::string path_;
  Shared shared_;
};

void Describe(void* context, lf_fact_sink sink) {
  if (Has("noisy_load")) {
    const std::string noise(1 << 20, 'n');
    std::fwrite(noise.data(), 1, noise.size(), stderr);
  }
  if (Has("abort_in_load")) std::abort();
  sink(context, "version", "1");
}

lf_code Load(const char* which) {
  if (which == nullptr) return LF_OK;
  for (const char* const known : kFaults) {
    if (std::strcmp(known, which) != 0) continue;
    fault = which;
    return LF_OK;
  }
  return levelfield::Unsupported(std::string("no fault is called ") + which);
}

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "misbehaving",
    .summary = "a map in a file that does one thing wrong on command",
    .license = "BSD-3-Clause",
    .capabilities = LF_ONE_WRITER,
    .options = kOptions,
    .durabilities = kDurabilities,
    .load = Load,
    .describe = Describe,
});

#ifdef MISBEHAVING_WHEN_LOADED
// Before anybody has asked for anything.
const int kConstructed = [] {
  MISBEHAVING_WHEN_LOADED;
  return 0;
}();
#endif

#ifdef MISBEHAVING_TABLE_IS_SHORT
constexpr lf_engine Short(lf_engine engine) {
  engine.struct_bytes = 24;
  engine.name = "short_table";
  return engine;
}
constexpr lf_engine kShort = Short(kEngine);
#endif

}  // namespace

#ifdef MISBEHAVING_TABLE_IS_SHORT
LEVELFIELD_EXPORT_ENGINE(kShort)
#else
LEVELFIELD_EXPORT_ENGINE(kEngine)
#endif
