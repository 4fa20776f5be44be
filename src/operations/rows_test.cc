#include "workload/rows.h"

#include <gtest/gtest.h>

#include <thread>

#include "check/verify.h"
#include "operations/thread_fixture_for_test.h"

namespace levelfield::rows_operations_test {

constexpr uint64_t kLoaded = 300;
constexpr uint64_t kKeyBytes = 16;
constexpr uint64_t kRowBytes = 100;

class Rows : public ::testing::Test {
 protected:
  Rows() : fixture_("memory"), session_(fixture_.Begin()) {}

  Role RoleOf(const char* operation) const {
    Role role;
    role.operation = FindOperation(operation);
    role.value_size = kRowBytes;
    role.nexts = 9;
    role.rows = plan_;
    role.batch = role.operation->writes() ? plan_.batch : 1;
    role.range = plan_.range();
    if (role.operation->chooses_keys()) return role;
    role.order = KeyOrder::kSequential;
    role.range = kLoaded;
    return role;
  }

  ThreadTask TaskOf(const Role& role, uint64_t operations, lf_session* session,
                    ThreadControl& control) {
    ThreadTask task = fixture_.Task({.role = role, .operations = operations}, 0, session, control);
    task.role = &role;
    task.before = &state_;
    task.first_version = state_.NextVersion();
    task.writer_clock = &clock_;
    return task;
  }

  // As a phase of its own: what it wrote is in the model for the next one.
  ThreadResult Run(const char* operation, uint64_t operations) {
    const Role role = RoleOf(operation);
    ThreadControl control;
    clock_.now = 0;
    const ThreadTask task = TaskOf(role, operations, session_.get(), control);
    ThreadResult result;
    RunThread(task, result);
    if (result.code != LF_OK || !role.operation->writes()) return result;
    const RoleRun run = {.tasks = {task}, .results = {result}};
    state_.Add(role.operation->layer != nullptr ? role.operation->layer(role, run, {})
                                                : LayerOfOrder(role, run));
    return result;
  }

  void Load() {
    ASSERT_EQ(Run("put", kLoaded).code, LF_OK);
    ASSERT_EQ(Run("row index", kLoaded * plan_.indexes).code, LF_OK);
  }

  uint64_t WrongScans() {
    const ThreadResult result = Run("row scan", 500);
    EXPECT_EQ(result.code, LF_OK) << result.error;
    EXPECT_EQ(result.statistics.front().counts.bytes, result.entries * (kKeyBytes + 16));
    entries_ = result.entries;
    return result.statistics.front().counts.wrong;
  }

  std::string StoreDifference() {
    return VerifyStore(session_, fixture_.table(), state_, fixture_.values(), kKeySize,
                       [](uint64_t, uint64_t) { return true; })
        .difference;
  }

  RowPlaces Places() const {
    return {plan_, ThreadFixture::Plan({.role = RoleOf("row scan")}, 0).order_seed};
  }
  std::string KeyOf(uint64_t row, uint64_t index) const {
    return fixture_.Key(Places().KeyOf(row, index));
  }
  void Erase(const std::string& key) {
    ASSERT_EQ(fixture_.table().erase(session_.get(), {key.data(), key.size()}), LF_OK);
  }
  void Put(const std::string& key, const std::string& value) {
    ASSERT_EQ(fixture_.table().put(session_.get(), {key.data(), key.size()},
                                   {value.data(), value.size()}),
              LF_OK);
  }

  RowsPlan plan_ = {.rows = 1000, .indexes = 3, .batch = 7, .deletes = 1};
  ThreadFixture fixture_;
  Session session_;
  ExpectedState state_;
  WriterClock clock_;
  uint64_t entries_ = 0;
};

TEST_F(Rows, ThatWereLoadedAreIndexed) {
  Load();
  EXPECT_EQ(state_.PresentCount(), 4 * kLoaded);
  EXPECT_EQ(StoreDifference(), "");
  EXPECT_EQ(WrongScans(), 0u);
  EXPECT_GT(entries_, 4500u) << "scans of ten entries, but for those near the end of an index";
}

// Round and round: more rows than there are places.
TEST_F(Rows, InsertedAndDeletedKeepTheirNumber) {
  Load();
  for (const uint64_t inserted : {1, 7, 100, 2500}) {
    const ThreadResult result = Run("row insert", inserted);
    ASSERT_EQ(result.code, LF_OK) << result.error;
    const OperationCounts counts = result.statistics.front().counts;
    EXPECT_EQ(counts.operations, inserted);
    EXPECT_EQ(counts.bytes, inserted * (8 * kKeyBytes + kRowBytes + 3 * 16));
    EXPECT_EQ(clock_.now.load(), inserted);
    EXPECT_EQ(state_.PresentCount(), 4 * kLoaded);
    EXPECT_EQ(StoreDifference(), "") << inserted;
    EXPECT_EQ(WrongScans(), 0u) << inserted;
  }
}

TEST_F(Rows, WithoutDeletesBecomeMoreUntilAllPlacesAreTaken) {
  plan_.deletes = 0;
  Load();
  ASSERT_EQ(Run("row insert", 500).code, LF_OK);
  EXPECT_EQ(state_.PresentCount(), 4 * (kLoaded + 500));
  EXPECT_EQ(StoreDifference(), "");
  EXPECT_EQ(WrongScans(), 0u);
  const ThreadResult result = Run("row insert", 500);
  EXPECT_EQ(result.code, LF_UNSUPPORTED);
  EXPECT_NE(result.error.find("raise `rows`"), std::string::npos) << result.error;
}

TEST_F(Rows, AreReadRightlyWhileTheyComeAndGo) {
  Load();
  const Role writer = RoleOf("row insert");
  const Role reader = RoleOf("row scan");
  ThreadControl controls[3];
  ThreadResult results[3];
  Session sessions[] = {fixture_.Begin(), fixture_.Begin(), fixture_.Begin()};
  {
    std::vector<std::jthread> threads;
    for (size_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        RunThread(
            TaskOf(t == 0 ? writer : reader, t == 0 ? 20000 : 3000, sessions[t].get(), controls[t]),
            results[t]);
      });
    }
  }
  for (const ThreadResult& result : results) {
    ASSERT_EQ(result.code, LF_OK) << result.error;
    EXPECT_EQ(result.statistics.front().counts.wrong, 0u);
  }
  EXPECT_EQ(clock_.now.load(), 20000u);
}

TEST_F(Rows, ThatAreLostAreMissed) {
  Load();
  ASSERT_EQ(Run("row insert", 50).code, LF_OK);
  ASSERT_EQ(WrongScans(), 0u);
  for (uint64_t row = 60; row < 360; row += 20) Erase(KeyOf(row, 2));
  EXPECT_GT(WrongScans(), 20u);
}

TEST_F(Rows, ThatWereDeletedAndAreStillThereAreSeen) {
  Load();
  ASSERT_EQ(Run("row insert", 50).code, LF_OK);
  std::string value(16, '\0');
  for (uint64_t row = 0; row < 30; ++row) {
    fixture_.values().Make(Places().KeyOf(row, 1), 2, value.size(), value.data());
    Put(KeyOf(row, 1), value);
  }
  EXPECT_GT(WrongScans(), 20u);
}

TEST_F(Rows, HaveTheirOwnValuesOfTheRightVersion) {
  Load();
  std::string value(16, '\0');
  fixture_.values().Make(Places().KeyOf(5, 1), 99, value.size(), value.data());
  Put(KeyOf(5, 1), value);
  EXPECT_GT(WrongScans(), 0u) << "of another version";
  Load();
  ASSERT_EQ(WrongScans(), 0u);
  fixture_.values().Make(Places().KeyOf(6, 1), 2, value.size(), value.data());
  Put(KeyOf(5, 1), value);
  EXPECT_GT(WrongScans(), 0u) << "of another row";
}

TEST_F(Rows, AreNotThereToIndexInAnEmptyStore) {
  const ThreadResult result = Run("row index", 10);
  EXPECT_EQ(result.code, LF_UNSUPPORTED);
  EXPECT_NE(result.error.find("no rows"), std::string::npos) << result.error;
}

TEST_F(Rows, WithoutEntriesInTheIndexesAreNotScanned) {
  ASSERT_EQ(Run("put", kLoaded).code, LF_OK);
  const ThreadResult result = Run("row scan", 10);
  EXPECT_EQ(result.code, LF_UNSUPPORTED);
  EXPECT_NE(result.error.find("op = row index"), std::string::npos) << result.error;
}

TEST_F(Rows, OfWhichOnlySomeHaveEntriesAreReadRightly) {
  ASSERT_EQ(Run("put", kLoaded).code, LF_OK);
  ASSERT_EQ(Run("row insert", 40).code, LF_OK) << "before the others are indexed";
  EXPECT_EQ(StoreDifference(), "");
  EXPECT_EQ(WrongScans(), 0u);
  ASSERT_EQ(Run("row index", 500).code, LF_OK) << "by a phase that ends early";
  EXPECT_EQ(StoreDifference(), "");
  EXPECT_EQ(WrongScans(), 0u);
}

TEST_F(Rows, OfAStoreThatWasThereBeforeAreRefused) {
  Load();
  state_.StartAt(5);
  const ThreadResult result = Run("row insert", 10);
  EXPECT_EQ(result.code, LF_UNSUPPORTED);
  EXPECT_NE(result.error.find("not known"), std::string::npos) << result.error;
}

}  // namespace levelfield::rows_operations_test
