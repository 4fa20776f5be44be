#include "verbs/diagnose.h"

#include "base/matchers_for_test.h"
#include "report/terminal.h"

namespace levelfield::diagnose_test {

// Six rounds of one change that made it a twentieth faster; alone it is told apart.
TriedChange AFaster() {
  TriedChange change{.what = "leveldb, a: --bloom_bits=10 instead of 0", .figures = "ops/s: 1, 2"};
  change.ratio = RatioAround(0.05, 0.015, 5);
  change.verdict = Judge(change.ratio, 0.02, 0);
  change.results = "results/1";
  return change;
}

TEST(TriedChanges, HoldTogether) {
  std::vector<TriedChange> tried = {AFaster()};
  std::vector<TriedChange*> all = {&tried[0]};
  JudgeTogether(all, 0.02);
  EXPECT_EQ(WriteTerminal(TriedReport(tried)),
            "leveldb, a: --bloom_bits=10 instead of 0: it helped\n"
            "    figures:  ops/s: 1, 2\n"
            "    results:  results/1\n");
  tried.assign(4, AFaster());
  all.clear();
  for (TriedChange& change : tried) all.push_back(&change);
  JudgeTogether(all, 0.02);
  EXPECT_THAT(WriteTerminal(TriedReport(tried)), Not(HasSubstr("it helped")))
      << "one of four may be so by chance";
  EXPECT_THAT(WriteTerminal(TriedReport(tried)), HasSubstr("not resolved: more rounds"));
}

}  // namespace levelfield::diagnose_test
