// What the lines of db_bench's dialects count, beside the originals themselves (LevelDB's db_bench
// and its ports from scripts/build_originals.sh, RocksDB's of Debian): which keys were found, how
// many operations several threads did, and in which durability class.
#include <array>
#include <cstdio>
#include <regex>

#include "end_to_end.h"

namespace levelfield {
namespace {

class DialectCounts : public EndToEnd {
 protected:
  DialectCounts() {
    for (const char* const name :
         {"db_bench", "db_bench_rocksdb", "db_bench_sqlite3", "db_bench_tree_db", "db_bench_mdb",
          "db_bench_bdb"}) {
      fs::create_symlink(LEVELFIELD_PROGRAM, path() + "/" + name);
    }
    options_.environment["TEST_TMPDIR"] = path() + "/tmp";
  }

  std::string Ours(const std::string& command) {
    fs::remove_all(path() + "/results");
    options_.shell = "./" + command;
    const Ending ending = Run({});
    options_.shell.clear();
    EXPECT_EQ(ending.exit_code, 0) << command << "\n" << ending.out << ending.err;
    return ending.out;
  }
  std::string Theirs(const std::string& command) {
    const std::string in_place =
        "cd " + path() + " && TEST_TMPDIR=" + path() + "/their_tmp " + command + " 2>/dev/null";
    fs::create_directory(path() + "/their_tmp");
    std::FILE* const pipe = popen(in_place.c_str(), "r");
    std::string text;
    std::array<char, 4096> block;
    while (const size_t bytes = fread(block.data(), 1, block.size(), pipe)) {
      text.append(block.data(), bytes);
    }
    EXPECT_EQ(pclose(pipe), 0) << command;
    fs::remove_all(path() + "/their_tmp");
    return text;
  }
  static std::string Original(const std::string& program) {
    return std::string(LEVELFIELD_ORIGINALS) + "/" + program;
  }

  // The numbers that the pattern's one group gives, in order.
  static std::vector<uint64_t> NumbersIn(const std::string& text, const std::string& pattern) {
    const std::regex numbers(pattern);
    std::vector<uint64_t> found;
    for (std::sregex_iterator it(text.begin(), text.end(), numbers), end; it != end; ++it) {
      found.push_back(std::stoull((*it)[1]));
    }
    return found;
  }
  // Of each histogram how many operations are in it; the writer beside readers has none in the
  // originals.
  static std::vector<uint64_t> Counts(const std::string& text) {
    return NumbersIn(text, "Count: (\\d+)");
  }
  static std::vector<uint64_t> FoundIn(const std::string& text) {
    return NumbersIn(text, "(\\d+) of \\d+ found");
  }
};

TEST_F(DialectCounts, a_seek_finds_what_leveldbs_seek_finds) {
  const std::string fill = "--benchmarks=fillrandom --num=4000 --db=" + path() + "/theirs";
  Theirs(Original("db_bench") + " " + fill);
  const std::string read = " --num=4000 --use_existing_db=1 --db=" + path() +
                           "/theirs --benchmarks=readrandom,seekrandom,seekordered";
  const std::vector<uint64_t> found = FoundIn(Ours("db_bench" + read));
  ASSERT_EQ(found.size(), 3u);
  // A draw meets one of the keys that draws have left in 63.2 of 100 times. The original itself, in
  // a process of its own, would draw those very keys again.
  for (const uint64_t hits : found) EXPECT_NEAR(static_cast<double>(hits), 0.632 * 4000, 160);
}

TEST_F(DialectCounts, a_seek_finds_what_rocksdbs_seek_finds) {
  Theirs("/usr/bin/db_bench --benchmarks=fillrandom --num=4000 --seed=7 --db=" + path() +
         "/theirs");
  const std::string read = " --num=4000 --seed=9 --use_existing_db --db=" + path() +
                           "/theirs --benchmarks=readrandom,seekrandom";
  const std::vector<uint64_t> theirs = FoundIn(Theirs("/usr/bin/db_bench" + read));
  ASSERT_EQ(theirs.size(), 2u);
  const std::vector<uint64_t> ours =
      FoundIn(Ours("db_bench_rocksdb --engine=rocksdb@system" + read));
  ASSERT_EQ(ours.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(static_cast<double>(ours[i]), static_cast<double>(theirs[i]), 160);
  }
}

TEST_F(DialectCounts, threads_of_leveldbs_dialect_do_as_much_each_as_the_originals) {
  const std::string benchmarks =
      "fillseq,fillrandom,overwrite,fillsync,fillbatch,readrandom,readmissing,readhot,seekrandom,"
      "seekordered,readseq,readreverse,deleteseq";
  const std::string words =
      " --threads=4 --num=2000 --histogram=1 --benchmarks=" + benchmarks + ",fillrandom,";
  const std::string ours = Ours("db_bench" + words + "deleterandom --compression=0");
  const std::vector<uint64_t> counts = Counts(ours);
  std::vector<uint64_t> expected =
      Counts(Theirs(Original("db_bench") + words + "deleterandom --db=" + path() + "/theirs"));
  ASSERT_EQ(expected.size(), 15u);
  EXPECT_EQ(expected.front(), 8000u);
  // A latency is a batch's here, and an operation's there.
  expected[4] = 8;
  EXPECT_EQ(counts, expected);
  // What was written by all of them is known, and checked.
  const RunResult run = ReadResult().runs.at(0);
  for (const PhaseResult& phase : run.phases) {
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.workload << phase.message;
    EXPECT_NE(phase.checked, "none") << phase.workload;
    EXPECT_THAT(phase.check_detail, Not(HasSubstr("only presence"))) << phase.workload;
  }
}

TEST_F(DialectCounts, threads_beside_a_writer_read_as_much_each_as_the_originals) {
  const std::string words =
      " --threads=3 --num=2000 --reads=500 --benchmarks=fillseq,readwhilewriting --histogram=1";
  const std::vector<uint64_t> theirs =
      Counts(Theirs(Original("db_bench") + words + " --db=" + path() + "/theirs"));
  const std::vector<uint64_t> ours = Counts(Ours("db_bench" + words));
  ASSERT_EQ(theirs.size(), 2u);
  ASSERT_EQ(ours.size(), 3u) << "the writer's as well";
  EXPECT_EQ(ours[0], theirs[0]);
  EXPECT_EQ(ours[1], theirs[1]);
  EXPECT_EQ(ours[1], 1500u);
}

TEST_F(DialectCounts, threads_of_rocksdbs_dialect_do_as_much_each_as_the_originals) {
  const std::string words =
      " --threads=3 --num=2000 --reads=700 --writes=900 "
      "--benchmarks=fillseq,fillrandom,overwrite,readrandom,seekrandom,readseq,updaterandom,"
      "multireadrandom,deleterandom --batch_size=1";
  const std::string pattern = "seconds (\\d+) operations";
  const std::vector<uint64_t> theirs = NumbersIn(
      Theirs("/usr/bin/db_bench" + words + " --db=" + path() + "/theirs"), pattern);
  std::vector<uint64_t> ours =
      NumbersIn(Ours("db_bench_rocksdb --engine=rocksdb@system" + words), pattern);
  ASSERT_EQ(theirs.size(), 9u);
  ASSERT_EQ(ours.size(), 9u);
  EXPECT_EQ(theirs[0], 2700u);
  for (const size_t i : {0, 1, 2, 3, 4, 7, 8}) EXPECT_EQ(ours[i], theirs[i]) << i;
}

// With --compat=exact too, where the originals say "of num" whatever was read.
TEST_F(DialectCounts, found_is_of_all_that_was_read) {
  const std::string words =
      "--threads=4 --num=2000 --benchmarks=fillrandom,readrandom,seekrandom ";
  for (const std::string compat : {"", "--compat=exact"}) {
    EXPECT_THAT(NumbersIn(Ours("db_bench " + words + compat), "of (\\d+) found"),
                ElementsAre(8000u, 8000u))
        << compat;
  }
}

TEST_F(DialectCounts, a_port_without_threads_shares_them) {
  for (const std::string program : {"db_bench_sqlite3", "db_bench_tree_db"}) {
    EXPECT_EQ(Counts(Ours(program + " --threads=2 --num=500 --histogram --benchmarks=fillrandom")),
              std::vector<uint64_t>{500})
        << program;
  }
}

// Theirs is the time that passed, not that of all threads.
TEST_F(DialectCounts, the_lmdb_benchmarks_lines_have_their_rate) {
  for (const std::string program : {"db_bench_mdb", "db_bench_bdb"}) {
    const std::string out =
        Ours(program + " --threads=4 --num=2000 --benchmarks=fillrandom,readrandom");
    std::smatch match;
    ASSERT_TRUE(std::regex_search(
        out, match, std::regex(R"(readrandom +: +([0-9.]+) micros/op ([0-9]+) ops/sec;)")))
        << out;
    // One is the other's inverse.
    EXPECT_NEAR(std::stod(match[1]) * std::stod(match[2]) * 1e-6, 1, 0.01);
  }
}

TEST_F(DialectCounts, the_header_says_in_which_class_the_port_writes) {
  EXPECT_THAT(Ours("db_bench --num=100 --benchmarks=fillseq"),
              HasSubstr("Durability: process (db_bench's own: WriteOptions::sync = false)"));
  EXPECT_THAT(
      Ours("db_bench_tree_db --num=100 --benchmarks=fillseq --compat=exact"),
      HasSubstr("Durability: none (db_bench_tree_db's own: OWRITER | OCREATE, no transactions)"));
  EXPECT_THAT(Ours("db_bench_tree_db --num=100 --benchmarks=fillseq --durability=process"),
              AllOf(HasSubstr("Durability: process\n"), Not(HasSubstr("own:"))));
  EXPECT_THAT(Ours("db_bench_mdb --num=100 --benchmarks=fillseq"),
              HasSubstr("Durability: process (db_bench_mdb's own: MDB_NOSYNC)"));
  EXPECT_THAT(Ours("db_bench_sqlite3 --num=100 --benchmarks=fillseq --sync=1"),
              HasSubstr("Durability: synced\n"));
}

// A transaction for each write, which the port does not have, would be a log beside the file.
TEST_F(DialectCounts, treedbs_port_writes_without_transactions) {
  Ours("db_bench_tree_db --num=2000 --benchmarks=fillrandom --compat=exact");
  const PhaseResult phase = ReadResult().runs.at(0).phases.at(0);
  EXPECT_EQ(phase.durability, "none");
  EXPECT_EQ(phase.level, "D0");
}

}  // namespace
}  // namespace levelfield
