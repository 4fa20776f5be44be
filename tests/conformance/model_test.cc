// Random operations on two sessions against std::map. A failure is shrunk to the few operations
// that show it, and printed with the seed that finds it again (RC_PARAMS; main.cc sets the
// default).
//
// Only what the contract promises is asked: a session's scan is stepped until the next write of
// anybody, and is ended (by a get) before another session writes, because an open scan may make
// writers wait.
#include <rapidcheck.h>

#include <array>
#include <chrono>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/quote.h"
#include "conformance.h"

namespace levelfield {
namespace {

enum class Kind { kPut, kErase, kGet, kWrite, kSeek, kNext, kPrev, kSync, kCompact, kReopen };

struct Operation {
  Kind kind = Kind::kGet;
  bool is_second = false;  // Which of the two sessions.
  std::string key;
  std::string value;
  lf_seek how = LF_FIRST;
  std::vector<std::pair<std::string, rc::Maybe<std::string>>> batch;  // Nothing: an erase.
};

void showValue(const Operation& operation, std::ostream& out) {
  constexpr std::array<const char*, 10> kNames = {"Put",  "Erase", "Get",  "Write",   "Seek",
                                                  "Next", "Prev",  "Sync", "Compact", "Reopen"};
  const auto kind = static_cast<size_t>(operation.kind);
  out << "\n  " << (operation.is_second ? "second." : "first.") << kNames[kind] << "(";
  if (operation.kind == Kind::kSeek) out << operation.how << ", ";
  if (kind <= static_cast<size_t>(Kind::kGet) || operation.kind == Kind::kSeek) {
    out << Quote(operation.key);
  }
  if (operation.kind == Kind::kPut) out << ", " << Quote(operation.value, 20);
  if (operation.kind == Kind::kWrite) {
    for (const auto& [key, value] : operation.batch) {
      out << (value ? " put " : " erase ") << Quote(key);
      if (value) out << "=" << Quote(*value, 20);
    }
  }
  out << ")";
}

// Few and close to each other, so that operations meet: 1 to 3 letters out of five, with bytes that
// a wrong order trips over.
rc::Gen<std::string> Keys() {
  return rc::gen::resize(3, rc::gen::nonEmpty(rc::gen::container<std::string>(
                                rc::gen::elementOf(std::string("\0a\x7f\x80\xff", 5)))));
}

rc::Gen<std::string> Values() {
  return rc::gen::weightedOneOf<std::string>(
      {{20, rc::gen::resize(20, rc::gen::container<std::string>(rc::gen::arbitrary<char>()))},
       {1, rc::gen::map(rc::gen::inRange(1000, 10000),
                        [](int bytes) { return Noise(static_cast<size_t>(bytes)); })}});
}

rc::Gen<Operation> Operations() {
  using rc::gen::set;
  return rc::gen::build<Operation>(
      set(&Operation::kind, rc::gen::weightedElement<Kind>({{30, Kind::kPut},
                                                            {10, Kind::kErase},
                                                            {15, Kind::kGet},
                                                            {8, Kind::kWrite},
                                                            {15, Kind::kSeek},
                                                            {15, Kind::kNext},
                                                            {15, Kind::kPrev},
                                                            {1, Kind::kSync},
                                                            {1, Kind::kCompact},
                                                            {1, Kind::kReopen}})),
      set(&Operation::is_second, rc::gen::arbitrary<bool>()), set(&Operation::key, Keys()),
      set(&Operation::value, Values()),
      set(&Operation::how, rc::gen::element(LF_FIRST, LF_LAST, LF_AT_OR_AFTER, LF_AT_OR_BEFORE)),
      set(&Operation::batch,
          rc::gen::resize(6, rc::gen::container<decltype(Operation::batch)>(
                                 rc::gen::pair(Keys(), rc::gen::maybe(Values()))))));
}

// One store, two sessions and the model beside them, driven by operations; throws through RC_ASSERT
// where they part.
class ModelRun {
 public:
  ModelRun(const Engine& engine, std::string durability)
      : engine_(engine), durability_(std::move(durability)) {
    Open();
  }

  void Do(const Operation& operation) {
    TestSession& session = *sessions_[operation.is_second ? 1 : 0];
    Scan& scan = scans_[operation.is_second ? 1 : 0];
    switch (operation.kind) {
      case Kind::kPut:
        EndScans();
        Require(session.Put(operation.key, operation.value));
        model_[operation.key] = operation.value;
        return;
      case Kind::kErase:
        EndScans();
        Require(session.Erase(operation.key));
        model_.erase(operation.key);
        return;
      case Kind::kGet: {
        scan = {};
        const auto it = model_.find(operation.key);
        RC_ASSERT(session.Get(operation.key) ==
                  (it == model_.end() ? NotFound() : Value(it->second)));
        return;
      }
      case Kind::kWrite:
        Write(session, operation);
        return;
      case Kind::kSeek: {
        const Answer expected = SeekIn(model_, operation.how, operation.key);
        RC_ASSERT(session.Seek(operation.how, operation.key) == expected);
        scan = {expected.code == LF_OK, expected.key};
        return;
      }
      case Kind::kNext:
      case Kind::kPrev: {
        if (!scan.is_open) return;
        const auto it = model_.find(scan.key);
        const bool is_next = operation.kind == Kind::kNext;
        const Answer expected = is_next ? EntryAt(model_, std::next(it)) : EntryBefore(model_, it);
        RC_ASSERT((is_next ? session.Next() : session.Prev()) == expected);
        scan = {expected.code == LF_OK, expected.key};
        return;
      }
      case Kind::kSync:
        EndScans();
        RequireOrUnsupported(engine_.table().sync(store_->get()));
        return;
      case Kind::kCompact:
        EndScans();
        RequireOrUnsupported(engine_.table().compact(store_->get()));
        return;
      case Kind::kReopen:
        if (engine_.Has(LF_VOLATILE)) return;
        Close();
        Open();
        return;
    }
  }

  void CompareEverything() {
    std::vector<std::pair<std::string, std::string>> found;
    Answer answer = sessions_[0]->Seek(LF_FIRST);
    for (; answer.code == LF_OK && found.size() <= model_.size(); answer = sessions_[0]->Next()) {
      found.emplace_back(answer.key, answer.value);
    }
    RC_ASSERT(found == decltype(found)(model_.begin(), model_.end()));
  }

 private:
  struct Scan {
    bool is_open = false;
    std::string key;  // Where it stands.
  };

  void Open() {
    auto store = Store::Open(engine_, directory_.path(), BaseSettings(durability_));
    if (!store.ok()) RC_FAIL(store.status().message());
    store_.emplace(std::move(*store));
    for (auto& session : sessions_) session.emplace(*store_);
    scans_ = {};
  }

  void Close() {
    for (auto& session : sessions_) session.reset();
    const Status closed = store_->Close();
    if (!closed.ok()) RC_FAIL(closed.message());
  }

  void EndScans() {
    for (size_t i = 0; i < sessions_.size(); ++i) {
      if (scans_[i].is_open) (void)sessions_[i]->Get("absent");
      scans_[i] = {};
    }
  }

  void Write(TestSession& session, const Operation& operation) {
    EndScans();
    std::vector<lf_entry> entries;
    for (const auto& [key, value] : operation.batch) {
      entries.push_back(value ? PutEntry(key, *value) : EraseEntry(key));
      if (value) {
        model_[key] = *value;
      } else {
        model_.erase(key);
      }
    }
    Require(session.Write(entries));
  }

  void Require(lf_code code) const {
    if (code != LF_OK) RC_FAIL(std::string(engine_.table().last_error()));
  }
  void RequireOrUnsupported(lf_code code) const {
    if (code != LF_UNSUPPORTED) Require(code);
  }

  // In this order: the sessions end before the store, and the store before its directory.
  const Engine& engine_;
  const std::string durability_;
  const TemporaryDirectory directory_;
  std::optional<Store> store_;
  std::array<std::optional<TestSession>, 2> sessions_;
  std::array<Scan, 2> scans_;
  Model model_;
};

CONFORMANCE_SUITE(AgainstTheModel, AnswersConformance);

// A fault that does not come back with the same operations (a race, a counter of the engine's own)
// would be shrunk for ever, each attempt failing or not as it likes. So shrinking has a time of its
// own; what is found after it counts as passed, which ends it with the shortest sequence so far.
constexpr auto kShrinkFor = std::chrono::seconds(10);

TEST_P(AgainstTheModel, RandomOperationsAnswerAsAnOrderedMapDoes) {
  std::optional<std::chrono::steady_clock::time_point> shrink_until;
  EXPECT_TRUE(rc::check([&] {
    const auto operations = *rc::gen::container<std::vector<Operation>>(Operations());
    if (shrink_until.has_value() && std::chrono::steady_clock::now() > *shrink_until) return;
    try {
      ModelRun run(engine(), WeakestClass());
      for (const Operation& operation : operations) run.Do(operation);
      run.CompareEverything();
    } catch (...) {
      if (!shrink_until.has_value()) {
        shrink_until = std::chrono::steady_clock::now() + kShrinkFor;
      }
      throw;
    }
  }));
}

}  // namespace
}  // namespace levelfield
