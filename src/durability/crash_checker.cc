#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/json_text.h"
#include "base/quote.h"
#include "durability/crash_process.h"
#include "durability/survivors.h"
#include "workload/value_source.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

// One thread's keys, with everything that was issued to them.
class Issued {
 public:
  Issued(const CommitOrder::Shape& shape, uint32_t thread, uint64_t commits) {
    CommitOrder order(shape, thread);
    for (uint64_t n = 1; n <= commits; ++n) {
      for (const CommitEntry& entry : order.Next()) {
        const auto [it, is_new] = places_.try_emplace(entry.key, keys_.size());
        if (is_new) {
          keys_.push_back(entry.key);
          survivors_.emplace_back();
        }
        survivors_[it->second].writes.push_back({order.commit(), entry.erase});
      }
    }
  }

  const std::vector<uint64_t>& keys() const { return keys_; }
  std::vector<KeySurvivor>& survivors() { return survivors_; }
  // Null if it was never issued.
  const KeySurvivor* Find(uint64_t key) const {
    const auto it = places_.find(key);
    return it != places_.end() ? &survivors_[it->second] : nullptr;
  }

 private:
  std::unordered_map<uint64_t, size_t> places_;
  std::vector<uint64_t> keys_;
  std::vector<KeySurvivor> survivors_;
};

class Reading {
 public:
  Reading(const CrashTask& task, const Engine& engine)
      : engine_(engine),
        values_(task.shape.seed, task.shape.value_bytes * CommitOrder::kLongValueFactor, 0.5) {
    for (size_t i = 0; i < task.issued.size(); ++i) {
      threads_.emplace_back(task.shape, static_cast<uint32_t>(i), task.issued[i]);
    }
  }

  // The failure is what the engine says it cannot read.
  Status Get(lf_session* session) {
    for (Issued& thread : threads_) {
      for (size_t i = 0; i < thread.keys().size(); ++i) {
        const std::string key = KeyText(thread.keys()[i]);
        lf_bytes value = {};
        const lf_code code = engine_.table().get(session, {key.data(), key.size()}, &value);
        if (code != LF_OK && code != LF_NOT_FOUND) return engine_.StatusOf(code, "get " + key);
        if (code == LF_OK) thread.survivors()[i].found = FoundUnder(thread.keys()[i], value);
      }
    }
    return Status::Ok();
  }

  Status Scan(lf_session* session, CrashFinding& finding) {
    lf_bytes key = {};
    lf_bytes value = {};
    uint64_t seen = 0;  // Among those that a get found.
    std::string last;
    lf_code code = engine_.table().seek(session, LF_FIRST, {}, &key, &value);
    for (; code == LF_OK; code = engine_.table().next(session, &key, &value)) {
      const std::string_view text(key.data, key.size);
      if (text <= last) {
        return Status::Failed(
            fmt::format("a scan gives the key {} after {}", Quote(text), Quote(last)));
      }
      last = text;
      uint64_t number = 0;
      const KeySurvivor* const known = ParseKeyText(text, number) && number >> 32 < threads_.size()
                                           ? threads_[number >> 32].Find(number)
                                           : nullptr;
      if (known == nullptr) {
        ++finding.never_issued;
        continue;
      }
      const FoundKey found = FoundUnder(number, value);
      const bool agrees = found.kind == known->found.kind && found.commit == known->found.commit;
      finding.disagree += agrees ? 0 : 1;
      seen += known->found.kind != FoundKey::Kind::kAbsent ? 1 : 0;
    }
    if (code != LF_NOT_FOUND) return engine_.StatusOf(code, "scan");
    uint64_t there = 0;
    for (Issued& thread : threads_) {
      for (const KeySurvivor& key_there : thread.survivors()) {
        there += key_there.found.kind != FoundKey::Kind::kAbsent ? 1 : 0;
      }
    }
    finding.disagree += there - seen;  // The scan leaves them out.
    return Status::Ok();
  }

  // For all threads; returns the first lost commit of each.
  std::vector<uint64_t> Judge(const CrashTask& task, CrashFinding& finding) {
    std::vector<uint64_t> first_lost;
    for (size_t i = 0; i < threads_.size(); ++i) {
      const ThreadFinding of_thread =
          JudgeSurvivors(threads_[i].survivors(), task.issued[i], task.acked[i]);
      first_lost.push_back(of_thread.first_lost);
      kept.push_back(of_thread.kept);
      finding.kept += of_thread.kept;
      finding.lost += of_thread.lost;
      finding.out_of_order += of_thread.out_of_order;
      finding.torn += of_thread.torn;
      finding.wrong += of_thread.wrong;
      finding.never_issued += of_thread.never_issued;
    }
    return first_lost;
  }

  std::vector<uint64_t> kept;  // By thread, once Judge was called.

 private:
  FoundKey FoundUnder(uint64_t key, lf_bytes value) const {
    const std::optional<uint32_t> version = values_.Check(key, value);
    if (!version) return {.kind = FoundKey::Kind::kWrong, .commit = 0};
    return {.kind = FoundKey::Kind::kVersion, .commit = *version};
  }

  Engine engine_;
  ValueSource values_;
  std::vector<Issued> threads_;
};

Status Check(const CrashTask& task, CrashFinding& finding, Json& reply) {
  ASSIGN_OR_RETURN(const Engine engine, LoadEngineOf(task));
  ASSIGN_OR_RETURN(Store store, Store::Open(engine, task.directory, task.settings,
                                            &finding.open_seconds));
  finding.opened = true;
  TellParent("opened\n");
  Reading reading(task, engine);
  Status status = Status::Ok();
  {
    ASSIGN_OR_RETURN(Session session, store.BeginSession());
    status = reading.Get(session.get());
    if (status.ok()) status = reading.Scan(session.get(), finding);
  }
  // What could not be read does not count as lost.
  if (status.ok()) {
    reply["first_lost"] = reading.Judge(task, finding);
    reply["kept_by_thread"] = reading.kept;
    status = store.Close();
  }
  return status;
}

}  // namespace

int RunCrashChecker() {
  const std::optional<CrashTask> task = ReadCrashTask();
  if (!task) return 2;
  CrashFinding finding;
  Json reply = {{"first_lost", Json::array()}, {"kept_by_thread", Json::array()}};
  finding.message = Check(*task, finding, reply).message();
  reply["finding"] = ToJson(finding);
  TellParent(JsonText(reply) + "\n");
  _exit(0);  // Skips the destructors of whatever an engine left behind after a failure.
}

}  // namespace levelfield
