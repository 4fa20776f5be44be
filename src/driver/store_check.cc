#include "driver/store_check.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "driver/supervisor.h"
#include "engine/engine.h"
#include "engine/loader.h"
#include "process/process.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostBytes = size_t{1} << 20;  // The most that the child may write.
constexpr uint64_t kBetweenProgress = 16'384;
// An open, which may read the whole store, and the engine's own checker report nothing until they
// have finished.
constexpr double kSilentFactor = 20;

void Say(const Json& json) { TellParent(JsonText(json) + "\n"); }

// The engine's words about its failed call: damage that it has found, or why it could not go on.
void TakeFailure(const lf_engine& table, const std::string& what, StoreCheck& check) {
  const bool is_damage =
      table.last_error_is_damage != nullptr && table.last_error_is_damage() != 0;
  std::string& why = is_damage ? check.damage : check.not_checked;
  if (why.empty()) why = what;
}

// The full read. Compares the engine's keys in its own order.
class Reader {
 public:
  Reader(const lf_engine& table, const StoreCheckRequest& request)
      : table_(table), content_(request.content) {
    if (!content_) return;
    format_.emplace(content_->keys, content_->keys.Limit());
    if (content_->describes_itself && content_->smallest_value >= ValueSource::kHeaderBytes &&
        content_->largest_value <= kMostValueBytes) {
      values_.emplace(request.salt, content_->largest_value, content_->compression_ratio);
    }
  }

  void Read(Session& scan, Session& gets, StoreCheck& check) {
    ReadAll(scan, gets, check);
    if (odd_.empty()) return;
    if (content_ || check.out_of_order == 0) {
      if (check.damage.empty()) check.damage = odd_;
    } else if (check.not_checked.empty()) {
      // Engines take comparisons of their users' own, and not all write down that they did.
      check.not_checked = fmt::format(
          "its keys are not in the order of bytes, so it has an order of its own, or is damaged: "
          "{}",
          odd_);
    }
  }

 private:
  static constexpr uint64_t kMostValueBytes = uint64_t{1} << 30;
  static constexpr uint64_t kLeastGets = 5'000;

  void ReadAll(Session& scan, Session& gets, StoreCheck& check) {
    lf_bytes key;
    lf_bytes value;
    std::string before;
    lf_code code = table_.seek(scan.get(), LF_FIRST, {}, &key, &value);
    for (; code == LF_OK; code = table_.next(scan.get(), &key, &value)) {
      const std::string_view seen(key.data, key.size);
      if (check.entries != 0 && !IsBefore(before, seen)) {
        Note(check.out_of_order, fmt::format("{} comes behind {}", Quote(seen), Quote(before)));
      }
      before = seen;
      ++check.entries;
      check.bytes += key.size + value.size;
      LookAt(seen, value, check);
      Find(gets, seen, value, check);
      if (check.entries % kBetweenProgress == 0) Say({{"progress", check.entries}});
    }
    if (code != LF_NOT_FOUND) return Fail("a scan", check);
    ReadBackwards(scan, check);
    CountAgain(check);
    AskAgain(scan, gets, check);
  }

  bool IsBefore(const std::string& one, std::string_view other) const {
    if (!content_ || content_->keys.kind != KeyKind::kInteger || one.size() != other.size() ||
        one.size() != sizeof(uint64_t)) {
      return one < other;
    }
    uint64_t numbers[2];
    std::memcpy(&numbers[0], one.data(), sizeof(uint64_t));
    std::memcpy(&numbers[1], other.data(), sizeof(uint64_t));
    return numbers[0] < numbers[1];
  }

  void LookAt(std::string_view key, lf_bytes value, StoreCheck& check) {
    if (!format_) return;
    const std::optional<uint64_t> index = format_->Parse(key);
    if (!index) {
      return Note(check.wrong,
                  fmt::format("the key {} is none that was ever written", Quote(key)));
    }
    if (!values_) return;
    ++check.checked_values;
    if (values_->Check(*index, value)) return;
    Note(check.wrong,
         fmt::format("{} has {} bytes that were never written", Quote(key), value.size));
  }

  void Find(Session& gets, std::string_view key, lf_bytes scanned, StoreCheck& check) {
    lf_bytes value;
    const lf_code code = table_.get(gets.get(), {key.data(), key.size()}, &value);
    if (code == LF_NOT_FOUND) {
      return Note(check.missing,
                  fmt::format("{} is there in a scan, and is not found by its key", Quote(key)));
    }
    if (code != LF_OK) return Fail("a get", check);
    const bool is_same =
        value.size == scanned.size &&
        (value.size == 0 || std::memcmp(value.data, scanned.data, value.size) == 0);
    if (!is_same) {
      Note(check.wrong,
           fmt::format("{} has one value in a scan and another one by its key", Quote(key)));
    }
  }

  void ReadBackwards(Session& scan, StoreCheck& check) {
    lf_bytes key;
    lf_bytes value;
    uint64_t entries = 0;
    lf_code code = table_.seek(scan.get(), LF_LAST, {}, &key, &value);
    for (; code == LF_OK; code = table_.prev(scan.get(), &key, &value)) {
      if (++entries % kBetweenProgress == 0) Say({{"progress", entries}});
    }
    if (code != LF_NOT_FOUND) return Fail("a scan backwards", check);
    if (entries == check.entries) return;
    const std::string what =
        fmt::format("{} entries forwards, {} backwards", check.entries, entries);
    Note(check.missing, what);
    check.missing += std::max(entries, check.entries) - std::min(entries, check.entries) - 1;
  }

  // Compares with the number when it was last closed. Somebody else may have added entries since.
  void CountAgain(StoreCheck& check) {
    if (!content_ || check.entries >= content_->entries) return;
    Note(check.missing,
         fmt::format("{} entries, of {} that there were when it was last closed", check.entries,
                     content_->entries));
    check.missing += content_->entries - check.entries - 1;
  }

  // Damage may show only in some calls. A small store has few entries, so they are looked up again
  // until there were enough calls.
  void AskAgain(Session& scan, Session& gets, StoreCheck& check) {
    uint64_t asked = check.entries;
    while (asked != 0 && asked < kLeastGets && odd_.empty() && check.damage.empty()) {
      lf_bytes key;
      lf_bytes value;
      const uint64_t before = asked;
      lf_code code = table_.seek(scan.get(), LF_FIRST, {}, &key, &value);
      for (; code == LF_OK; code = table_.next(scan.get(), &key, &value)) {
        ++asked;
        Find(gets, {key.data, key.size}, value, check);
      }
      if (code != LF_NOT_FOUND) return Fail("a scan", check);
      if (asked - before == check.entries) continue;
      return Note(
          check.missing,
          fmt::format("{} entries in one scan, {} in another", check.entries, asked - before));
    }
  }

  void Note(uint64_t& count, const std::string& what) {
    ++count;
    if (!odd_.empty()) return;
    odd_ = what;
    // The engine may crash before the end. Of a store of ours it is certain now.
    if (content_) Say({{"found", what}});
  }

  void Fail(const char* what, StoreCheck& check) {
    TakeFailure(table_, fmt::format("{}: {}", what, table_.last_error()), check);
  }

  const lf_engine& table_;
  const std::optional<StoreContent>& content_;
  std::optional<KeyFormat> format_;
  std::optional<ValueSource> values_;
  std::string odd_;  // The first entry that is wrong, missing or out of order.
};

// Runs the engine's own checker.
void RunChecker(const lf_engine& table, Store& store, StoreCheck& check) {
  if (table.property == nullptr) {
    check.checker = "it has no checker of its own";
    return;
  }
  const char* text = nullptr;
  const lf_code code = table.property(store.get(), "check", &text);
  check.checker = code == LF_OK ? (text != nullptr ? text : "") : table.last_error();
  if (code != LF_FAILED) return;
  if (table.last_error_is_damage != nullptr) return TakeFailure(table, check.checker, check);
  check.damage = check.checker;
}

// Opening would make a store where there is none, and that one is always sound. Returns false, with
// the reason, if there is none of this engine's.
bool IsThere(const Engine& engine, const StoreCheckRequest& request, StoreCheck& check) {
  const uint64_t entries = request.content ? request.content->entries : 0;
  if (engine.table().recognize == nullptr) {
    if (entries != 0) return true;  // They would be missing.
    check.not_checked = fmt::format(
        "{} cannot tell whether that is a store of its own (it has no `recognize`)",
        request.engine);
    return false;
  }
  const StatusOr<bool> recognizes = engine.Recognizes(request.path);
  if (recognizes.ok() && *recognizes) return true;
  if (!recognizes.ok()) {
    check.not_checked = recognizes.status().message();
  } else if (entries == 0 || engine.Has(LF_VOLATILE)) {
    check.not_checked =
        fmt::format("{} does not recognize it as a store of its own", request.engine);
  } else {
    check.missing = entries;
    check.damage = fmt::format(
        "{} does not recognize it any more as a store of its own, which had {} entries when it was "
        "last closed",
        request.engine, entries);
  }
  return false;
}

Status Check(const StoreCheckRequest& request, StoreCheck& check) {
  ASSIGN_OR_RETURN(const EngineSpec spec, ParseEngineSpec(request.engine));
  ASSIGN_OR_RETURN(const Engine engine, LoadEngine(spec, EnginePlaces()));
  const lf_engine& table = engine.table();
  SettingList settings = request.settings;
  for (const lf_durability* row = table.durabilities; row->name != nullptr; ++row) {
    if (row->level == LF_REFUSED) continue;
    settings.emplace_back("durability", row->name);
    break;
  }
  RETURN_IF_ERROR(engine.CheckSettings(settings));
  if (!IsThere(engine, request, check)) return Status::Ok();
  if (table.last_error_is_damage != nullptr) settings.emplace_back("check", "1");
  Say({{"stage", "open"}});
  StatusOr<Store> store = Store::Open(engine, request.path, settings);
  if (!store.ok()) {
    TakeFailure(table, "it cannot be opened: " + store.status().message(), check);
    return Status::Ok();
  }
  Say({{"stage", "check"}});
  check.was_read = true;
  RunChecker(table, *store, check);
  Say({{"stage", "read"}, {"checker", check.checker}, {"damage", check.damage}});
  StatusOr<Session> scan = store->BeginSession();
  StatusOr<Session> gets = scan.ok() ? store->BeginSession() : scan.status();
  if (!gets.ok()) {
    TakeFailure(table, gets.status().message(), check);
    return Status::Ok();
  }
  // Reads a damaged store too, to measure the damage.
  Reader(table, request).Read(*scan, *gets, check);
  return Status::Ok();
}

Json ToJson(const StoreCheck& check) {
  return {{"not_checked", check.not_checked},
          {"damage", check.damage},
          {"was_read", check.was_read},
          {"checker", check.checker},
          {"entries", check.entries},
          {"bytes", check.bytes},
          {"wrong", check.wrong},
          {"missing", check.missing},
          {"out_of_order", check.out_of_order},
          {"checked_values", check.checked_values}};
}

StoreCheck FromJson(const Json& json) {
  return {.not_checked = json.at("not_checked"),
          .damage = json.at("damage"),
          .was_read = json.at("was_read"),
          .checker = json.at("checker"),
          .entries = CountOf(json.at("entries")),
          .bytes = CountOf(json.at("bytes")),
          .wrong = CountOf(json.at("wrong")),
          .missing = CountOf(json.at("missing")),
          .out_of_order = CountOf(json.at("out_of_order")),
          .checked_values = CountOf(json.at("checked_values"))};
}

// The child as the parent sees it: its messages, and its present stage.
class Watcher {
 public:
  Watcher(ChildProcess& child, double stall) : child_(child), stall_(stall) {}

  // Waits until it has ended. Returns why it was killed, or "".
  std::string Follow() {
    last_ns_ = MonotonicNs();
    bool has_lines = true;
    bool has_words = true;
    while (has_lines) {
      pollfd fds[] = {{child_.output().get(), POLLIN, 0},
                      {has_words ? child_.error().get() : -1, POLLIN, 0}};
      (void)poll(fds, 2, 200);
      if (fds[0].revents != 0) has_lines = ReadLines();
      if (fds[1].revents != 0) has_words = ReadSome(fds[1].fd, last_words_, kMostBytes);
      const double quiet = static_cast<double>(MonotonicNs() - last_ns_) * 1e-9;
      const bool is_silent = stage_ == "open" || stage_ == "check";
      const double limit = stall_ * (is_silent ? kSilentFactor : 1);
      const bool is_late = quiet > limit;
      if (!is_late && !IsInterrupted() && pending_.size() < kMostBytes) continue;
      child_.Signal(SIGKILL);
      return IsInterrupted() ? "interrupted"
             : is_late ? fmt::format("no progress in '{}' for {:.0f} s (--stall)", stage_, quiet)
                       : "it says too much";
    }
    return "";
  }

  const std::optional<StoreCheck>& answer() const { return answer_; }
  const StoreCheck& so_far() const { return so_far_; }
  const std::string& stage() const { return stage_; }
  const std::string& last_words() const { return last_words_; }

 private:
  bool ReadLines() {
    const bool goes_on = ReadSome(child_.output().get(), pending_, kMostBytes);
    for (size_t end; (end = pending_.find('\n')) != std::string::npos; pending_.erase(0, end + 1)) {
      last_ns_ = MonotonicNs();
      const StatusOr<Json> line = ParseBoundedJson(std::string_view(pending_).substr(0, end));
      if (line.ok() && line->is_object()) Take(*line);
    }
    return goes_on;
  }

  void Take(const Json& line) {
    try {
      if (line.contains("stage")) stage_ = line["stage"].get<std::string>();
      if (line.contains("progress")) so_far_.entries = CountOf(line["progress"]);
      if (line.contains("found") && so_far_.damage.empty()) {
        so_far_.damage = line["found"].get<std::string>();
      }
      if (line.contains("not_checked")) {
        answer_ = FromJson(line);
      } else if (line.contains("checker")) {
        so_far_.checker = line["checker"].get<std::string>();
        so_far_.damage = line["damage"].get<std::string>();
        so_far_.was_read = true;
      }
    } catch (const Json::exception&) {  // An engine may write to any descriptor.
    }
  }

  ChildProcess& child_;
  const double stall_;
  std::string pending_;
  std::string last_words_;
  std::string stage_ = "load";
  uint64_t last_ns_ = 0;
  StoreCheck so_far_;
  std::optional<StoreCheck> answer_;
};

}  // namespace

StoreCheck CheckStore(const StoreCheckRequest& request) {
  StatusOr<ChildProcess> child = ChildProcess::Start({"--answer-store-check"});
  if (!child.ok()) return {.not_checked = child.status().message()};
  Json json = {{"spec", request.engine},
               {"settings", request.settings},
               {"path", request.path},
               {"salt", request.salt},
               {"is_known", request.content.has_value()}};
  if (request.content) AddContent(*request.content, json);
  (void)child->Write(JsonText(json) + "\n");
  Watcher watcher(*child, request.stall);
  std::string ended = watcher.Follow();
  const std::string died = child->Wait();
  if (ended.empty() && watcher.answer()) return *watcher.answer();
  StoreCheck check = watcher.so_far();
  if (ended.empty()) {
    ended = fmt::format("its process ended {}", died.empty() ? "without a word" : "by " + died);
  }
  if (!watcher.last_words().empty()) ended += "; it said: " + Quote(watcher.last_words(), 500);
  if (IsInterrupted() || watcher.stage() == "load") {
    check.not_checked = ended;
  } else {
    check.not_checked = fmt::format(
        "in '{}': {}; a damaged store can do that to an engine, and so can a fault of its own",
        watcher.stage(), ended);
  }
  return check;
}

int AnswerStoreCheck() {
  std::string line;
  std::getline(std::cin, line);
  StoreCheckRequest request;
  try {
    const nlohmann::json json = ParseJsonText(line);
    request.engine = json.at("spec");
    request.settings = json.at("settings").get<SettingList>();
    request.path = json.at("path");
    request.salt = json.at("salt");
    if (json.at("is_known").get<bool>()) request.content = ContentIn(json);
  } catch (const Json::exception&) {
    return 2;
  }
  StoreCheck check;
  if (const Status status = Check(request, check); !status.ok()) {
    check.not_checked = status.message();
  }
  Say(ToJson(check));
  _exit(0);
}

}  // namespace levelfield
