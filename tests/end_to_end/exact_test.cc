// --compat=exact beside the originals themselves, LevelDB's db_bench and its SQLite and TreeDB
// ports, built from LevelDB's source (scripts/build_originals.sh): the same commands leave the same
// bytes in the stores, and the same keys are found.
#include <array>
#include <cstdio>
#include <regex>
#include <utility>

#include "end_to_end.h"
#include "engine/loader.h"

namespace levelfield {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

class ExactMode : public EndToEnd {
 protected:
  using Words = std::vector<std::string>;

  // What an original prints on its standard output.
  std::string Original(const std::string& program, const Words& words) {
    const std::string file = std::string(LEVELFIELD_ORIGINALS) + "/" + program;
    EXPECT_TRUE(fs::exists(file)) << "scripts/build_originals.sh makes it";
    std::string command = "TEST_TMPDIR=" + path() + " " + file;
    for (const std::string& word : words) command += " '" + word + "'";
    std::FILE* const pipe = popen((command + " 2>/dev/null").c_str(), "r");
    std::string text;
    std::array<char, 4096> block;
    while (pipe != nullptr) {
      const size_t bytes = fread(block.data(), 1, block.size(), pipe);
      if (bytes == 0) break;
      text.append(block.data(), bytes);
    }
    EXPECT_EQ(pclose(pipe), 0) << command;
    return text;
  }

  Result Exactly(const std::string& engine, const Words& more) {
    fs::remove_all(path() + "/results");
    fs::remove_all(path() + "/ours");
    Words words = {"run",    "--compat=exact", "--engine=" + engine, "--dialect=" + engine,
                   "--keep", "--db=ours"};
    words.insert(words.end(), more.begin(), more.end());
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 0) << ending.err;
    return ReadResult();
  }

  std::string Ours(const std::string& engine) const { return path() + "/ours/" + engine + "/db"; }

  // All that a store of LevelDB holds.
  static Entries EntriesOf(const std::string& directory) {
    const auto engine = LoadEngine(*ParseEngineSpec("leveldb"), LEVELFIELD_ENGINE_DIRECTORY);
    EXPECT_TRUE(engine.ok()) << engine.status().message();
    StatusOr<Store> store = Store::Open(*engine, directory, {{"durability", "process"}});
    EXPECT_TRUE(store.ok()) << store.status().message();
    if (!store.ok()) return {};
    StatusOr<Session> session = store->BeginSession();
    Entries entries;
    lf_bytes key;
    lf_bytes value;
    const lf_engine& table = engine->table();
    for (lf_code code = table.seek(session->get(), LF_FIRST, {}, &key, &value); code == LF_OK;
         code = table.next(session->get(), &key, &value)) {
      entries.emplace_back(std::string(key.data, key.size), std::string(value.data, value.size));
    }
    return entries;
  }

  // What a shell command prints.
  static std::string OutputOf(const std::string& command) {
    std::FILE* const pipe = popen(command.c_str(), "r");
    std::string text;
    std::array<char, 4096> block;
    while (const size_t bytes = fread(block.data(), 1, block.size(), pipe)) {
      text.append(block.data(), bytes);
    }
    EXPECT_EQ(pclose(pipe), 0) << command;
    return text;
  }

  // The N of each "(N of M found)", in order.
  static std::vector<uint64_t> FoundIn(const std::string& text) {
    static const std::regex found(R"(\((\d+) of \d+ found\))");
    std::vector<uint64_t> counts;
    for (std::sregex_iterator it(text.begin(), text.end(), found), end; it != end; ++it) {
      counts.push_back(std::stoull((*it)[1]));
    }
    return counts;
  }
};

TEST_F(ExactMode, leaves_the_bytes_in_leveldb_that_db_bench_leaves) {
  for (const std::string benchmarks :
       {"fillseq", "fillbatch", "fillsync", "fillrandom,overwrite", "fill100K",
        "fillseq,fillsync,fillrandom,deleterandom,overwrite", "fillrandom,readrandom,overwrite",
        "fillseq,deleteseq", "fillrandom,compact,overwrite"}) {
    const Words load = {"--num=5345", "--value_size=117", "--compression_ratio=0.3",
                        "--benchmarks=" + benchmarks};
    Words theirs = load;
    theirs.push_back("--db=" + path() + "/theirs");
    Original("db_bench", theirs);
    const Result result = Exactly("leveldb", load);
    for (const PhaseResult& phase : RunOf(result, "leveldb").phases) {
      EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.workload << ": " << phase.message;
    }
    const Entries expected = EntriesOf(path() + "/theirs");
    const Entries actual = EntriesOf(Ours("leveldb"));
    EXPECT_EQ(actual.size(), expected.size()) << benchmarks;
    EXPECT_TRUE(actual == expected) << benchmarks;
  }
}

TEST_F(ExactMode, finds_the_keys_that_db_bench_finds) {
  const Words load = {"--num=100000",
                      "--benchmarks=fillseq,fillsync,fillrandom,overwrite,readrandom,readmissing,"
                      "readhot,readrandom,"
                      "seekrandom,compact,seekordered,deleterandom,readrandom,readrandomsmall"};
  Words theirs = load;
  theirs.push_back("--db=" + path() + "/theirs");
  const std::vector<uint64_t> expected = FoundIn(Original("db_bench", theirs));
  std::vector<uint64_t> actual;
  const Result result = Exactly("leveldb", load);
  for (const PhaseResult& phase : RunOf(result, "leveldb").phases) {
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.workload << ": " << phase.message;
    const bool is_counted =
        phase.workload.starts_with("readrandom") || phase.workload.starts_with("seek");
    if (is_counted) actual.push_back(phase.roles.at(0).lanes.at(0).hits);
  }
  EXPECT_EQ(expected.size(), 6u);
  EXPECT_EQ(actual, expected);
}

TEST_F(ExactMode, reads_an_empty_store_as_empty) {
  const Result result =
      Exactly("leveldb", {"--num=1000", "--benchmarks=readrandom,readseq,overwrite,readrandom"});
  const RunResult& run = RunOf(result, "leveldb");
  ASSERT_EQ(run.phases.size(), 4u);
  EXPECT_EQ(run.phases[0].roles.at(0).lanes.at(0).misses, 1000u);
  EXPECT_EQ(run.phases[1].roles.at(0).lanes.at(0).operations, 0u);
  EXPECT_GT(run.phases[3].roles.at(0).lanes.at(0).hits, 500u);
  for (const PhaseResult& phase : run.phases) EXPECT_EQ(phase.outcome, Outcome::kOk);
}

TEST_F(ExactMode, does_nothing_where_the_original_does_nothing) {
  const Result result =
      Exactly("leveldb", {"--num=999", "--benchmarks=fillsync,readrandomsmall,readrandom"});
  for (const PhaseResult& phase : RunOf(result, "leveldb").phases) {
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.workload << ": " << phase.message;
  }
  EXPECT_EQ(RunOf(result, "leveldb").phases[0].verified_entries, 0u);
}

// Each thread does all of the work on all of the keys, so which value is the last is not known.
TEST_F(ExactMode, says_what_it_cannot_know_of_many_threads) {
  const Result result = Exactly(
      "leveldb", {"--num=5000", "--threads=3",
                  "--benchmarks=fillseq,readseq,fillrandom,readrandom,readwhilewriting,readseq"});
  const RunResult& run = RunOf(result, "leveldb");
  ASSERT_EQ(run.phases.size(), 6u);
  for (const PhaseResult& phase : run.phases) {
    EXPECT_EQ(phase.outcome, Outcome::kOk) << phase.workload << ": " << phase.message;
  }
  EXPECT_EQ(run.phases[0].roles.at(0).Operations(), 15'000u);
  EXPECT_EQ(run.phases[0].check_detail, "reopened and read back: all entries")
      << "in order, all threads write the same values";
  EXPECT_THAT(run.phases[1].check_detail, HasSubstr("digest"));
  EXPECT_THAT(run.phases[2].check_detail, HasSubstr("only presence and length were checked"));
  EXPECT_THAT(run.phases[3].check_detail, HasSubstr("the digest is not compared"));
  EXPECT_THAT(run.phases[4].check_detail, HasSubstr("do not name their key"));
}

TEST_F(ExactMode, leaves_the_bytes_in_sqlite_that_its_port_leaves) {
  const Words load = {
      "--num=4500", "--reads=300", "--value_size=64",
      "--benchmarks=fillseq,fillrandsync,fillrand100K,fillrandbatch,readrandom,overwritebatch"};
  Original("db_bench_sqlite3", load);
  Exactly("sqlite3", load);
  const auto dump = [](const std::string& file) {
    return OutputOf("sqlite3 '" + file + "' 'select hex(key), hex(value) from test order by key'");
  };
  const std::string expected = dump(path() + "/dbbench_sqlite3-5.db");
  EXPECT_GT(expected.size(), 2000u * 160);
  std::string file;
  for (const auto& entry : fs::directory_iterator(Ours("sqlite3"))) {
    if (entry.path().extension() == ".sqlite3") file = entry.path();
  }
  EXPECT_TRUE(dump(file) == expected);
}

TEST_F(ExactMode, leaves_the_bytes_in_treedb_that_its_port_leaves) {
  const Words load = {"--num=4500", "--reads=300", "--value_size=64",
                      "--benchmarks=fillseq,fillrandsync,fillrandom,readrandom,overwrite"};
  // Its compressor has a checksum of its own, without which kctreemgr opens no store.
  Words theirs = load;
  theirs.push_back("--compression=0");
  Original("db_bench_tree_db", theirs);
  Exactly("treedb", load);
  const auto dump = [](const std::string& file) { return OutputOf("kctreemgr list -pv " + file); };
  const std::string expected = dump(path() + "/dbbench_polyDB-4.kct");
  EXPECT_GT(expected.size(), 2000u * 80);
  EXPECT_TRUE(dump(Ours("treedb") + "/levelfield.kct") == expected);
}

}  // namespace
}  // namespace levelfield
