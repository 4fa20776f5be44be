// Every workload that `levelfield workloads` lists, on three engines: it comes to checked answers,
// or to `unsupported` with the reason that the table below has for it. A new workload is in it at
// once.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "end_to_end.h"

namespace levelfield {
namespace {

struct Exception {
  const char* engine;  // "*": all three.
  const char* workload;
  const char* reason;  // A part of the message, or of why the answers are not checked.
};

constexpr Exception kUnsupported[] = {
    {"*", "heapprofile", "no allocator that profiles its heap"},
    {"rocksdb", "fillrandint", "no integer keys"},
    {"rocksdb", "fillrandibatch", "no integer keys"},
    {"leveldb", "fillrandint", "no integer keys"},
    {"leveldb", "fillrandibatch", "no integer keys"},
    {"leveldb", "flush", "no call that flushes"},
    {"leveldb", "waitforcompaction", "no call that waits"},
    {"leveldb", "verifychecksum", "no call that verifies"},
    {"leveldb", "mergerandom", "no merge operators"},
    {"leveldb", "readwhilemerging", "no merge operators"},
    {"leveldb", "readrandommergerandom", "no merge operators"},
    {"leveldb", "seekrandomwhilemerging", "no merge operators"},
    {"leveldb", "multireadrandom", "one key a call"},
    {"leveldb", "multireadwhilewriting", "one key a call"},
    {"leveldb", "backup", "no backup"},
    {"leveldb", "restore", "no backup of this run"},
    {"leveldb", "randomtransaction", "no transactions"},
    {"lmdb", "levelstats", "not what is on each level"},
    {"lmdb", "memstats", "nothing in memory of its own"},
    {"lmdb", "waitforcompaction", "no threads of its own"},
    {"lmdb", "verifychecksum", "no checksums"},
    {"lmdb", "mergerandom", "no merge operators"},
    {"lmdb", "readwhilemerging", "no merge operators"},
    {"lmdb", "readrandommergerandom", "no merge operators"},
    {"lmdb", "seekrandomwhilemerging", "no merge operators"},
    {"lmdb", "multireadrandom", "one key a call"},
    {"lmdb", "multireadwhilewriting", "one key a call"},
};

constexpr Exception kUnchecked[] = {
    {"*", "newiterator", "gives no answer"},
    {"*", "newiteratorwhilewriting", "gives no answer"},
    {"*", "seekrandomwhilewriting", "is not known"},
    {"*", "seekrandomwhilemerging", "is not known"},
};

template <size_t n>
const Exception* Find(const Exception (&table)[n], const std::string& engine,
                      const std::string& workload) {
  const auto it = std::ranges::find_if(table, [&](const Exception& row) {
    return row.workload == workload && (row.engine == engine || std::string(row.engine) == "*");
  });
  return it == std::end(table) ? nullptr : it;
}

class WorkloadMatrix : public EndToEnd, public ::testing::WithParamInterface<const char*> {
 protected:
  std::vector<std::string> Names() {
    std::istringstream lines(Run({"workloads"}).out);
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
      const std::string name = line.substr(0, line.find(' '));
      if (name.starts_with("replay")) continue;  // Of a recording: trace_test.cc.
      if (!name.empty() && name.find_first_not_of(kNameLetters) == name.npos) names.push_back(name);
    }
    return names;
  }

  // Transactions are an option of RocksDB, and add to counters that are there; values that grow
  // take no --duration; the last one leaves values too short to be checked while others write.
  static constexpr std::string_view kApart = "randomtransaction,appendrandom,randomreplacekeys";
  static constexpr const char* kNameLetters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
};

TEST_P(WorkloadMatrix, EveryNameIsCheckedOrRefusedWithItsReason) {
  const std::string engine = GetParam();
  const std::vector<std::string> names = Names();
  ASSERT_GE(names.size(), 60u);
  std::string list;
  for (const std::string& name : names) {
    if (kApart.find(name) == kApart.npos) list += (list.empty() ? "" : ",") + name;
  }
  const std::vector<std::string> words = {"run", "--engine=" + engine, "--num=1000"};
  std::vector<std::string> apart = {fmt::format("--benchmarks={}", kApart)};
  if (engine == "rocksdb") apart.emplace_back("--rocksdb.transactions=optimistic");
  std::vector<PhaseResult> phases;
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--benchmarks=" + list, "--duration=0.05"}, apart}) {
    fs::remove_all(path() + "/results");
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    const Ending ending = Run(all);
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
    const Result result = ReadResult();
    for (const PhaseResult& phase : RunOf(result, engine).phases) phases.push_back(phase);
  }
  std::set<std::string> seen;
  for (const PhaseResult& phase : phases) {
    if (phase.implicit) continue;
    seen.insert(phase.workload);
    SCOPED_TRACE(phase.workload);
    if (const Exception* const row = Find(kUnsupported, engine, phase.workload)) {
      EXPECT_EQ(phase.outcome, Outcome::kUnsupported);
      EXPECT_THAT(phase.message, HasSubstr(row->reason));
      continue;
    }
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.message;
    if (phase.roles.empty()) {  // What an engine says of itself is a text.
      EXPECT_THAT(phase.text, Not(IsEmpty()));
    } else if (const Exception* const unchecked = Find(kUnchecked, engine, phase.workload)) {
      EXPECT_THAT(phase.check_detail, HasSubstr(unchecked->reason));
    } else {
      EXPECT_THAT(phase.checked, Not(IsEmpty()));
      EXPECT_TRUE(IsChecked(phase)) << phase.check_detail;
    }
  }
  EXPECT_EQ(seen, std::set<std::string>(names.begin(), names.end()));
}

INSTANTIATE_TEST_SUITE_P(All, WorkloadMatrix, ::testing::Values("rocksdb", "leveldb", "lmdb"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace levelfield
