#include "workload/workload_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <fstream>
#include <string>
#include <vector>

#include "base/files_for_test.h"
#include "base/random.h"
#include "base/text.h"
#include "workload/expected_state.h"
#include "workload/find_workload.h"
#include "workload/key_format.h"

namespace levelfield {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const Settings kSettings = {
    .num = 1000, .reads = 500, .value_size = 100, .threads = 4, .batch = 50};

StatusOr<Workload> Parse(std::string_view text, const Settings& settings = kSettings) {
  return ParseWorkload("mine", text, settings);
}

// As a run does with a name: finds its text, then parses it.
StatusOr<Workload> FindAndParse(const std::string& name_or_path,
                                const Settings& settings = kSettings) {
  const StatusOr<WorkloadText> source = FindWorkload(name_or_path);
  if (!source.ok()) return source.status();
  return ParseWorkload(source->name, source->text, settings);
}

// A head of two lines, the role in line 3, and `lines` from line 4 on.
std::string WithRole(const std::string& lines) {
  return "summary = s\nfamily = f\n[worker]\n" + lines;
}

Role RoleOf(const std::string& lines, const Settings& settings = kSettings) {
  const auto workload = Parse(WithRole(lines), settings);
  EXPECT_TRUE(workload.ok()) << workload.status().message();
  return workload.ok() ? workload->roles.at(0) : Role();
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
  const auto workload = FindAndParse("readwhilewriting");
  ASSERT_TRUE(workload.ok());
  EXPECT_EQ(workload->need, StoreNeed::kLoaded);
  ASSERT_EQ(workload->roles.size(), 2u);
  const Role& reader = workload->roles[0];
  EXPECT_EQ(reader.name, "reader");
  EXPECT_EQ(reader.operation, FindOperation("get"));
  EXPECT_EQ(reader.order, KeyOrder::kUniform);
  EXPECT_EQ(reader.threads, 4u);
  EXPECT_EQ(reader.operations, 500u);
  const Role& writer = workload->roles[1];
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
  const auto workload = Parse(
      "# a comment\r\n\r\n\tsummary =  two words \r\nfamily=f\r\n  [ab-c_1]  \r\n op=get\r\n"
      "keys\t=\tuniform\r\nstop = after 5 operations");
  ASSERT_TRUE(workload.ok()) << workload.status().message();
  EXPECT_EQ(workload->summary, "two words");
  EXPECT_EQ(workload->roles[0].name, "ab-c_1");
  EXPECT_EQ(workload->roles[0].operations, 5u);
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
  const auto scanning = FindAndParse("readwhilescanning");
  ASSERT_TRUE(scanning.ok());
  EXPECT_FALSE(scanning->roles.at(0).restarts);
  EXPECT_TRUE(scanning->roles.at(1).restarts);
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

struct Mistake {
  std::string what;
  std::string text;
  std::vector<std::string> message;  // Parts of it.
};

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

// What is wrong | the text | parts of the message. In the text `; ` ends a line, `@` stands for the
// head and the first line of a role, and GET and STOP for lines that a role needs. A row may
// continue in an indented line.
constexpr std::string_view kMistakes = R"(
an unknown key | @opp = get | line 4 | "opp" | did you mean 'op'?
a role's key in the head | threads = 1 | line 1 | before the first role
an unknown head key | summery = s | line 1 | did you mean 'summary'?
a bad operation | @op = gte | line 4 | "gte" | did you mean 'get'?
a far operation | @op = levitate | line 4 | get, put, erase
bad keys | @op = get; keys = unifrom | line 5 | did you mean 'uniform'?
bad missing | @keys = uniform mising | line 4 | did you mean 'missing'?
no keys | @op = get; STOP | line 3 | [worker] needs `keys =`
keys of a scan | @op = next; keys = uniform; STOP | line 5 | takes no keys
keys of a compaction | @op = compact; keys = uniform; STOP | line 5
no operation | @keys = uniform; STOP | line 3 | needs `op =`
no stop | @GET | line 3 | [worker] needs `stop =`
two stops | @GET; STOP; STOP | line 7 | `stop =` a second time, after line 6
two kinds of stop | @GET; STOP; stop = when workers end | line 7
a stop mistyped | @stop = aftre 5 operations | line 4 | mean 'after'?
a stop without a count | @stop = after operations | line 4 | COUNT
a stop without a unit | @stop = after 5 | line 4 | after COUNT operations
a stop of words | @stop = when hell freezes | line 4 | when ROLE ends
a uniform writer | @op = put; keys = uniform; STOP | line 5 | [worker]
a batch of gets | @GET; batch = 10; STOP | line 6 | op = multi_get
a share of merges above all | @op = 101% merge, else get | line 4 | N% merge, else get
a drawn merge | @op = merge; keys = drawn; STOP | line 5 | drawn keys
a drawn update | @op = update; keys = drawn; STOP | line 5 | drawn keys
a flush at a rate | @op = flush; rate = 5; STOP | line 5 | has a rate | one after the other
gets at a rate of bytes | @GET; rate = 500 bytes; STOP | line 6 | rate in bytes | `put`
a rate of less than an entry |
    @op = put; keys = shuffled; value_size = 85; rate = 100 bytes; STOP | line 7 | 100 bytes a second | entry of 101 bytes
a rate of no bytes that are known | @GET; rate = many bytes; STOP | line 6 |
    rate = "many bytes" | a number, $num
a flush beside others | @op = flush; threads = 2; STOP | line 4 | whole store
a uniform mix | @op = 5% get, else put; keys = uniform; STOP | line 5
missing keys written | @op = put; keys = shuffled missing; STOP | line 5 | missing
missing keys erased | @op = erase; keys = shuffled missing; STOP | line 5 | missing
a drawn mix | @op = 5% get, else put; keys = drawn; STOP | line 5
a forward writer | @op = put; keys = forward; STOP | line 5
a stream of a shuffled order | @op = put; keys = shuffled; stream = mersenne; STOP | line 6 |
    generator
a bad stream | @stream = park-milner | line 4 | park-miller
more than park-miller draws | @GET; STOP; stream = park-miller; range = 2147483648 | line 8 |
    2147483647
more drawn keys than are remembered | @op = put; keys = drawn; range = 2147483648; STOP |
    line 6 | 4 bytes
cut keys written | @op = put; keys = drawn cut; STOP | line 5 | cuts
a get to the end | @GET; stop = at the end | line 6 | only a scan
a rounding to nothing | @range = up($num, 0) | line 4 | max, up or down
an unknown function | @range = min($num, 5) | line 4 | max, up or down
half a function | @range = max($num | line 4 | max, up or down
a range of nothing | @range = max(0, $num/5000) | line 4 | at least 1
a repeating writer | @op = put; keys = shuffled; share = repeat; STOP | line 6 | one writer
two writers | @op = put; keys = shuffled; STOP; [eraser]; op = erase; keys = shuffled; STOP |
    line 4 | one writer
a compaction beside others | @GET; STOP; [compactor]; op = compact; STOP | line 8 | the only one
a compaction of many threads | @threads = 2; op = compact; STOP | line 5 | the only one
a bad share | @share = spilt | line 4 | did you mean 'split'?
a batch of gets | @GET; STOP; batch = 10 | line 7 | only `op = put`
a role twice | @GET; STOP; [worker]; GET; STOP | line 7 | [worker] a second time, after line 3
an unknown awaited role | @GET; STOP; [b]; GET; stop = when wroker ends | line 10 | [wroker] |
    did you mean 'worker'?
a role that awaits itself | @GET; stop = when worker ends | line 6 | no such role ends by itself
roles that await each other | @GET; stop = when b ends; [b]; GET; stop = when worker ends | line 6
a percent too many | @op = 101% get, else put | line 4 | N% get, else put
a percent of words | @op = many% get, else put | line 4
no percent | @keys = uniform of the first 0% | line 4 | N from 1 to 100
too many percent | @keys = uniform of the first 101% | line 4 | 1 to 100
no percent sign | @keys = uniform of the first 5 | line 4 | first N%
an unknown variable | @range = $nam | line 4 | did you mean '$num'?
an unknown variable in a stop | @stop = after $raeds operations | line 4 | did you mean '$reads'?
a division by zero | @range = $num/0 | line 4 | a number above 0
a division by nothing | @range = $num/ | line 4 | $num
a division by a variable | @range = $num/$num | line 4 | a number above 0
a negative number | @threads = -1 | line 4 | a number
a number and more | @threads = 1x | line 4 | a number
no number | @threads = | line 4 | a number
an overflow | @range = 18446744073709551616 | line 4 | a number
more keys than 16 digits | @range = 10000000000000001 | line 4 | at most 10000000000000000
a value beyond its header | @value_size = 4294967296 | line 4 | at most
a million threads | @threads = 1000000 | line 4 | at most 1024
an endless batch | @batch = 1000000000000 | line 4 | at most 1000000
a bad need | needs = emtpy store | line 1 | did you mean 'empty'?
a bad durability | durability = synched | line 1 | did you mean 'synced'?
a bare word | @get | line 4 | "get" | key = value
an empty key | @= 5 | line 4 | unknown key
an open bracket | summary = s; [worker | line 2 | [name]
an empty role | [] | line 1 | [name]
a role of spaces | [ ] | line 1 | [name]
a product beyond 64 bits | @range = 9999999999999999*9999999999999999 | line 4 |
    at most 10000000000000000
a product with zero | @range = $num*0 | line 4 | a number above 0
a product and a quotient | @range = $num*2/3 | line 4 | $num
a forward writer | @op = put; keys = forward; STOP | line 5 | sequential or shuffled
a rate too high | @rate = 2000000000 | line 4 | at most 1000000000
a rate of words | @rate = slow | line 4 | a number, $num
a seed of spaces | @seed = a b | line 4 | a name or a number
a seed of a scan | @op = next; seed = a; STOP | line 5 | takes no keys
an end mistyped | @at_end = restrat | line 4 | did you mean 'restart'?
a get that restarts | @GET; at_end = restart; STOP | line 6 | only `op = next`
a scan that restarts by itself | @op = next; at_end = restart; STOP | line 5 | another role ends
no property | @op = property; STOP | line 3 | needs `property =`
an empty property | @property = | line 4 | the name of a property
a property of gets | @GET; STOP; property = stats | line 7 | only `op = property`
a property twice | @op = property; property = stats; stop = after 2 operations | line 6 | one text
a profile beside others | @GET; STOP; [p]; op = heapprofile; STOP | line 8 | the only one
an unknown codec | @codec = sanppy | line 4 | did you mean 'snappy'?
no codec | needs = no store; @op = compress; STOP | line 4 | needs `codec =`
a codec of gets | @GET; codec = lz4; STOP | line 6 | only compress
a machine with a store | @op = crc32c; STOP | line 4 | `needs = no store`
a get without a store | needs = no store; @GET; STOP | line 5 | works on a store
two machines | needs = no store; @op = crc32c; STOP; [b]; op = acquireload; STOP | line 5 |
    the only one
keys of a machine | needs = no store; @op = crc32c; keys = uniform; STOP | line 6 | takes no keys
a block beyond the pool | needs = no store; @op = crc32c; value_size = 1048577; STOP | line 6 |
    1048576
an unknown format | key_format = intger | line 1 | decimal, hex or integer |
    did you mean 'integer'?
a format of a reader | key_format = integer; @GET; STOP | line 1 | fills an empty store
a format of an empty reader | key_format = hex; needs = empty store; @GET; STOP | line 1 |
    fills an empty store
no role | summary = s; family = f | has no [role]
no summary | family = f; [a]; GET; STOP | has no `summary =`
no family | summary = s; [a]; GET; STOP | has no `family =`
)";

void Replace(const std::string& from, const std::string& to, std::string& text) {
  for (size_t at = 0; (at = text.find(from)) != std::string::npos;)
    text.replace(at, from.size(), to);
}

std::vector<Mistake> Mistakes() {
  std::vector<Mistake> mistakes = {
      {"a NUL", WithRole(std::string("op = g\0t\n", 9)), {"line 4", "\"g?t\""}},
      {"a NUL in a key", WithRole(std::string("o\0p = get\n", 10)), {"line 4", "\"o?p\""}},
      {"a NUL in a role", std::string("[a\0b]\n", 6), {"line 1", "[a?b]"}},
      {"a file too large", "#" + std::string(65 << 10, 'x'), {"64 KiB"}},
      {"a long line", WithRole("op = " + std::string(60'000, 'x')), {"line 4", "..."}},
      {"nothing", "", {"has no [role]"}},
  };
  std::string rows(kMistakes);
  Replace("|\n    ", "| ", rows);
  for (const std::string& row : Split(rows, '\n')) {
    const std::vector<std::string> cells = Split(row, '|');
    std::string text = cells.at(1) + "\n";
    Replace("; ", "\n", text);
    Replace("@", WithRole(""), text);
    Replace("GET", "op = get\nkeys = uniform", text);
    Replace("STOP", "stop = after 1 operation", text);
    mistakes.push_back({cells.at(0), text, {cells.begin() + 2, cells.end()}});
  }
  return mistakes;
}

bool IsPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

TEST(WorkloadFile, MistakesAreNamedByLineAndNearestWord) {
  for (const Mistake& mistake : Mistakes()) {
    const auto workload = Parse(mistake.text);
    ASSERT_FALSE(workload.ok()) << mistake.what;
    const std::string& message = workload.status().message();
    EXPECT_EQ(workload.status().kind(), ErrorKind::kUsage) << mistake.what;
    EXPECT_THAT(message, HasSubstr("workload mine")) << mistake.what;
    for (const std::string& part : mistake.message) {
      EXPECT_THAT(message, HasSubstr(part)) << mistake.what;
    }
    EXPECT_TRUE(IsPrintable(message)) << mistake.what << ": " << message;
    EXPECT_LT(message.size(), 700u) << mistake.what;
  }
}

TEST(WorkloadFile, TransactionsNeedCountersThatCanBeRememberedAndOneThreadForBatches) {
  const std::string role = "op = transaction\nkeys = drawn\nstop = after 5 operations\n";
  Settings settings = kSettings;
  settings.transaction_sets = 3;
  EXPECT_EQ(RoleOf(role + "sets = $transaction_sets\nrange = 100\n", settings).key_count(), 300u);
  const auto refusal = [&](const std::string& lines) {
    const auto workload = Parse(WithRole(lines), settings);
    EXPECT_FALSE(workload.ok()) << lines;
    return workload.ok() ? "" : workload.status().message();
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
  for (const char* const name : {"compact0", "multiscan", "openandcompact", "resetstats"}) {
    const auto found = FindWorkload(name);
    ASSERT_FALSE(found.ok()) << name;
    EXPECT_THAT(found.status().message(), AllOf(HasSubstr(name), HasSubstr("not run here")));
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

TEST(WorkloadFile, AnUnknownNameIsAMistakeWithTheNearestOne) {
  const auto workload = FindAndParse("readrandon");
  ASSERT_FALSE(workload.ok());
  EXPECT_EQ(workload.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(workload.status().message(), HasSubstr("did you mean 'readrandom'?"));
  EXPECT_THAT(FindAndParse("zzz").status().message(), Not(HasSubstr("did you mean")));
}

TEST(WorkloadFile, AFileIsReadByItsPath) {
  const TemporaryDirectory directory;
  const std::string file = directory / "own.workload";
  EXPECT_THAT(FindAndParse(file).status().message(), HasSubstr("cannot read"));
  std::ofstream(file) << WithRole("op = get\nkeys = uniform\nstop = after 1 operation\n");
  const auto workload = FindAndParse(file);
  EXPECT_TRUE(workload.ok()) << workload.status().message();
  EXPECT_EQ(workload->name, "own");
  std::ofstream(file) << "#" << std::string(65 << 10, 'x');
  EXPECT_THAT(FindAndParse(file).status().message(), HasSubstr("64 KiB"));
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

}  // namespace
}  // namespace levelfield
