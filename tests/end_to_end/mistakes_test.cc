// A mistake on the command line is told before anything is created, and nobody else's data is
// touched.

#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "end_to_end.h"

namespace levelfield {
namespace {

struct Mistake {
  const char* name;
  std::vector<std::string> words;
  std::vector<std::string> says;
};
void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class AMistake : public EndToEnd, public ::testing::WithParamInterface<Mistake> {};

TEST_P(AMistake, is_told_before_anything_is_created) {
  WriteFile("broken.workload", "summary = s\nfamily = f\n[reader]\nop = got\n");
  const std::vector<std::string> before = Listing();
  const Ending ending = Run(GetParam().words);
  EXPECT_EQ(ending.exit_code, 2) << ending.err;
  EXPECT_THAT(ending.out, IsEmpty());
  EXPECT_THAT(ending.err, ::testing::StartsWith("levelfield: "));
  for (const std::string& part : GetParam().says) EXPECT_THAT(ending.err, HasSubstr(part));
  EXPECT_EQ(std::count(ending.err.begin(), ending.err.end(), '\n'), 1) << "one line";
  EXPECT_EQ(ending.err.find('\x1b'), std::string::npos);
  EXPECT_EQ(Listing(), before);
}

INSTANTIATE_TEST_SUITE_P(
    All, AMistake,
    ::testing::Values(
        Mistake{"verb", {"rum"}, {"\"rum\"", "did you mean 'run'?"}},
        Mistake{"engine", {"run", "--engine=leveldb,rocskdb"}, {"rocskdb", "mean 'rocksdb'?"}},
        Mistake{"engine_twice", {"run", "--engine=lmdb,lmdb"}, {"lmdb", "twice"}},
        Mistake{"rounds_that_keep",
                {"run", "--engine=memory", "--repeat=2", "--keep"},
                {"--keep", "--repeat", "fresh stores"}},
        Mistake{"too_few_rounds_to_be_precise",
                {"run", "--engine=memory", "--precision=0.1", "--repeat_most=3"},
                {"--repeat_most=3", "8 rounds"}},
        Mistake{"rounds_for_nothing",
                {"run", "--engine=memory", "--repeat_most=30"},
                {"--repeat_most", "--precision"}},
        Mistake{"against_and_nothing_else", {"run", "--against=lmdb"}, {"--against", "--engine"}},
        Mistake{"against_what_is_not_here",
                {"run", "--engine=rocksdb", "--against=rocksdb@0.0.1", "--num=10"},
                {"--against=rocksdb@0.0.1", "make rocksdb-versions VERSIONS="}},
        Mistake{"against_several",
                {"run", "--engine=lmdb", "--against=all"},
                {"--against", "one engine"}},
        Mistake{"compare_nothing", {"compare"}, {"one result directory", "or two"}},
        Mistake{"compare_what_is_not_there", {"compare", "nowhere"}, {"nowhere", "manifest.json"}},
        Mistake{"noise_of_several", {"noise", "--engine=lmdb,leveldb"}, {"one engine"}},
        Mistake{"no_engine", {"run", "--engine="}, {"--engine="}},
        Mistake{"flag", {"run", "--nun=5"}, {"--nun", "mean --num?"}},
        Mistake{"flag_twice", {"run", "--num=5", "--num=6"}, {"--num"}},
        Mistake{"workload", {"run", "--benchmarks=fillsec"}, {"fillsec", "mean 'fillseq'?"}},
        Mistake{"workload_file",
                {"run", "--benchmarks=./broken.workload"},
                {"broken", "line 4", "op = \"got\"", "get, put"}},
        Mistake{"workload_file_that_is_not_there",
                {"run", "--benchmarks=./none.workload"},
                {"none.workload"}},
        Mistake{"unit", {"run", "--value_size=64MB"}, {"--value_size=64MB", "64M"}},
        Mistake{"unit_of_an_option", {"run", "--cache_size=64MB"}, {"--cache_size=64MB", "64M"}},
        Mistake{"number", {"run", "--num=10k5"}, {"--num=10k5", "10k"}},
        Mistake{"zero", {"run", "--num=0"}, {"--num=0", "from 1"}},
        Mistake{"no_threads", {"run", "--threads=0"}, {"--threads=0", "from 1"}},
        Mistake{"no_key", {"run", "--key_size=0"}, {"--key_size=0", "from 1"}},
        Mistake{"value_of_more_than_a_gibibyte", {"run", "--value_size=1073741825"}, {"from 0"}},
        Mistake{"values_that_no_disk_holds",
                {"run", "--engine=leveldb", "--value_size=1G", "--num=1M", "--benchmarks=fillseq"},
                {"not enough space", "fewer or smaller entries"}},
        Mistake{"values_that_no_memory_holds",
                {"run", "--engine=memory", "--value_size=1G", "--num=1", "--benchmarks=fillbatch",
                 "--threads=1024"},
                {"not enough memory", "smaller values"}},
        Mistake{"keys_shorter_than_the_number_needs",
                {"run", "--engine=memory", "--key_size=4", "--num=10001"},
                {"--key_size=4", "10000 numbers", "at least 5 digits"}},
        Mistake{"cpus", {"run", "--cpus=1023"}, {"--cpus=1023", "may run on"}},
        Mistake{"cpus_in_words", {"run", "--cpus=first"}, {"--cpus=first", "like 0,2-3"}},
        Mistake{"key_format", {"run", "--key_format=octal"}, {"decimal, hex, integer or rocksdb"}},
        Mistake{"integer_keys_of_4", {"run", "--key_format=integer", "--key_size=4"}, {"8 bytes"}},
        Mistake{"integer_keys_of_an_engine_that_has_none",
                {"run", "--engine=leveldb", "--key_format=integer"},
                {"leveldb", "--key_format=integer"}},
        Mistake{"existing_store_nowhere", {"run", "--use_existing_db"}, {"Say --db="}},
        Mistake{"existing_store_that_is_not_there",
                {"run", "--engine=leveldb", "--use_existing_db", "--db=none/here"},
                {"no store at none/here", "fill one first", "--benchmarks=fillrandom --keep"}},
        Mistake{"existing_store_that_is_none",
                {"run", "--engine=leveldb", "--use_existing_db", "--db=engines"},
                {"no store of leveldb at engines", "fill one first"}},
        Mistake{"existing_file_that_is_none",
                {"run", "--engine=leveldb", "--use_existing_db", "--db=broken.workload"},
                {"no store of leveldb at broken.workload"}},
        Mistake{"one_store_for_two_engines",
                {"run", "--engine=leveldb,lmdb", "--use_existing_db", "--db=engines"},
                {"2 engines", "name one"}},
        Mistake{"single_store_nowhere", {"run", "--engine=leveldb", "--single_db"}, {"--db="}},
        Mistake{"single_store_of_two_engines",
                {"run", "--engine=leveldb,lmdb", "--single_db", "--db=x"},
                {"one engine"}},
        Mistake{"single_store_among_others_files",
                {"run", "--engine=leveldb", "--single_db", "--db=engines"},
                {"engines", "there are files in it"}},
        Mistake{"directory_of_stores_that_is_a_file",
                {"run", "--engine=leveldb,lmdb", "--db=broken.workload"},
                {"broken.workload is a file"}},
        Mistake{"directory_of_stores_that_is_the_systems",
                {"run", "--engine=leveldb", "--db=/etc"},
                {"/etc"}},
        Mistake{"name", {"run", "--engine=memory", "--name=../../x"}, {"--name"}},
        Mistake{"escape_in_a_name", {"run", "--engine=memory", "--name=\x1b[2J"}, {"--name"}},
        Mistake{"results",
                {"run", "--engine=memory", "--results=/proc/none"},
                {"--results=/proc/none"}},
        Mistake{"durability", {"run", "--durability=disk"}, {"none, process or synced"}},
        Mistake{"durability_nobody_has",
                {"run", "--engine=misbehaving", "--durability=none"},
                {"misbehaving", "nothing less"}},
        Mistake{"clock", {"run", "--clock=sundial"}, {"--clock", "monotonic"}},
        Mistake{"option_of_an_engine_that_does_not_run",
                {"run", "--engine=memory", "--rocksdb.x=1"},
                {"--rocksdb.x", "rocksdb"}},
        Mistake{"option_that_the_engine_lacks",
                {"run", "--engine=misbehaving,memory", "--misbehaving.evn=2"},
                {"--misbehaving.evn", "mean --misbehaving.even?"}},
        Mistake{"option_twice",
                {"run", "--engine=misbehaving", "--misbehaving.even=2", "--misbehaving.even=4"},
                {"--misbehaving.even", "twice"}},
        Mistake{"option_of_another_kind",
                {"run", "--engine=misbehaving,memory", "--misbehaving.even=two"},
                {"--misbehaving.even=two"}},
        Mistake{"option_that_the_engine_refuses",
                {"run", "--engine=misbehaving,memory", "--misbehaving.even=1"},
                {"even=1 is odd"}},
        Mistake{"argument", {"run", "fillseq"}, {"\"fillseq\""}},
        Mistake{"report_of_nothing", {"report"}, {"result directory"}},
        Mistake{"report_of_what_is_none", {"report", "engines"}, {"engines", "manifest.json"}},
        Mistake{"docs", {"docs", "flag"}, {"flags"}}),
    [](const auto& test) { return test.param.name; });

class Directories : public EndToEnd {};

TEST_F(Directories, of_others_are_refused_and_untouched) {
  fs::create_directories(path() + "/mine/misbehaving");
  WriteFile("mine/misbehaving/thesis.txt", "ten years of work");
  WriteFile("mine/notes.txt", "notes");
  const Ending ending =
      Run({"run", "--num=100", "--engine=misbehaving,lmdb", "--db=mine", "--benchmarks=fillseq"});
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.err, AllOf(HasSubstr("mine/misbehaving"), HasSubstr("thesis.txt")));
  EXPECT_EQ(ReadFile("mine/misbehaving/thesis.txt"), "ten years of work");
  EXPECT_EQ(ReadFile("mine/notes.txt"), "notes");
  std::vector<std::string> left;
  for (const auto& entry : fs::recursive_directory_iterator(path() + "/mine")) {
    left.push_back(entry.path().lexically_relative(path() + "/mine").string());
  }
  EXPECT_THAT(
      left, ::testing::UnorderedElementsAre("misbehaving", "misbehaving/thesis.txt", "notes.txt"));
  EXPECT_EQ(RunOf(ReadResult(), "lmdb").outcome, Outcome::kOk);
}

TEST_F(Directories, that_another_run_uses_are_refused_with_its_number) {
  const auto first = Start({"run", "--num=20000", "--engine=misbehaving@slow_put", "--db=stores",
                            "--benchmarks=fillseq", "--results=first"});
  for (int i = 0; i < 500 && !fs::exists(path() + "/stores/misbehaving@slow_put/db"); ++i) {
    usleep(10'000);
  }
  const Ending second = Run({"run", "--num=10", "--engine=misbehaving@slow_put,memory",
                             "--db=stores", "--benchmarks=fillseq"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.err, HasSubstr("process " + std::to_string(first->pid()) + " is using it"));
  EXPECT_EQ(RunOf(ReadResult(), "memory").outcome, Outcome::kOk);
  EXPECT_TRUE(fs::exists(path() + "/stores/misbehaving@slow_put/LEVELFIELD"));
  first->Signal(SIGINT);
  EXPECT_EQ(first->Finish().exit_code, 130);
}

TEST_F(Directories, are_removed_or_kept_as_was_asked) {
  EXPECT_EQ(
      Run({"run", "--num=100", "--engine=leveldb,lmdb", "--db=away", "--results=a"}).exit_code, 0);
  EXPECT_FALSE(fs::exists(path() + "/away/leveldb"));
  EXPECT_EQ(Run({"run", "--num=100", "--engine=leveldb,lmdb", "--db=kept", "--keep", "--results=b"})
                .exit_code,
            0);
  EXPECT_TRUE(fs::exists(path() + "/kept/leveldb/db/CURRENT"));
  EXPECT_TRUE(fs::exists(path() + "/kept/lmdb/LEVELFIELD"));
  EXPECT_EQ(Run({"run", "--num=100", "--engine=lmdb", "--keep"}).exit_code, 0);
  EXPECT_TRUE(fs::exists(ResultPath() + "/stores/lmdb/db"));
  // What was kept is ours, and may be used again.
  EXPECT_EQ(
      Run({"run", "--num=100", "--engine=leveldb,lmdb", "--db=kept", "--results=c"}).exit_code, 0);
}

TEST_F(Directories, that_are_full_end_the_run_with_the_reason) {
  options_.largest_file_bytes = 24 << 10;  // The manifest fits, a few lines of results do.
  const Ending ending = Run({"run", "--num=200", "--engine=memory,null"});
  EXPECT_EQ(ending.signal, 0);
  EXPECT_EQ(ending.exit_code, 1) << ending.err;
  EXPECT_THAT(ending.err, AllOf(HasSubstr("results.jsonl"), HasSubstr("File too large")));
  options_.largest_file_bytes = 0;
  const Result result = ReadResult();  // Whole lines, as far as they came.
  EXPECT_GE(result.runs.size(), 1u);
  fs::remove_all(path() + "/results");
  options_.largest_file_bytes = 100;
  const Ending none = Run({"run", "--num=200", "--engine=memory"});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("manifest.json"));
}

class GeneratedPages : public EndToEnd {};

TEST_F(GeneratedPages, are_fresh) {
  // As it is after `make build`, whatever else this machine has.
  options_.environment["LEVELFIELD_ENGINES"] = LEVELFIELD_ENGINE_DIRECTORY;
  for (const std::string page : {"flags", "workloads", "engines"}) {
    const Ending ending = Run({"docs", page});
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    std::ifstream file(LEVELFIELD_SOURCE_DIRECTORY "/docs/" + page + ".md", std::ios::binary);
    const std::string committed{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(ending.out, committed)
        << "build/levelfield docs " << page << " >docs/" << page << ".md";
  }
}

}  // namespace
}  // namespace levelfield
