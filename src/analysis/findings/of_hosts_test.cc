#include <fmt/format.h>

#include "analysis/comparison.h"
#include "analysis/findings/remarks_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "result/merge.h"
#include "result/rounds_for_test.h"

namespace levelfield::findings_of_hosts_test {

// A result of hosts h1, h2, ..., on which lmdb does so many gets a second.
Result OfHosts(const std::vector<uint64_t>& gets, const std::vector<std::string>& versions = {}) {
  std::vector<PartOfMerge> parts;
  for (size_t i = 0; i < gets.size(); ++i) {
    PartOfMerge& part = parts.emplace_back();
    part.host = fmt::format("h{}", i + 1);
    part.result = RoundsOf(6, {{"lmdb", [&](uint64_t round) { return gets[i] + round; }}});
    part.result.fingerprint = part.host;
    if (i < versions.size()) {
      for (RunResult& run : part.result.runs) run.version = versions[i];
    }
  }
  return Must(Merge(parts)).result;
}

TEST(Hosts, AreSaidToBeApartByTheirFastestAndSlowest) {
  EXPECT_THAT(SaidOf(OfHosts({100'000, 110'000, 105'000}), {RemarkKind::kHostsApart}),
              ElementsAre("Between the fastest and the slowest host, of the median: readrandom "
                          "(lmdb 10 %)."));
}

TEST(Hosts, ThatAreFarBehindAreNamed) {
  const auto said = [](const std::vector<uint64_t>& gets) {
    return SaidOf(OfHosts(gets), {RemarkKind::kStraggler});
  };
  EXPECT_THAT(said({100'000, 101'000, 99'000, 70'000, 100'500}),
              ElementsAre("Behind the other hosts: readrandom: h4 (lmdb at 70 % of the median)."));
  // Apart, but so are all of them.
  EXPECT_THAT(said({100'000, 130'000, 70'000, 85'000, 115'000}), IsEmpty());
  // A few per cent are no straggler, and of two nobody knows which.
  EXPECT_THAT(said({100'000, 100'000, 97'000, 100'000}), IsEmpty());
  EXPECT_THAT(said({100'000, 50'000}), IsEmpty());
}

TEST(Hosts, WithOtherVersionsOfAnEngineAreNamed) {
  EXPECT_THAT(
      SaidOf(OfHosts({1, 1, 1}, {"0.9.24", "0.9.31", "0.9.24"}), {RemarkKind::kHostsVersions}),
      ElementsAre(HasSubstr("0.9.24 on h1 and h3, 0.9.31 on h2")));
}

// Their rounds were no turns: nothing relates them but a yardstick.
TEST(Hosts, AreComparedAsSessions) {
  const auto comparisons = Must(CompareVariants(OfHosts({100'000, 50'000}), {}));
  ASSERT_EQ(comparisons.size(), 1u);
  EXPECT_FALSE(comparisons[0].paired);
  EXPECT_EQ(comparisons[0].workloads[0].not_comparable, "no yardstick");
  EXPECT_EQ(comparisons[0].workloads[0].verdict, Verdict::kNotRanked);
}

}  // namespace levelfield::findings_of_hosts_test
