// `levelfield verify store`: a store that is as it was left is sound, one with a flipped byte is
// not, whichever engine it is of; and neither it nor what lies beside it is changed.
#include <map>

#include "end_to_end.h"

namespace levelfield {
namespace {

class VerifyStore : public EndToEnd, public ::testing::WithParamInterface<const char*> {
 protected:
  std::string engine() const { return GetParam(); }
  std::string store() const { return "stores/" + engine(); }

  void Fill(const std::string& flag = "--num=2000") {
    const Ending ending = Run({"run", flag, "--engine=" + engine(), "--benchmarks=fillrandom",
                               "--db=stores", "--keep", "--price=0"});
    ASSERT_EQ(ending.exit_code, 0) << ending.err;
  }

  // The largest file of the database, which has the values.
  std::string Largest() const {
    fs::path largest;
    for (const auto& entry : fs::recursive_directory_iterator(path() + "/" + store() + "/db")) {
      const std::string name = entry.path().filename();
      const bool is_log = name.starts_with("log.") || name.starts_with("__db.") ||
                          name.starts_with("LOG") || name.ends_with("-shm");
      if (!entry.is_regular_file() || is_log) continue;
      if (largest.empty() || entry.file_size() > fs::file_size(largest)) largest = entry.path();
    }
    return largest.lexically_relative(path()).string();
  }

  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    for (const std::string& name : Listing()) {
      if (fs::is_regular_file(path() + "/" + name)) files[name] = ReadFile(name);
    }
    return files;
  }
};

TEST_P(VerifyStore, of_a_clean_store_says_sound_and_changes_nothing) {
  Fill();
  const auto before = Files();
  const Ending ending = Run({"verify", "store", store()});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, AllOf(HasSubstr(engine()), HasSubstr("entries       2,000 ("),
                                HasSubstr("wrong         0\n"), HasSubstr("missing       0\n"),
                                HasSubstr("\nsound\n")));
  EXPECT_EQ(Files(), before);
  EXPECT_TRUE(NobodyIsLeft(1));
}

TEST_P(VerifyStore, of_a_flipped_byte_says_damaged) {
  Fill();
  const std::string file = Largest();
  std::string bytes = ReadFile(file);
  // In a value: those of the B-trees lie beside their keys. The others know every byte.
  const size_t key = bytes.find("0000000000000718");
  const size_t at = key == std::string::npos ? bytes.size() / 2 : key + 16 + 40;
  bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
  WriteFile(file, bytes);
  const Ending ending = Run({"verify", "store", store()});
  EXPECT_EQ(ending.exit_code, 1) << file << ", byte " << at << "\n" << ending.out << ending.err;
  EXPECT_THAT(ending.out, AllOf(HasSubstr("damage  "), HasSubstr("\ndamaged\n")));
  EXPECT_EQ(ReadFile(file), bytes) << "it is as it was found";
  EXPECT_TRUE(NobodyIsLeft(1));
}

TEST_P(VerifyStore, of_a_file_that_was_cut_says_damaged) {
  Fill();
  const std::string file = Largest();
  const std::string bytes = ReadFile(file);
  WriteFile(file, bytes.substr(0, bytes.size() / 3));
  const Ending ending = Run({"verify", "store", store()});
  EXPECT_EQ(ending.exit_code, 1) << file << "\n" << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("\ndamaged\n"));
  EXPECT_TRUE(NobodyIsLeft(1));
}

// What is not ours is recognized by its engine; what it has to hold is not known.
TEST_P(VerifyStore, takes_a_store_without_a_marker) {
  Fill();
  fs::rename(path() + "/" + store() + "/db", path() + "/foreign");
  const auto before = Files();
  const Ending ending = Run({"verify", "store", "foreign"});
  EXPECT_EQ(ending.exit_code, 0) << ending.out << ending.err;
  EXPECT_THAT(ending.out, AllOf(HasSubstr(engine()), HasSubstr("not Levelfield's"),
                                HasSubstr("2,000"), HasSubstr("has to hold is not known"),
                                HasSubstr("between its scans and gets"), HasSubstr("sound")));
  EXPECT_EQ(Files(), before);
}

INSTANTIATE_TEST_SUITE_P(All, VerifyStore,
                         ::testing::Values("berkeleydb", "leveldb", "lmdb", "rocksdb", "sqlite3",
                                           "treedb"),
                         [](const auto& test) { return std::string(test.param); });

class VerifyStoreOf : public EndToEnd {};

// The stub gives every five-hundredth get the value of another key; its scans are right.
TEST_F(VerifyStoreOf, an_engine_whose_gets_are_sometimes_false_is_not_sound) {
  for (const char* const num : {"--num=40", "--num=3000"}) {
    SCOPED_TRACE(num);
    fs::remove_all(path() + "/results");
    fs::remove_all(path() + "/stores");
    ASSERT_EQ(Run({"run", num, "--engine=stub", "--benchmarks=fillrandom", "--db=stores", "--keep",
                   "--price=0"})
                  .exit_code,
              0);
    const Ending false_now_and_then =
        Run({"verify", "store", "stores/stub", "--stub.wrong_value_every=500"});
    EXPECT_EQ(false_now_and_then.exit_code, 1) << false_now_and_then.out;
    EXPECT_THAT(false_now_and_then.out,
                AllOf(HasSubstr("has one value in a scan and another one by its key"),
                      HasSubstr("\ndamaged\n")));
    const Ending honest = Run({"verify", "store", "stores/stub"});
    EXPECT_EQ(honest.exit_code, 0) << "the control: " << honest.out;
  }
}

TEST_F(VerifyStoreOf, what_is_no_store_is_a_mistake) {
  WriteFile("file", "nothing");
  fs::create_directory(path() + "/empty");
  const std::vector<std::string> before = Listing();
  for (const std::vector<std::string>& words : {std::vector<std::string>{"verify", "store"},
                                                {"verify", "store", "none"},
                                                {"verify", "store", "file"},
                                                {"verify", "store", "empty"},
                                                {"verify", "store", "/"},
                                                {"verify", "store", "empty", "file"},
                                                {"verify", "store", "empty", "--num=5"}}) {
    const Ending ending = Run(words);
    EXPECT_EQ(ending.exit_code, 2) << ending.out << ending.err;
    EXPECT_THAT(ending.err, HasSubstr("levelfield: "));
  }
  EXPECT_EQ(Listing(), before);
}

TEST_F(VerifyStoreOf, another_run_that_uses_it_is_refused_with_its_number) {
  const auto process = Start({"run", "--num=1000", "--engine=misbehaving@hang_in_put",
                              "--stall=100", "--benchmarks=fillseq", "--db=stores", "--price=0"});
  ASSERT_TRUE(process->SaysOnError("1/1", 60));
  const Ending ending = Run({"verify", "store", "stores/misbehaving@hang_in_put"});
  EXPECT_EQ(ending.exit_code, 2) << ending.out << ending.err;
  EXPECT_THAT(ending.err, HasSubstr("process " + std::to_string(process->pid()) + " is using it"));
}

TEST_F(VerifyStoreOf, an_engine_that_is_not_here_could_not_be_checked) {
  ASSERT_EQ(Run({"run", "--num=100", "--engine=memory,misbehaving", "--benchmarks=fillseq",
                 "--db=stores", "--keep", "--price=0"})
                .exit_code,
            0);
  fs::remove(path() + "/engines/levelfield_misbehaving.so");
  const Ending ending = Run({"verify", "store", "stores/misbehaving"});
  EXPECT_EQ(ending.exit_code, 3) << ending.out << ending.err;
  EXPECT_THAT(ending.out, HasSubstr("could not be checked"));
}

// The control: each of these is found by the full read alone, as this engine has no checker.
TEST_F(VerifyStoreOf, an_engine_that_answers_wrongly_is_not_sound) {
  ASSERT_EQ(Run({"run", "--num=3000", "--engine=misbehaving", "--benchmarks=fillseq", "--db=stores",
                 "--keep", "--price=0"})
                .exit_code,
            0);
  for (const auto& [fault, says] :
       std::map<std::string, std::string>{{"none", "\nsound\n"},
                                          {"end_early", "backwards"},
                                          {"wrong_order", "comes behind"},
                                          {"skip_in_scan", "backwards"},
                                          {"fail_in_scan", "the page is torn"},
                                          {"segfault_in_get", "its process ended by"},
                                          {"cannot_open", "cannot be opened"}}) {
    const Ending ending =
        Run({"verify", "store", "stores/misbehaving", "--engine=misbehaving@" + fault});
    EXPECT_EQ(ending.exit_code, fault == "none" ? 0 : 1) << fault << ending.out << ending.err;
    EXPECT_THAT(InOneLine(ending.out), HasSubstr(InOneLine(says))) << fault;
  }
}

}  // namespace
}  // namespace levelfield
