// A trace from its file to its verifier: an engine that is right and gets all operations in order,
// and engines that lie.

#include <map>
#include <string>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "worker/roles_for_test.h"
#include "workload/trace/trace_writer.h"

namespace levelfield::trace_test {

// C functions have nowhere else to keep it.
std::vector<std::string>* log_of_calls = nullptr;

void Note(const char* what, lf_bytes key, size_t bytes) {
  log_of_calls->push_back(std::string(what) + " " + std::string(key.data, key.size) + " " +
                          std::to_string(bytes));
}

class VerifiesTrace : public ::testing::Test {
 protected:
  static constexpr uint64_t kKeys = 100;

  VerifiesTrace() : fixture_("memory") {
    Random random(8);
    StatusOr<TraceWriter> writer = TraceWriter::Create(path_, false);
    for (uint64_t i = 0; i < 4'000; ++i) {
      const uint64_t key = random.Below(kKeys);
      TraceRecord record{.time_ns = i, .value_size = static_cast<uint32_t>(random.Below(300))};
      const uint64_t draw = random.Below(10);
      record.operation = draw < 5   ? TraceOperation::kGet
                         : draw < 8 ? TraceOperation::kPut
                         : draw < 9 ? TraceOperation::kModify
                                    : TraceOperation::kErase;
      record.ttl_seconds = i == 5 ? 60 : 0;
      records_.push_back(record);
      records_.back().key = key;
      EXPECT_TRUE(writer->Add(std::to_string(key), record).ok());
    }
    EXPECT_TRUE(writer->Finish("a test", 0).ok());
  }

  Role TraceRole(bool loads, uint64_t threads) const {
    Role role;
    role.name = "client";
    role.operation = FindOperation("trace");
    role.threads = threads;
    role.trace.loads = loads;
    role.trace.path = path_;
    Must(DescribeTrace(role.trace));
    role.range = role.trace.keys;
    role.value_size = role.trace.largest_value;
    return role;
  }

  // What the verifier says about the threads of a role on a table that `lie` has changed.
  std::string Run(bool loads, uint64_t threads, const Lie& lie, uint64_t most = ~uint64_t{0}) {
    Workload workload;
    const Role& role = workload.roles.emplace_back(TraceRole(loads, threads));
    const TraceSteps steps = Must(TraceSteps::Make(role.trace, threads, 4, state_.NextVersion()));
    Judged judged = JudgedRole(fixture_, workload, state_, 0, lie, [&](ThreadTask& task) {
      task.steps = steps.Of(task.thread);
      task.operations = std::min<uint64_t>(task.steps.size(), most);
    });
    EXPECT_EQ(judged.summary.Operations(),
              std::min<uint64_t>(loads ? role.trace.loaded_keys : records_.size(), most));
    for (WriteLayer& layer : LayersOf(workload, judged.run)) state_.Add(std::move(layer));
    result_ = std::move(judged.result);
    return judged.wrong;
  }

  TemporaryDirectory directory_;
  const std::string path_ = directory_ / "a.trace";
  std::vector<TraceRecord> records_;
  ThreadFixture fixture_;
  ExpectedState state_;
  PhaseResult result_;
};

TEST_F(VerifiesTrace, WithoutAFaultWhereTheEngineIsRight) {
  for (const uint64_t threads : {1, 2, 3}) {
    EXPECT_THAT(Run(true, threads, TellTheTruth), IsEmpty());
    EXPECT_THAT(Run(false, threads, TellTheTruth), IsEmpty());
    EXPECT_EQ(WordsOf(result_.checked), "replayed");
    EXPECT_EQ(result_.note, "4000 of 4000 operations, nothing expires");
    EXPECT_THAT(result_.check_detail, HasSubstr("1 operations have a time to live"));
  }
}

// The operations of the trace, worked out from its records alone: in order, with the lengths of
// what was written and found.
TEST_F(VerifiesTrace, WhoseOperationsTheEngineIsToldInTheirOrder) {
  ASSERT_THAT(Run(true, 1, TellTheTruth), IsEmpty());
  std::vector<std::string> log;
  log_of_calls = &log;
  EXPECT_THAT(Run(false, 1,
                  [](lf_engine& table) {
                    table.get = [](lf_session* session, lf_bytes key, lf_bytes* value) {
                      const lf_code code = honest.get(session, key, value);
                      Note("get", key, code == LF_OK ? value->size : 99'999);
                      return code;
                    };
                    table.put = [](lf_session* session, lf_bytes key, lf_bytes value) {
                      Note("put", key, value.size);
                      return honest.put(session, key, value);
                    };
                    table.erase = [](lf_session* session, lf_bytes key) {
                      Note("erase", key, 0);
                      return honest.erase(session, key);
                    };
                  }),
              IsEmpty());
  std::map<uint64_t, std::string> key_of;  // The engine's keys by the source's.
  std::map<uint64_t, uint64_t> size_of;
  std::map<uint64_t, bool> was_seen;
  size_t at = 0;
  const auto expect = [&](uint64_t key, const std::string& what, uint64_t bytes) {
    ASSERT_LT(at, log.size());
    const std::string& line = log[at++];
    const std::string ours = line.substr(line.find(' ') + 1, kKeySize);
    EXPECT_EQ(key_of.try_emplace(key, ours).first->second, ours);
    EXPECT_EQ(line, what + " " + ours + " " + std::to_string(bytes)) << at;
  };
  for (const TraceRecord& record : records_) {
    const bool reads =
        record.operation == TraceOperation::kGet || record.operation == TraceOperation::kModify;
    if (reads && !was_seen[record.key]) size_of[record.key] = record.value_size;
    was_seen[record.key] = true;
    if (reads) {
      const auto it = size_of.find(record.key);
      expect(record.key, "get", it == size_of.end() ? 99'999 : it->second);
    }
    if (record.operation == TraceOperation::kErase) {
      expect(record.key, "erase", 0);
      size_of.erase(record.key);
    } else if (record.operation != TraceOperation::kGet) {
      expect(record.key, "put", record.value_size);
      size_of[record.key] = record.value_size;
    }
  }
  EXPECT_EQ(at, log.size());
  EXPECT_EQ(key_of.size(), kKeys);
}

TEST_F(VerifiesTrace, ThatWasStoppedOnTheWay) {
  ASSERT_THAT(Run(true, 1, TellTheTruth), IsEmpty());
  EXPECT_THAT(Run(false, 1, TellTheTruth, 777), IsEmpty());
  EXPECT_EQ(result_.note, "777 of 4000 operations, nothing expires");
  // The next run begins with what this one left.
  EXPECT_THAT(Run(false, 1, TellTheTruth), IsEmpty());
}

// A put that is acknowledged but lost shows at the next read of its key.
TEST_F(VerifiesTrace, WherePutsAreLost) {
  for (const uint64_t threads : {1, 3}) {
    state_ = ExpectedState();
    ASSERT_THAT(Run(true, threads, TellTheTruth), IsEmpty());
    EXPECT_THAT(Run(false, threads,
                    With(&lf_engine::put,
                         [](lf_session* session, lf_bytes key, lf_bytes value) {
                           return ++calls % 50 == 0 ? LF_OK : honest.put(session, key, value);
                         })),
                HasSubstr(" instead of "));
  }
}

// The old value has the same length, is whole and belongs to its key.
TEST_F(VerifiesTrace, WhereAnOldVersionIsRead) {
  ASSERT_THAT(Run(true, 1, TellTheTruth), IsEmpty());
  static std::map<std::string, std::string> older;
  older.clear();
  EXPECT_THAT(Run(false, 1,
                  With(&lf_engine::get,
                       [](lf_session* session, lf_bytes key, lf_bytes* value) {
                         const lf_code code = honest.get(session, key, value);
                         if (code != LF_OK || value->size < 16) return code;
                         std::string& old =
                             older[std::to_string(value->size) + std::string(key.data, key.size)];
                         if (old.empty()) old.assign(value->data, value->size);
                         *value = {old.data(), old.size()};
                         return code;
                       })),
              HasSubstr("what was read differs from what was written"));
}

TEST_F(VerifiesTrace, WhereErasesAreLost) {
  ASSERT_THAT(Run(true, 1, TellTheTruth), IsEmpty());
  EXPECT_THAT(Run(false, 1,
                  With(&lf_engine::erase,
                       [](lf_session* session, lf_bytes key) {
                         return ++calls == 100 ? LF_OK : honest.erase(session, key);
                       })),
              HasSubstr("found instead of"));
}

TEST_F(VerifiesTrace, WhereAKeyThatIsThereIsNotFound) {
  ASSERT_THAT(Run(true, 1, TellTheTruth), IsEmpty());
  EXPECT_THAT(Run(false, 1,
                  With(&lf_engine::get,
                       [](lf_session* session, lf_bytes key, lf_bytes* value) {
                         const lf_code code = honest.get(session, key, value);
                         return code == LF_OK && ++calls == 500 ? LF_NOT_FOUND : code;
                       })),
              HasSubstr("found instead of"));
}

}  // namespace levelfield::trace_test
