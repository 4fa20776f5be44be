#include "driver/c_test_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/quote.h"
#include "base/whole_file.h"
#include "engine/description.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNeighbour = "not_the_engines";
constexpr std::string_view kNeighboursText = "A file that lay here before the store.\n";

lf_bytes Bytes(std::string_view text) { return {text.data(), text.size()}; }

std::string Shown(const std::optional<std::string>& value) {
  return value ? Quote(*value) : "nothing";
}

class CTest {
 public:
  CTest(Engine engine, GivenOptions options, fs::path directory)
      : engine_(std::move(engine)),
        options_(std::move(options)),
        directory_(std::move(directory)) {}

  // A status of kUsage means that the engine does not have this, with the reason.
  struct Row {
    const char* name;
    Status (CTest::*run)();
  };
  static const std::vector<Row>& Rows();

 private:
  // Whether the value is in the engine's range. True for an option that it does not have.
  bool Takes(const std::string& name, const std::string& text) const {
    const auto resolved =
        ResolveEngineSettings(description_, {.common = {{name, text}}, .own = {}});
    if (!resolved.ok()) return true;
    const Status checked = engine_.CheckSettings(With(resolved->settings, Weakest()));
    return checked.kind() != ErrorKind::kUsage;
  }

  // ---- The tests, in the order and with the names of c_test.c.

  // c_test's settings: cache of 100000, write buffer of 100000, paranoid checks, blocks of 1024, no
  // compression, reads that verify, writes that sync. Its max_open_files of 10 is left out, because
  // LevelDB silently raises it to 74, and Levelfield refuses such a setting. Its own comparator is
  // left out too. A value outside an engine's range is left out for that engine.
  Status CreateObjects() {
    StatusOr<EngineDescription> description = Describe(engine_);
    if (!description.ok()) return Broken(description.status());
    description_ = std::move(*description);
    for (const auto& [name, text] : SettingList{{"cache_size", "100000"},
                                                {"write_buffer_size", "100000"},
                                                {"block_size", "1024"},
                                                {"compression", "none"}}) {
      const auto is_it = [&](const auto& option) { return option.first == name; };
      if (std::ranges::none_of(options_.common, is_it) &&
          std::ranges::none_of(options_.own, is_it) && Takes(name, text)) {
        options_.common.emplace_back(name, text);
      }
    }
    const StatusOr<ResolvedOptions> resolved = ResolveEngineSettings(description_, options_);
    if (!resolved.ok()) return Broken(resolved.status());
    settings_ = resolved->settings;
    settings_.emplace_back("expected_keys", "20000");
    settings_.emplace_back("expected_value_bytes", "100");
    for (const char* name : {"paranoid_checks", "verify_checksums"}) {
      const bool is_given = std::ranges::any_of(
          settings_, [&](const auto& setting) { return setting.first == name; });
      if (!is_given && description_.FindOption(name) != nullptr) settings_.emplace_back(name, "1");
    }
    for (const std::string& durability : {Strongest(), Weakest()}) {
      const Status status = engine_.CheckSettings(With(settings_, durability));
      if (!status.ok()) return Broken(status);
    }
    std::ofstream(directory_ / kNeighbour) << kNeighboursText;
    return ExpectOnlyNeighbour();
  }

  // Destroying a missing store is no error.
  Status Destroy() {
    RETURN_IF_ERROR(engine_.Destroy(directory_));
    return ExpectOnlyNeighbour();
  }

  // c_test opens a missing store without creating it. The table has no such setting. Instead: a
  // missing store is not recognized, and a file that is no store does not open.
  Status OpenError() {
    if (engine_.Has(LF_VOLATILE)) return NothingOnDisk();
    if (engine_.table().recognize != nullptr) {
      const StatusOr<bool> recognized = engine_.Recognizes(directory_);
      if (recognized.status().kind() == ErrorKind::kFailed) return recognized.status();
      if (recognized.ok() && *recognized)
        return Status::Failed("a store is recognized where there is none");
    }
    const StatusOr<Store> store =
        Store::Open(engine_, directory_ / kNeighbour, With(settings_, Strongest()));
    if (store.ok()) return Status::Failed("a file of plain text was opened as a store");
    error_text_ = engine_.table().last_error();
    return ExpectOnlyNeighbour();
  }

  // c_test has the library free the error's text. Here the text belongs to the engine: it exists
  // until the next error, and is not empty.
  Status LevelDbFree() {
    if (engine_.Has(LF_VOLATILE)) return NothingOnDisk();
    const char* const text = engine_.table().last_error();
    if (text == nullptr || *text == '\0') {
      return Status::Failed("the failed open left no error text");
    }
    if (error_text_ != text) return Status::Failed("the error's text changed without an error");
    return Status::Ok();
  }

  Status Open() {
    RETURN_IF_ERROR(Reopen(settings_, Strongest()));
    return CheckGet("foo", std::nullopt);
  }

  Status Put() {
    RETURN_IF_ERROR(Write("foo", "hello"));
    return CheckGet("foo", "hello");
  }

  // Without a session, because c_test has none open at that point, and LMDB can only compact so.
  Status CompactAll() {
    session_.reset();
    const Status compacted = store_->Compact();
    if (compacted.kind() == ErrorKind::kFailed) return compacted;
    RETURN_IF_ERROR(BeginSession());
    const Status kept = CheckGet("foo", "hello");
    return kept.ok() ? compacted : kept;
  }

  Status CompactRange() {
    RETURN_IF_ERROR(store_->CompactRange("a", "z"));
    return CheckGet("foo", "hello");
  }

  // c_test also clears a batch and walks through one. Here a batch is the caller's own array.
  Status WriteBatch() {
    const lf_entry entries[] = {
        {Bytes("bar"), Bytes("b"), 0}, {Bytes("box"), Bytes("c"), 0}, {Bytes("bar"), Bytes(""), 1}};
    const lf_code code = engine_.table().write(session_->get(), entries, std::size(entries));
    if (code != LF_OK) return FailedCall(code, "write");
    return All({CheckGet("foo", "hello"), CheckGet("bar", std::nullopt), CheckGet("box", "c")});
  }

  Status Iter() {
    const lf_engine& table = engine_.table();
    lf_bytes key{};
    lf_bytes value{};
    const auto expect = [&](lf_code code, const char* call, std::string_view wanted_key,
                            std::string_view wanted_value) {
      if (code == LF_FAILED || code == LF_UNSUPPORTED) return FailedCall(code, call);
      const bool is_valid = code == LF_OK;
      if (wanted_key.empty() && !is_valid) return Status::Ok();
      const std::string found = is_valid ? Quote(std::string(key.data, key.size)) + "=" +
                                               Quote(std::string(value.data, value.size))
                                         : "the end";
      const std::string wanted = wanted_key.empty() ? "the end"
                                                    : Quote(std::string(wanted_key)) + "=" +
                                                          Quote(std::string(wanted_value));
      if (found == wanted) return Status::Ok();
      return Status::Failed(fmt::format("{}: expected {}, got {}", call, wanted, found));
    };
    lf_session* const session = session_->get();
    return All(
        {expect(table.seek(session, LF_FIRST, {}, &key, &value), "seek to the first", "box", "c"),
         expect(table.next(session, &key, &value), "next", "foo", "hello"),
         expect(table.prev(session, &key, &value), "prev", "box", "c"),
         expect(table.prev(session, &key, &value), "prev at the first", "", ""),
         expect(table.seek(session, LF_LAST, {}, &key, &value), "seek to the last", "foo", "hello"),
         expect(table.seek(session, LF_AT_OR_AFTER, Bytes("b"), &key, &value), "seek to b", "box",
                "c")});
  }

  // Writes 20,000 entries without syncs, then asks for the sizes of two ranges.
  Status ApproximateSizes() {
    RETURN_IF_ERROR(Reopen(settings_, Weakest()));
    for (int i = 0; i < 20'000; ++i) {
      RETURN_IF_ERROR(Write(fmt::format("k{:020}", i), fmt::format("v{:020}", i)));
    }
    const std::string middle = fmt::format("k{:020}", 10'000);
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"a", middle},
                                   std::pair<std::string, std::string>{middle, "z"}}) {
      ASSIGN_OR_RETURN(const uint64_t bytes, store_->ApproximateBytes(from, to));
      if (bytes == 0) {
        return Status::Failed(fmt::format("10,000 entries from {} to {} take no byte", from, to));
      }
    }
    return Status::Ok();
  }

  Status Property() {
    if (engine_.table().property != nullptr) {
      const StatusOr<std::string> none = store_->Property("nosuchprop");
      if (none.ok()) return Status::Failed("nosuchprop was answered: " + Quote(*none, 100));
      if (none.status().kind() != ErrorKind::kUsage) return none.status();
    }
    const StatusOr<std::string> stats = store_->Property("stats");
    if (!stats.ok()) return stats.status();
    return stats->empty() ? Status::Failed("stats is an empty text") : Status::Ok();
  }

  // Removes foo even without a snapshot, because later tests rely on that.
  Status Snapshot() {
    const lf_engine& table = engine_.table();
    lf_session* const session = session_->get();
    Status lacks = Status::Usage("this engine offers no snapshots");
    lf_snapshot* snapshot = nullptr;
    if (table.take_snapshot != nullptr) {
      const lf_code code = table.take_snapshot(session, &snapshot);
      lacks = engine_.StatusOf(code, "take_snapshot");
      if (code == LF_OK && snapshot == nullptr) return Status::Failed("take_snapshot gave none");
      if (code != LF_OK && code != LF_UNSUPPORTED) return FailedCall(code, "take_snapshot");
    }
    if (const lf_code code = table.erase(session, Bytes("foo")); code != LF_OK) {
      return FailedCall(code, "erase");
    }
    Status status = Status::Ok();
    if (snapshot != nullptr) {
      lf_bytes value{};
      const lf_code code = table.get_at(session, snapshot, Bytes("foo"), &value);
      status = Compare("foo of the snapshot", code, value, "hello");
    }
    if (status.ok()) status = CheckGet("foo", std::nullopt);
    if (snapshot != nullptr) table.release_snapshot(session, snapshot);
    return status.ok() ? lacks : status;
  }

  // Whether or not there was a repair, the store is opened again and has its contents.
  Status Repair() {
    if (engine_.Has(LF_VOLATILE)) return NothingOnDisk();
    RETURN_IF_ERROR(Close());
    const Status repaired = engine_.Repair(directory_, With(settings_, Strongest()));
    if (repaired.kind() == ErrorKind::kFailed) return repaired;
    RETURN_IF_ERROR(Reopen(settings_, Strongest()));
    const Status kept =
        All({CheckGet("foo", std::nullopt), CheckGet("bar", std::nullopt), CheckGet("box", "c")});
    return kept.ok() ? repaired : kept;
  }

  // c_test does this twice, first with its own filter that lies. Here only the second part exists,
  // with the engine's Bloom filter of 10 bits a key.
  Status Filter() {
    const OptionDescription* const bloom = description_.FindOption("bloom_bits");
    if (bloom == nullptr || bloom->kind == LF_ABSENT) {
      return Status::Usage(bloom == nullptr ? "has no filter" : bloom->help);
    }
    RETURN_IF_ERROR(Close());
    RETURN_IF_ERROR(engine_.Destroy(directory_));
    SettingList settings = settings_;
    std::erase_if(settings, [](const auto& setting) { return setting.first == "bloom_bits"; });
    settings.emplace_back("bloom_bits", "10");
    RETURN_IF_ERROR(Reopen(settings, Strongest()));
    RETURN_IF_ERROR(All({Write("foo", "foovalue"), Write("bar", "barvalue")}));
    // An engine that cannot compact must still answer.
    const Status compacted = store_->Compact();
    if (compacted.kind() == ErrorKind::kFailed) return compacted;
    return All(
        {CheckGet("foo", "foovalue"), CheckGet("bar", "barvalue"), CheckGet("baz", std::nullopt)});
  }

  // The store is gone, and everything that was there before remains.
  Status Cleanup() {
    RETURN_IF_ERROR(Close());
    RETURN_IF_ERROR(engine_.Destroy(directory_));
    return ExpectOnlyNeighbour();
  }

  // ---- Shared parts.

  static Status All(std::initializer_list<Status> statuses) {
    for (const Status& status : statuses) {
      if (!status.ok()) return status;
    }
    return Status::Ok();
  }

  // For calls that no engine may lack.
  static Status Broken(const Status& status) { return Status::Failed(status.message()); }

  static Status NothingOnDisk() { return Status::Usage("keeps nothing over a close"); }

  Status FailedCall(lf_code code, const std::string& call) const {
    const Status status = engine_.StatusOf(code, call);
    return Status::Failed(status.ok() ? call + " answered \"not found\"" : status.message());
  }

  std::string Strongest() const { return First({"synced", "process", "none"}); }
  std::string Weakest() const { return First({"none", "process", "synced"}); }
  std::string First(std::initializer_list<const char*> names) const {
    for (const char* name : names) {
      const DurabilityDescription* const found = description_.FindDurability(name);
      if (found != nullptr && found->level != LF_REFUSED) return name;
    }
    return "process";
  }

  static SettingList With(SettingList settings, const std::string& durability) {
    settings.emplace_back("durability", durability);
    return settings;
  }

  Status Close() {
    session_.reset();
    if (!store_) return Status::Ok();
    const Status status = store_->Close();
    store_.reset();
    return status.ok() ? status : Broken(status);
  }

  // A store that forgets everything when it is closed stays open: all classes are alike for it.
  Status Reopen(const SettingList& settings, const std::string& durability) {
    if (store_ && engine_.Has(LF_VOLATILE)) return Status::Ok();
    RETURN_IF_ERROR(Close());
    StatusOr<Store> store = Store::Open(engine_, directory_, With(settings, durability));
    if (!store.ok()) return Broken(store.status());
    store_ = std::move(*store);
    return BeginSession();
  }

  Status BeginSession() {
    StatusOr<Session> session = store_->BeginSession();
    if (!session.ok()) return Broken(session.status());
    session_ = std::move(*session);
    return Status::Ok();
  }

  Status Write(const std::string& key, const std::string& value) {
    const lf_code code = engine_.table().put(session_->get(), Bytes(key), Bytes(value));
    return code == LF_OK ? Status::Ok() : FailedCall(code, "put of " + Quote(key));
  }

  Status CheckGet(const std::string& key, const std::optional<std::string>& wanted) {
    lf_bytes value{};
    const lf_code code = engine_.table().get(session_->get(), Bytes(key), &value);
    return Compare(key, code, value, wanted);
  }

  Status Compare(const std::string& key, lf_code code, lf_bytes value,
                 const std::optional<std::string>& wanted) const {
    std::optional<std::string> found;
    if (code == LF_OK) {
      found.emplace(value.data, value.size);
    } else if (code != LF_NOT_FOUND) {
      return FailedCall(code, "get of " + key);
    }
    if (found == wanted) return Status::Ok();
    return Status::Failed(
        fmt::format("get of {}: expected {}, got {}", key, Shown(wanted), Shown(found)));
  }

  Status ExpectOnlyNeighbour() const {
    if (ReadAll(directory_ / kNeighbour) != kNeighboursText) {
      return Status::Failed(
          fmt::format("{}, which is no part of the store, is gone or changed", kNeighbour));
    }
    std::error_code error;
    for (fs::directory_iterator it(directory_, error), end; !error && it != end;
         it.increment(error)) {
      const fs::path name = it->path().filename();
      if (name == kNeighbour) continue;
      return Status::Failed(fmt::format("{} was left behind", Quote(name.string())));
    }
    return Status::Ok();
  }

  Engine engine_;
  GivenOptions options_;
  const fs::path directory_;
  EngineDescription description_;
  SettingList settings_;
  std::string error_text_;
  std::optional<Store> store_;
  std::optional<Session> session_;  // Ends before its store.
};

const std::vector<CTest::Row>& CTest::Rows() {
  static const std::vector<Row> rows = {
      {"create_objects", &CTest::CreateObjects},
      {"destroy", &CTest::Destroy},
      {"open_error", &CTest::OpenError},
      {"leveldb_free", &CTest::LevelDbFree},
      {"open", &CTest::Open},
      {"put", &CTest::Put},
      {"compactall", &CTest::CompactAll},
      {"compactrange", &CTest::CompactRange},
      {"writebatch", &CTest::WriteBatch},
      {"iter", &CTest::Iter},
      {"approximate_sizes", &CTest::ApproximateSizes},
      {"property", &CTest::Property},
      {"snapshot", &CTest::Snapshot},
      {"repair", &CTest::Repair},
      {"filter", &CTest::Filter},
      {"cleanup", &CTest::Cleanup},
  };
  return rows;
}

}  // namespace

Status RunCTest(const Engine& engine, const GivenOptions& options, const fs::path& directory,
                const std::function<void(std::string_view)>& print) {
  if (engine.Has(LF_NO_ANSWERS)) {
    print("unsupported: keeps nothing, so that none of its answers can be checked\n");
    return Status::Ok();
  }
  CTest test(engine, options, directory);
  for (const CTest::Row& row : CTest::Rows()) {
    print(fmt::format("=== Test {}", row.name));
    const Status status = (test.*row.run)();
    if (status.kind() == ErrorKind::kFailed) {
      print("\n");
      return Status::Failed(fmt::format("{}: {}", row.name, status.message()));
    }
    if (!status.ok()) {
      std::string_view reason = status.message();
      const std::string engine_name = engine.spec().text + ": ";
      if (reason.starts_with(engine_name)) reason.remove_prefix(engine_name.size());
      print(fmt::format(" unsupported: {}", reason));
    }
    print("\n");
  }
  print("PASS\n");
  return Status::Ok();
}

}  // namespace levelfield
