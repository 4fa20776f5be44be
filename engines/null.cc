// The null engine does nothing as fast as possible, so that only the harness's own cost remains.
//
// It keeps no data: `get` and `seek` return a value of the expected size for any key, so the loop
// reads as many bytes as in a real read. Its answers cannot be checked (LF_NO_ANSWERS), and no
// table ranks it.
#include <string>

#include "levelfield/engine.h"

namespace {

using levelfield::EngineSettings;

const lf_option kOptions[] = {
    {"cache_size", LF_ABSENT, nullptr, nullptr, "Keeps nothing, so caches nothing."},
    {"write_buffer_size", LF_ABSENT, nullptr, nullptr, "Keeps nothing, so buffers nothing."},
    {"block_size", LF_ABSENT, nullptr, nullptr, "Has no blocks."},
    {"bloom_bits", LF_ABSENT, nullptr, nullptr, "Has no filter."},
    {"compression", LF_ABSENT, nullptr, nullptr, "Keeps nothing to compress."},
    {"max_open_files", LF_ABSENT, nullptr, nullptr, "Opens no files."},
    {nullptr, LF_ABSENT, nullptr, nullptr, nullptr},
};

const lf_durability kDurabilities[] = {
    {"none", LF_D0_NONE, "keeps nothing"},
    {"process", LF_D0_NONE, "a baseline: accepted, and nothing is kept"},
    {"synced", LF_D0_NONE, "a baseline: accepted, and nothing is kept"},
    {nullptr, LF_REFUSED, nullptr},
};

// Entries of a scan are numbered, so that a scan ends. There are always this many.
constexpr uint64_t kScanEntries = uint64_t{1} << 62;

class Session {
 public:
  explicit Session(const std::string& value) : value_(value) {}

  lf_code Get(lf_bytes, lf_bytes* value) {
    *value = levelfield::Bytes(value_);
    return LF_OK;
  }
  lf_code MultiGet(std::span<const lf_bytes> keys, lf_bytes* values, lf_code* codes) {
    for (size_t i = 0; i < keys.size(); ++i) codes[i] = Get(keys[i], &values[i]);
    return LF_OK;
  }
  lf_code Put(lf_bytes, lf_bytes) { return LF_OK; }
  lf_code Erase(lf_bytes) { return LF_OK; }
  lf_code Write(std::span<const lf_entry>) { return LF_OK; }

  lf_code BeginTransaction() { return LF_OK; }
  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) { return Get(key, value); }
  lf_code CommitTransaction() { return LF_OK; }
  lf_code RollBackTransaction() { return LF_OK; }
  lf_code NewIterator() { return LF_OK; }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    left_ = kScanEntries;
    *found_key = how >= LF_AT_OR_AFTER ? key : levelfield::Bytes(kKey);
    return Get(key, value);
  }
  lf_code Next(lf_bytes* key, lf_bytes* value) {
    if (left_-- == 0) return LF_NOT_FOUND;
    *key = levelfield::Bytes(kKey);
    return Get(*key, value);
  }
  lf_code Prev(lf_bytes* key, lf_bytes* value) { return Next(key, value); }

 private:
  static constexpr std::string_view kKey = "0000000000000000";
  const std::string& value_;  // The store's.
  uint64_t left_ = 0;
};

class Store {
 public:
  static lf_code Open(const char* directory, const EngineSettings& settings,
                      std::unique_ptr<Store>& store) {
    if (directory == nullptr) return LF_OK;
    store = std::make_unique<Store>();
    store->value_.assign(settings.ExpectedValueBytes(), 'x');
    return LF_OK;
  }
  lf_code Close() { return LF_OK; }
  lf_code BeginSession(std::unique_ptr<Session>& session) {
    session = std::make_unique<Session>(value_);
    return LF_OK;
  }
  lf_code Sync() { return LF_OK; }
  lf_code Compact() { return LF_OK; }

  lf_code Property(const char* name, const char** text) {
    if (std::string_view(name) != "options") {
      return levelfield::Unsupported(std::string("null has no property ") + name);
    }
    options_ = "value_bytes=" + std::to_string(value_.size()) + "\nkeeps=nothing\n";
    *text = options_.c_str();
    return LF_OK;
  }

 private:
  std::string value_;
  std::string options_;
};

void Describe(void* context, lf_fact_sink sink) { sink(context, "version", "1"); }

constexpr lf_engine kEngine = levelfield::MakeEngine<Store, Session>({
    .name = "null",
    .summary = "does nothing: the overhead of the harness itself",
    .license = "BSD-3-Clause",
    .capabilities = LF_FLOOR | LF_VOLATILE | LF_NO_ANSWERS,
    .options = kOptions,
    .durabilities = kDurabilities,
    .describe = Describe,
});

}  // namespace

LEVELFIELD_EXPORT_ENGINE(kEngine)
