#include "workload/workload_file.h"

#include <bit>
#include <string>
#include <vector>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/random.h"
#include "base/status_for_test.h"
#include "workload/expected_state.h"
#include "workload/find_workload.h"
#include "workload/key_format.h"

namespace levelfield::workload_file_test {

const Settings kSettings = {
    .num = 1000, .reads = 500, .value_size = 100, .threads = 4, .batch = 50};

StatusOr<Workload> Parse(std::string_view text, const Settings& settings = kSettings) {
  return ParseWorkload("mine", text, settings);
}

// As a run does with a name: finds its text, then parses it.
StatusOr<Workload> FindAndParse(const std::string& name, const Settings& settings = kSettings) {
  const StatusOr<WorkloadText> source = FindWorkload(name);
  if (!source.ok()) return source.status();
  return ParseWorkload(source->name, source->text, settings);
}

// A head of two lines, the role in line 3, and `lines` from line 4 on.
std::string WithRole(const std::string& lines) {
  return "summary = s\nfamily = f\n[worker]\n" + lines;
}

Role RoleOf(const std::string& lines, const Settings& settings = kSettings) {
  return Must(Parse(WithRole(lines), settings)).roles.at(0);
}

TEST(WorkloadFile, EveryBuiltInParsesAtEverySize) {
  EXPECT_GE(BuiltinWorkloads().size(), 43u);
  for (const auto& [name, text] : BuiltinWorkloads()) {
    for (const uint64_t num :
         {uint64_t{1}, uint64_t{10}, uint64_t{1000}, uint64_t{8'000'000'000}}) {
      const Settings settings = {.num = num, .reads = num, .value_size = 100, .threads = 2};
      const auto workload = FindAndParse(std::string(name), settings);
      // The counter, or the last write, of each key is remembered.
      const bool asks_for_records = name.starts_with("ycsb-") && name != "ycsb-load";
      if ((name == "randomtransaction" || name.starts_with("mixgraph") || asks_for_records) &&
          num > ExpectedState::kMostRemembered) {
        EXPECT_THAT(workload.status().message(), HasSubstr("would be remembered"));
        continue;
      }
      ASSERT_TRUE(workload.ok()) << workload.status().message();
      EXPECT_EQ(workload->name, name);
      EXPECT_FALSE(workload->summary.empty());
      EXPECT_FALSE(workload->family.empty());
      for (const Role& role : workload->roles) {
        EXPECT_GE(role.threads, 1u);
        EXPECT_GE(role.range, 1u);
        // Operations that choose their own keys have as many as they need.
        const uint64_t most = name == "readrandomfast" ? std::bit_ceil(num)
                              : name == "ycsb-load"    ? num * 2  // With room for inserts.
                                                       : num;
        EXPECT_TRUE(role.range <= most || role.operation->chooses_keys()) << role.range;
        EXPECT_TRUE(role.operations > 0 || !role.until_role.empty());
        EXPECT_GE(role.value_size.most(), 1u);
      }
    }
  }
}

TEST(WorkloadFile, ReadWhileWritingIsWhatItsTextSays) {
  const auto workload = Must(FindAndParse("readwhilewriting"));
  EXPECT_EQ(workload.need, StoreNeed::kLoaded);
  ASSERT_EQ(workload.roles.size(), 2u);
  const Role& reader = workload.roles[0];
  EXPECT_EQ(reader.name, "reader");
  EXPECT_EQ(reader.operation, FindOperation("get"));
  EXPECT_EQ(reader.order, KeyOrder::kUniform);
  EXPECT_EQ(reader.threads, 4u);
  EXPECT_EQ(reader.operations, 500u);
  const Role& writer = workload.roles[1];
  EXPECT_EQ(writer.operation, FindOperation("put"));
  EXPECT_EQ(writer.threads, 1u);
  EXPECT_EQ(writer.operations, 0u);
  EXPECT_EQ(writer.until_role, "reader");
}

TEST(WorkloadFile, VariablesAndQuotientsAreResolved) {
  const Role role = RoleOf(
      "op = put\nkeys = sequential\nthreads = $threads\nrange = $num / 3\n"
      "value_size = $value_size\nbatch = 7\nstop = after $reads/1000 operations\n");
  EXPECT_EQ(role.threads, 4u);
  EXPECT_EQ(role.range, 333u);
  EXPECT_EQ(role.value_size, 100u);
  EXPECT_EQ(role.batch, 7u);
  EXPECT_EQ(role.operations, 1u) << "a quotient is at least 1";
}

TEST(WorkloadFile, OneOperationMayBeSaidInTheSingular) {
  EXPECT_EQ(RoleOf("op = compact\nstop = after 1 operation\n").operations, 1u);
  EXPECT_EQ(RoleOf("op = compact\nstop = after 1 operations\n").operations, 1u);
}

TEST(WorkloadFile, SpacesCarriageReturnsAndCommentsAreNothing) {
  const auto workload = Must(
      Parse("# a comment\r\n\r\n\tsummary =  two words \r\nfamily=f\r\n  [ab-c_1]  \r\n op=get\r\n"
            "keys\t=\tuniform\r\nstop = after 5 operations"));
  EXPECT_EQ(workload.summary, "two words");
  EXPECT_EQ(workload.roles[0].name, "ab-c_1");
  EXPECT_EQ(workload.roles[0].operations, 5u);
}

TEST(WorkloadFile, TheLinesOfARoleComeInAnyOrder) {
  for (const char* lines :
       {"op = get\nstop = after 1 operation\nrange = 500\nkeys = uniform of the first 10%\n",
        "keys = uniform of the first 10%\nop = get\nstop = after 1 operation\nrange = 500\n"}) {
    EXPECT_EQ(RoleOf(lines).range, 50u) << lines;
  }
}

TEST(WorkloadFile, AShareOfTheKeysIsRoundedUp) {
  const auto range = [](uint64_t num) {
    return RoleOf("op = get\nkeys = uniform of the first 1%\nstop = after 1 operation\n",
                  {.num = num, .reads = 1, .value_size = 1, .threads = 1})
        .range;
  };
  EXPECT_EQ(range(1), 1u);
  EXPECT_EQ(range(100), 1u);
  EXPECT_EQ(range(101), 2u);
  EXPECT_EQ(range(8'000'000'000), 80'000'000u);
}

TEST(WorkloadFile, MissingKeysSortBeforeTheLastKey) {
  for (const uint64_t num : {11, 12, 20, 21, 1000, 1009}) {
    const Role role = RoleOf("op = get\nkeys = uniform missing\nstop = after 1 operation\n",
                             {.num = num, .reads = 1, .value_size = 1, .threads = 1});
    ASSERT_TRUE(role.missing);
    std::string last(16, '0');
    KeyFormat(16, num).Format(std::vector{num - 1}, last.data());
    std::string missing(16, '0');
    KeyFormat(16, role.range, true).Format(std::vector{role.range - 1}, missing.data());
    EXPECT_LT(missing, last) << num;
  }
  const Role role =
      RoleOf("op = get\nkeys = uniform missing of the first 50%\nstop = after 1 operation\n");
  EXPECT_TRUE(role.missing);
  EXPECT_EQ(role.range, 490u);
}

TEST(WorkloadFile, AMixIsAPercentage) {
  const Role role = RoleOf("op = 90% get, else put\nkeys = shuffled\nstop = after 1 operation\n");
  EXPECT_EQ(role.operation, FindOperation("mix"));
  EXPECT_EQ(role.get_percent, 90u);
}

TEST(WorkloadFile, ACountMayBeMultiplied) {
  const auto range = [](const std::string& count, uint64_t num) {
    return RoleOf("op = get\nkeys = uniform\nstop = after 1 operation\nrange = " + count + "\n",
                  {.num = num, .reads = 1, .value_size = 1, .threads = 1})
        .range;
  };
  EXPECT_EQ(range("$num*10", 1000), 10'000u);
  EXPECT_EQ(range("$num * 3", 7), 21u);
  EXPECT_EQ(range("2*3", 7), 6u);
}

TEST(WorkloadFile, TheBatchOfASettingIsAVariable) {
  EXPECT_EQ(RoleOf("op = put\nkeys = shuffled\nbatch = $batch\nstop = after 1 operation\n").batch,
            50u);
  for (const char* name : {"fillseqbatch", "fillrandbatch", "overwritebatch", "fillrandibatch"}) {
    EXPECT_EQ(FindAndParse(name)->roles.at(0).batch, 50u) << name;
  }
  EXPECT_EQ(FindAndParse("fillbatch")->roles.at(0).batch, 1000u);
}

TEST(WorkloadFile, ARateInBytesIsOneOfEntriesOfTheirMeanSize) {
  const auto rate = [](const std::string& lines) {
    return RoleOf(lines + "stop = after 1 operation\nrate = $write_bytes_per_second bytes\n",
                  {.num = 10, .value_size = 84, .write_bytes_per_second = 100'000})
        .rate;
  };
  EXPECT_EQ(rate("op = put\nkeys = shuffled\n"), 1000u) << "16 bytes of key, 84 of value";
  EXPECT_EQ(rate("op = put\nkeys = shuffled\nbatch = 50\n"), 1000u) << "of entries, not batches";
  EXPECT_EQ(rate("op = put\nkeys = shuffled\nvalue_size = 99984\n"), 1u);
  EXPECT_EQ(rate("op = put\nkeys = shuffled\nvalue_size = 26000\n"), 4u) << "3.8 of them";
  EXPECT_EQ(rate("op = put\nkeys = shuffled\nvalue_size = uniform 0..168\n"), 1000u);
  EXPECT_EQ(rate("op = erase\nkeys = shuffled\n"), 6250u) << "an erasure has a key only";
  EXPECT_EQ(rate("op = update\nkeys = shuffled\n"), 1000u);
}

TEST(WorkloadFile, AMixMayBeToldByItsMerges) {
  const Role role = RoleOf(
      "op = $mergereadpercent% merge, else get\nkeys = shuffled\n"
      "stop = after 1 operation\n",
      {.num = 10, .value_size = 20, .mergereadpercent = 70});
  EXPECT_EQ(role.operation, FindOperation("mix"));
  EXPECT_TRUE(role.merges);
  EXPECT_EQ(role.get_percent, 30u);
}

TEST(WorkloadFile, AmountsThatAreNotGivenAreAllKeys) {
  const auto of = [](const char* name, const Settings& settings) {
    return FindAndParse(name, settings)->roles.back();
  };
  const Settings none = {.num = 50, .reads = 50, .value_size = 20};
  EXPECT_EQ(of("deleteseq", none).operations, 50u);
  EXPECT_EQ(of("mergerandom", none).range, 50u);
  EXPECT_EQ(of("readwhilewriting", none).range, 50u);
  const Settings some = {.num = 50,
                         .reads = 50,
                         .value_size = 20,
                         .batch_size = 4,
                         .deletes = 7,
                         .merge_keys = 8,
                         .bgwriter_num = 9};
  EXPECT_EQ(of("deleteseq", some).operations, 7u);
  EXPECT_EQ(of("deleterandom", some).batch, 4u);
  EXPECT_EQ(of("mergerandom", some).range, 8u);
  EXPECT_EQ(of("readwhilewriting", some).range, 9u);
  EXPECT_EQ(of("seekrandomwhilemerging", some).range, 9u);
}

TEST(WorkloadFile, ReadersMayEndWithTheWriterBesideThem) {
  const Settings settings = {
      .num = 50, .reads = 60, .writes = 70, .value_size = 20, .finish_after_writes = true};
  for (const char* const name : {"readwhilewriting", "readwhilemerging", "multireadwhilewriting"}) {
    const Workload workload = *FindAndParse(name, settings);
    ASSERT_EQ(workload.roles.size(), 2u);
    EXPECT_EQ(workload.roles[0].until_role, "writer") << name;
    EXPECT_EQ(workload.roles[1].until_role, "") << name;
    EXPECT_EQ(workload.roles[1].operations, 70u) << name;
  }
  EXPECT_EQ(FindAndParse("readwhilescanning", settings)->roles[1].until_role, "reader")
      << "a scanner is no writer";
  EXPECT_EQ(FindAndParse("readrandom", settings)->roles[0].operations, 60u);
}

TEST(WorkloadFile, EveryReaderAndWriterMayHaveARate) {
  for (const char* const lines :
       {"op = get\nkeys = uniform\n", "op = multi_get\nbatch = 7\nkeys = uniform\n",
        "op = seek\nkeys = uniform\n", "op = next\n", "op = new_iterator\n",
        "op = 50% get, else put\nkeys = shuffled\n", "op = xor\nkeys = shuffled\n",
        "op = put\nbatch = 7\nkeys = shuffled\n"}) {
    const Role role =
        RoleOf(std::string(lines) + "rate = $reads_per_second\n" + "stop = after 1 operation\n",
               {.num = 10, .reads = 1, .value_size = 10, .reads_per_second = 30});
    EXPECT_EQ(role.rate, 30u) << lines;
  }
}

TEST(WorkloadFile, ARateOfZeroIsNone) {
  const auto rate = [](const std::string& count, uint64_t writes_per_second) {
    return RoleOf("op = put\nkeys = shuffled\nstop = after 1 operation\nrate = " + count + "\n",
                  {.num = 10,
                   .reads = 1,
                   .value_size = 1,
                   .threads = 1,
                   .writes_per_second = writes_per_second})
        .rate;
  };
  EXPECT_EQ(rate("$writes_per_second", 0), 0u);
  EXPECT_EQ(rate("$writes_per_second", 700), 700u);
  EXPECT_EQ(rate("$writes_per_second/1000", 700), 1u) << "less than one, but not none";
  EXPECT_EQ(rate("0", 700), 0u);
  EXPECT_EQ(rate("250", 0), 250u);
}

TEST(WorkloadFile, AScanGoesOnForItsDurationUnlessItHasAnEndOfItsOwn) {
  const auto restarts = [](const char* lines, double duration) {
    Settings settings = kSettings;
    settings.duration = duration;
    return RoleOf(lines, settings).restarts;
  };
  EXPECT_TRUE(restarts("op = next\nstop = after 5 operations\n", 1));
  EXPECT_TRUE(restarts("op = prev\nstop = after 5 operations\n", 1));
  EXPECT_FALSE(restarts("op = next\nstop = after 5 operations\n", 0));
  EXPECT_FALSE(restarts("op = next\nstop = at the end\n", 1));
  EXPECT_FALSE(restarts("op = next\nat_end = stop\nstop = after 5 operations\n", 1));
}

TEST(WorkloadFile, TheOtherWordsOfARoleAreTaken) {
  const Role reader =
      RoleOf("op = seek\nkeys = forward\nseed = guide-42\nstop = after 1 operation\n");
  EXPECT_EQ(reader.order, KeyOrder::kForward);
  EXPECT_EQ(reader.seed, "guide-42");
  const auto scanning = Must(FindAndParse("readwhilescanning"));
  EXPECT_FALSE(scanning.roles.at(0).restarts);
  EXPECT_TRUE(scanning.roles.at(1).restarts);
  EXPECT_EQ(FindAndParse("sstables")->roles.at(0).property, "sstables");
  const auto uncompresses = FindAndParse("zstduncomp");
  EXPECT_EQ(uncompresses->need, StoreNeed::kNone);
  EXPECT_EQ(uncompresses->roles.at(0).codec, "zstd");
  EXPECT_EQ(uncompresses->roles.at(0).operations * uncompresses->roles.at(0).value_size.most(),
            1u << 30);
  const auto sums = FindAndParse("crc32c");
  EXPECT_EQ(sums->roles.at(0).operations * sums->roles.at(0).value_size.most(), 500u << 20);
  EXPECT_EQ(FindAndParse("fillrandint")->key_format, "integer");
  EXPECT_EQ(FindAndParse("fillrandom")->key_format, "");
}

TEST(WorkloadFile, CountsOfTwoRoundToWholeBatchesAndMayBeNothing) {
  const auto operations = [](const std::string& count) {
    return RoleOf("op = put\nkeys = drawn\nstop = after " + count + " operations\n",
                  {.num = 1000, .reads = 1, .value_size = 1, .threads = 1, .batch = 300})
        .operations;
  };
  EXPECT_EQ(operations("up($num, $batch)"), 1200u);
  EXPECT_EQ(operations("down($num, $batch)"), 900u);
  EXPECT_EQ(operations("down( $num , 250 )"), 1000u);
  EXPECT_EQ(operations("up($num, 250)"), 1000u);
  EXPECT_EQ(operations("down($num/4, $batch)"), 0u);
  EXPECT_EQ(operations("max(0, $num/1001)"), 0u);
  EXPECT_EQ(operations("max(10, $num/1000)"), 10u);
  EXPECT_EQ(operations("$num/1001"), 1u) << "by itself a quotient is at least 1";
}

TEST(WorkloadFile, TransactionsNeedCountersThatCanBeRememberedAndOneThreadForBatches) {
  const std::string role = "op = transaction\nkeys = drawn\nstop = after 5 operations\n";
  Settings settings = kSettings;
  settings.transaction_sets = 3;
  EXPECT_EQ(RoleOf(role + "sets = $transaction_sets\nrange = 100\n", settings).key_count(), 300u);
  const auto refusal = [&](const std::string& lines) {
    return ErrorOf(Parse(WithRole(lines), settings));
  };
  EXPECT_THAT(refusal(role + "value_size = 15\n"), HasSubstr("below 16 bytes"));
  EXPECT_THAT(refusal(role + "sets = 9999\nrange = 1000000\n"), HasSubstr("would be remembered"));
  EXPECT_THAT(refusal("op = get\nkeys = uniform\nsets = 2\nstop = after 5 operations\n"),
              HasSubstr("only `op = transaction`"));
  EXPECT_THAT(refusal("op = transaction\nkeys = shuffled\nstop = after 5 operations\n"),
              HasSubstr("`drawn`"));
  settings.transaction_batches = true;
  EXPECT_TRUE(RoleOf(role, settings).as_batch);
  EXPECT_THAT(refusal(role + "threads = 2\n"), HasSubstr("lose each other's updates"));
}

TEST(WorkloadFile, NamesOfRocksDbsOwnSayWhyTheyAreNotRun) {
  for (const char* const name :
       {"fillseqdeterministic", "multiscan", "openandcompact", "resetstats"}) {
    EXPECT_THAT(ErrorOf(FindWorkload(name)), AllOf(HasSubstr(name), HasSubstr("not run here")));
  }
  EXPECT_THAT(FindWorkload("compacd").status().message(), HasSubstr("did you mean"));
}

TEST(WorkloadFile, JunkIsRefusedInPrintableWords) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    std::string junk(static_cast<size_t>(random.Below(3000)), '\0');
    for (char& c : junk) c = static_cast<char>(random.Next());
    const auto workload = Parse(junk);
    ASSERT_FALSE(workload.ok());
    ASSERT_LT(workload.status().message().size(), 600u);
  }
}

// Every built-in with one byte changed, dropped or doubled parses or is refused; it never breaks.
TEST(WorkloadFile, ABuiltInWithOneWrongByteIsHarmless) {
  Random random(2);
  int refused = 0;
  for (const auto& [name, text] : BuiltinWorkloads()) {
    for (size_t i = 0; i < text.size(); ++i) {
      std::string broken(text);
      switch (random.Below(3)) {
        case 0:
          broken[i] = static_cast<char>(random.Next());
          break;
        case 1:
          broken.erase(i, 1);
          break;
        default:
          broken.insert(i, 1, broken[i]);
      }
      if (!Parse(broken).ok()) ++refused;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(WorkloadFile, AFileIsReadByItsPath) {
  const TemporaryDirectory directory;
  const std::string file = directory / "own.workload";
  const auto read_and_parse = [&]() -> StatusOr<Workload> {
    ASSIGN_OR_RETURN(const WorkloadText found, ReadWorkloadFile(file));
    return ParseWorkload(found.name, found.text, kSettings);
  };
  EXPECT_THAT(read_and_parse().status().message(), HasSubstr("cannot read"));
  Write(file, WithRole("op = get\nkeys = uniform\nstop = after 1 operation\n"));
  EXPECT_EQ(Must(read_and_parse()).name, "own");
  Write(file, "#" + std::string(65 << 10, 'x'));
  EXPECT_THAT(read_and_parse().status().message(), HasSubstr("64 KiB"));
}

TEST(WorkloadFile, OperationsMayBeOfEachThread) {
  Settings each = kSettings;
  each.per_thread = true;
  const std::string of_threads = "threads = $threads\nstop = after $num operations\n";
  const Role in_order = RoleOf("op = put\nkeys = sequential\n" + of_threads, each);
  EXPECT_TRUE(in_order.repeat);
  EXPECT_EQ(in_order.operations, 1000u) << "each thread writes all keys";
  for (const std::string lines :
       {"op = put\nkeys = shuffled\n", "op = get\nkeys = uniform\n",
        "op = 90% get, else put\nkeys = shuffled\n", "op = update\nkeys = shuffled\n",
        "op = erase\nkeys = shuffled\n", "op = get\nkeys = sequential\n"}) {
    const Role role = RoleOf(lines + of_threads, each);
    EXPECT_FALSE(role.repeat) << lines;
    EXPECT_EQ(role.operations, 4000u) << lines;
    EXPECT_EQ(RoleOf(lines + of_threads).operations, 1000u) << lines;
  }
  EXPECT_EQ(RoleOf("op = next\nshare = repeat\n" + of_threads, each).operations, 1000u);
  EXPECT_EQ(RoleOf("op = put\nkeys = shuffled\nthreads = 1\nstop = after $num operations\n", each)
                .operations,
            1000u)
      << "one thread is one thread";
}

}  // namespace levelfield::workload_file_test
