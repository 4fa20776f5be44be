// `levelfield verify conformance`: every engine passes the list of LevelDB's c_test, and an engine
// with one thing wrong does not.
#include "end_to_end.h"

namespace levelfield {
namespace {

class Verify : public EndToEnd {
 protected:
  Verify() {
    options_.environment["LEVELFIELD_ENGINES"] = LEVELFIELD_ENGINE_DIRECTORY;
    options_.environment["TMPDIR"] = path();
  }

  Ending RunBroken(const std::string& engine) {
    options_.environment["LEVELFIELD_ENGINES"] = LEVELFIELD_BROKEN_ENGINE_DIRECTORY;
    return Run({"verify", "conformance", "--engine=" + engine});
  }
};

// The part of the text that is one engine's.
std::string PartOf(const std::string& text, const std::string& engine) {
  const size_t begin = text.find("# " + engine + " ");
  if (begin == std::string::npos) return "";
  const size_t end = text.find("\n# ", begin);
  return text.substr(begin, end == std::string::npos ? end : end + 1 - begin);
}

// The names behind "=== Test", in their order.
std::vector<std::string> TestsIn(const std::string& text) {
  std::vector<std::string> tests;
  const std::string mark = "=== Test ";
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    at += mark.size();
    tests.push_back(text.substr(at, text.find_first_of(" \n", at) - at));
  }
  return tests;
}

TEST_F(Verify, every_engine_passes_the_list_of_c_test) {
  const Ending ending = Run({"verify", "conformance"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  for (const char* engine :
       {"berkeleydb", "leveldb", "lmdb", "memory", "rocksdb", "sqlite3", "treedb"}) {
    const std::string part = PartOf(ending.out, engine);
    EXPECT_THAT(
        TestsIn(part),
        ElementsAre("create_objects", "destroy", "open_error", "leveldb_free", "open", "put",
                    "compactall", "compactrange", "writebatch", "iter", "approximate_sizes",
                    "property", "snapshot", "repair", "filter", "cleanup"))
        << part;
    EXPECT_TRUE(part.ends_with("\nPASS\n")) << part;
  }
  // Nothing is unsupported by the engine whose test it is.
  EXPECT_THAT(PartOf(ending.out, "leveldb"),
              AllOf(HasSubstr("# leveldb 1."), Not(HasSubstr("unsupported"))));
  EXPECT_THAT(PartOf(ending.out, "rocksdb"), Not(HasSubstr("unsupported")));
  EXPECT_THAT(PartOf(ending.out, "sqlite3"),
              HasSubstr("=== Test repair unsupported: repair: SQLite repairs nothing by itself"));
  EXPECT_THAT(Listing(), IsEmpty()) << "the stores are gone";
}

TEST_F(Verify, the_distributions_leveldb_passes_too) {
  const Ending ending = Run({"verify", "conformance", "--engine=leveldb@system"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, Not(HasSubstr("unsupported")));
}

TEST_F(Verify, takes_the_options_of_an_engine) {
  const Ending ending =
      Run({"verify", "conformance", "--engine=berkeleydb", "--berkeleydb.multiversion=1"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, AllOf(HasSubstr("=== Test snapshot\n"), HasSubstr("PASS")));
}

TEST_F(Verify, an_engine_with_one_thing_wrong_fails_by_the_test_that_is_meant_for_it) {
  for (const auto& [engine, message] : std::vector<std::pair<std::string, std::string>>{
           {"backwards", "iter: seek to the first: expected \"box\"=\"c\", got \"foo\"=\"hello\""},
           {"half_batch", "writebatch: get of "},
           {"scorched", "destroy: not_the_engines, which is no part of the store, is gone"},
           {"present_minded",
            "snapshot: get of foo of the snapshot: expected \"hello\", got nothing"},
           {"amnesiac", "open_error: a file of plain text was opened as a store"}}) {
    const Ending ending = RunBroken(engine);
    EXPECT_EQ(ending.exit_code, 1) << ending.out << ending.err;
    EXPECT_THAT(ending.out,
                AllOf(HasSubstr(message), HasSubstr("\nFAIL\n"), Not(HasSubstr("PASS"))))
        << engine;
  }
}

TEST_F(Verify, an_engine_that_cannot_do_what_it_need_not_passes_and_says_so) {
  for (const char* const engine : {"reserved", "uncompacted"}) {
    const Ending ending = RunBroken(engine);
    EXPECT_EQ(ending.exit_code, 0) << ending.out;
    EXPECT_THAT(ending.out, HasSubstr("PASS"));
    EXPECT_THAT(ending.out, HasSubstr("=== Test compactall unsupported: compact: "));
  }
}

TEST_F(Verify, an_engine_that_crashes_stops_no_other) {
  const Ending ending = RunBroken("crashing,overrated");
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(PartOf(ending.out, "crashing"),
              AllOf(HasSubstr("crashing: its process ended by SIGABRT"), HasSubstr("FAIL\n")));
  EXPECT_TRUE(PartOf(ending.out, "overrated").ends_with("PASS\n")) << ending.out;
  EXPECT_THAT(Listing(), IsEmpty());
}

TEST_F(Verify, an_engine_that_ends_the_program_as_if_all_were_well_has_not_passed) {
  const Ending ending = RunBroken("quitting");
  EXPECT_EQ(ending.exit_code, 1);
  EXPECT_THAT(ending.out,
              HasSubstr("=== Test put\nquitting: its process ended before the list did"));
}

TEST_F(Verify, an_engine_that_does_not_load_fails_and_says_why) {
  const Ending ending = RunBroken("null_member");
  EXPECT_EQ(ending.exit_code, 1) << ending.out << ending.err;
  EXPECT_THAT(ending.out, AllOf(HasSubstr("get is null"), HasSubstr("FAIL\n")));
}

TEST_F(Verify, mistakes_are_told_before_anything_runs) {
  for (const auto& [words, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"verify"}, "verify conformance"},
           {{"verify", "everything"}, "verify conformance"},
           {{"verify", "conformance", "--num=5"}, "--num"},
           {{"verify", "conformance", "--engine=leveldbb"}, "leveldb"},
           {{"verify", "conformance", "--engine=leveldb", "--lmdb.writemap=1"}, "lmdb"}}) {
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << ending.out << ending.err;
    EXPECT_THAT(ending.err, HasSubstr(message));
    EXPECT_THAT(ending.out, IsEmpty());
  }
}

}  // namespace
}  // namespace levelfield
