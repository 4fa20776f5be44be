// The memory engine: an ordered map (ordered_map.h), the least that any ordered store costs,
// because it keeps nothing on a disk. It is also the best example to read: all that an engine has
// to do, in the fewest lines.
#include <shared_mutex>
#include <string>

#include "levelfield/engine.h"
#include "ordered_map.h"

namespace {

using levelfield::EngineSettings;
using levelfield::NoJournal;
using levelfield::OrderedMap;
using levelfield::OrderedMapSession;
using levelfield::View;

const lf_option kOptions[] = {
    {"cache_size", LF_ABSENT, nullptr, nullptr, "Everything is in memory. There is no cache."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr, "Writes go to the map itself."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Has no blocks."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr, "Keeps values as they are."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens no files."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_D0_NONE, "lives in memory"},
    {"process", LF_D0_NONE, "a baseline: accepted, lost with the process"},
    {"synced", LF_D0_NONE, "a baseline: accepted, lost with the process"},
    {nullptr, LF_REFUSED, nullptr},
};

using Map = OrderedMap::Map;

class Session : public OrderedMapSession<NoJournal> {
 public:
  using OrderedMapSession::OrderedMapSession;

  // A copy of the map.
  using Snapshot = Map;

  lf_code TakeSnapshot(std::unique_ptr<Snapshot>& snapshot) {
    const std::shared_lock lock(shared_.mutex);
    snapshot = std::make_unique<Snapshot>(shared_.map);
    return LF_OK;
  }

  lf_code GetAt(Snapshot& snapshot, lf_bytes key, lf_bytes* value) {
    const auto it = snapshot.find(View(key));
    if (it == snapshot.end()) return LF_NOT_FOUND;
    *value = levelfield::Bytes(it->second);
    return LF_OK;
  }
};

class Store {
 public:
  static lf_code Open(const char* directory, const EngineSettings&, std::unique_ptr<Store>& store) {
    if (directory != nullptr) store = std::make_unique<Store>();
    return LF_OK;
  }
  lf_code Close() { return LF_OK; }
  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(shared_, journal_);
    return LF_OK;
  }
  lf_code Sync() { return LF_OK; }
  lf_code Compact() { return LF_OK; }
  lf_code CompactRange(lf_bytes, lf_bytes) { return LF_OK; }

  // There is no disk, so this counts memory: the bytes of the keys and values themselves.
  lf_code ApproximateBytes(lf_bytes from, lf_bytes to, uint64_t* bytes) {
    const std::shared_lock lock(shared_.mutex);
    const Map& map = shared_.map;
    const auto begin = from.data != nullptr ? map.lower_bound(View(from)) : map.begin();
    *bytes = 0;
    for (auto it = begin; it != map.end() && (to.data == nullptr || it->first < View(to)); ++it) {
      *bytes += it->first.size() + it->second.size();
    }
    return LF_OK;
  }

  lf_code Property(const char* name, const char** text) {
    if (std::string_view(name) == "sstables") {
      return levelfield::Unsupported("a map in memory has no files");
    }
    if (std::string_view(name) == "levelstats") {
      return levelfield::Unsupported("a map in memory tells nothing of its levels");
    }
    if (std::string_view(name) == "options") {
      *text = "structure=std::map behind one lock of readers or a writer\nkeeps=nothing\n";
      return LF_OK;
    }
    if (std::string_view(name) != "stats" && std::string_view(name) != "memstats") {
      return levelfield::Unsupported(std::string("memory has no property ") + name);
    }
    uint64_t bytes = 0;
    (void)ApproximateBytes({}, {}, &bytes);
    const std::shared_lock lock(shared_.mutex);
    property_ = "entries=" + std::to_string(shared_.map.size()) +
                "\nkey_and_value_bytes=" + std::to_string(bytes) + "\n";
    *text = property_.c_str();
    return LF_OK;
  }

  // Nothing is kept, so there is nothing to find or remove.
  static lf_code Recognize(const char*) { return LF_NOT_FOUND; }
  static lf_code Destroy(const char*) { return LF_OK; }

 private:
  OrderedMap shared_;
  NoJournal journal_;
  std::string property_;
};

void Describe(void* context, lf_fact_sink sink) { sink(context, "version", "1"); }

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "memory",
    .summary = "an ordered map in memory: a baseline for stores",
    .license = "BSD-3-Clause",
    .capabilities = LF_FLOOR | LF_VOLATILE | LF_ONE_WRITER | LF_BATCH_ATOMIC,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
