#include "plan/load_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Settings Parsed(const std::vector<std::string>& words) {
  StatusOr<Settings> settings = ParseSettings(words);
  EXPECT_TRUE(settings.ok()) << settings.status().message();
  return settings.ok() ? *settings : Settings();
}

LoadAsked Asked(const std::vector<std::string>& words) {
  const StatusOr<LoadAsked> asked = LoadOf(Parsed(words));
  EXPECT_TRUE(asked.ok()) << asked.status().message();
  return asked.ok() ? *asked : LoadAsked();
}

// Why the plan of these words is refused; empty: it is not.
std::string Refusal(std::vector<std::string> words) {
  const auto phases = PlanPhases(Parsed(words));
  if (phases.ok()) return "";
  EXPECT_EQ(phases.status().kind(), ErrorKind::kUsage);
  return phases.status().message();
}

TEST(LoadSettings, AreAClosedLoopWhereNothingIsAsked) {
  EXPECT_EQ(Asked({}).kind, LoadAsked::Kind::kClosed);
  EXPECT_EQ(Refusal({"--benchmarks=fillseq,compact,crc32c"}), "");
}

TEST(LoadSettings, TakeRatesAsTheyAreTyped) {
  for (const auto& [text, rate] :
       {std::pair("50k", 50'000u), {"50k/s", 50'000u}, {"1.5M/s", 1'500'000u}, {"7", 7u}}) {
    const LoadAsked asked = Asked({std::string("--rate=") + text});
    EXPECT_EQ(asked.kind, LoadAsked::Kind::kOpen) << text;
    EXPECT_EQ(asked.rate, rate) << text;
    EXPECT_EQ(asked.arrival, Arrival::kPoisson) << "independent users";
  }
  EXPECT_EQ(Asked({"--rate=5", "--arrival=constant"}).arrival, Arrival::kConstant);
  EXPECT_EQ(Asked({"--rate=sweep"}).kind, LoadAsked::Kind::kSweep);
}

TEST(LoadSettings, TakeObjectivesAsTheyAreTyped) {
  const std::tuple<const char*, double, uint64_t> objectives[] = {
      {"p99<1ms", 0.99, 1'000'000},
      {"p50<800ns", 0.5, 800},
      {"p99.9<250us", 0.999, 250'000},
      {"p99.99<1.5s", 0.9999, 1'500'000'000}};
  for (const auto& [text, share, limit_ns] : objectives) {
    const LoadAsked asked = Asked({std::string("--slo=") + text});
    EXPECT_EQ(asked.kind, LoadAsked::Kind::kSearch);
    EXPECT_NEAR(asked.objective.share, share, 1e-9) << text;
    EXPECT_EQ(asked.objective.limit_ns, limit_ns) << text;
    EXPECT_EQ(asked.objective.text, text);
  }
}

TEST(LoadSettings, RefuseNonsense) {
  const auto refusal = [](const std::vector<std::string>& words) {
    const StatusOr<LoadAsked> asked = LoadOf(Parsed(words));
    EXPECT_FALSE(asked.ok()) << words.front();
    return asked.ok() ? "" : asked.status().message();
  };
  for (const char* const rate : {"fast", "0", "-5", "50k/m", "2G/s", "1.5", "/s", "sweep/s"}) {
    EXPECT_THAT(refusal({std::string("--rate=") + rate}), HasSubstr("like `50k`")) << rate;
  }
  for (const char* const slo : {"p99", "99<1ms", "p<1ms", "p99<1", "p99<ms", "p99<-1ms", "p99>1ms",
                                "p99<1m", "p9.9.9<1ms", "mean<1ms", "p99<=1ms"}) {
    EXPECT_THAT(refusal({std::string("--slo=") + slo}), HasSubstr("p99<1ms")) << slo;
  }
  for (const char* const slo : {"p0<1ms", "p100<1ms", "p99.99999<1ms", "p250<1ms"}) {
    EXPECT_THAT(refusal({std::string("--slo=") + slo}), HasSubstr("above 0 and up to 99.9999"));
  }
  EXPECT_THAT(refusal({"--slo=p99<0ms"}), HasSubstr("from 1 ns"));
  EXPECT_THAT(refusal({"--slo=p99<1ms,p50<1us"}), HasSubstr("one objective at a time"));
}

TEST(LoadSettings, RefuseWhatDoesNotGoWithAnOpenLoop) {
  EXPECT_THAT(Refusal({"--slo=p99<1ms", "--rate=5k"}), HasSubstr("leave one of them out"));
  EXPECT_THAT(Refusal({"--slo=p99<1ms", "--rate=sweep"}), HasSubstr("leave one of them out"));
  EXPECT_THAT(Refusal({"--arrival=constant"}), HasSubstr("give --rate"));
  EXPECT_THAT(Refusal({"--rate=5", "--histogram=0"}), HasSubstr("--histogram=0"));
  EXPECT_THAT(Refusal({"--rate=5", "--reads_per_second=5"}), HasSubstr("closed loop"));
  EXPECT_THAT(Refusal({"--rate=sweep", "--repeat=6"}), HasSubstr("no two rounds"));
  EXPECT_THAT(Refusal({"--slo=p99<1ms", "--precision=0.1"}), HasSubstr("no two rounds"));
}

TEST(LoadSettings, RefuseWorkloadsThatHaveNoStreamOfOperations) {
  for (const char* const name : {"compact", "open", "crc32c", "stats"}) {
    EXPECT_THAT(Refusal({"--rate=1k", std::string("--benchmarks=readrandom,") + name}),
                AllOf(HasSubstr("--rate: "), HasSubstr(name)));
  }
  EXPECT_EQ(Refusal({"--rate=1k",
                     "--benchmarks=fillseq,readrandom,readseq,readwhilewriting,"
                     "overwrite,seekrandom,fillbatch,deleterandom"}),
            "");
  EXPECT_THAT(Refusal({"--rate=100", "--benchmarks=fillbatch"}), HasSubstr("--stall=30"));
}

TEST(LoadSettings, RefuseAtSeveralRatesWhatDoesNotLeaveTheStoreAsItWas) {
  for (const char* const load : {"--rate=sweep", "--slo=p99<1ms"}) {
    for (const char* const name :
         {"fillrandom", "deleterandom", "readseq", "appendrandom", "fillseekseq", "timeseries"}) {
      EXPECT_THAT(Refusal({load, std::string("--benchmarks=") + name}), HasSubstr(name)) << load;
    }
    EXPECT_EQ(Refusal({load,
                       "--benchmarks=readrandom,readwhilewriting,overwrite,seekrandom,"
                       "readrandomwriterandom,updaterandom"}),
              "")
        << "the fill that comes before them is not at a rate";
  }
}

}  // namespace
}  // namespace levelfield
