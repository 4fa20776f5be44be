#include "engine/places.h"

#include <cstdlib>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::places_test {

namespace fs = std::filesystem;

class PlacesTest : public ::testing::Test {
 protected:
  PlacesTest() { unsetenv("LEVELFIELD_ENGINES"); }
  ~PlacesTest() override { unsetenv("LEVELFIELD_ENGINES"); }

  std::string Plugin(const std::string& name) const {
    const fs::path file = directory_ / name;
    fs::create_directories(file.parent_path());
    Write(file, "");
    return file;
  }
  std::vector<EnginePlace> In(const std::string& name) const { return {{directory_ / name}}; }

  const TemporaryDirectory temporary_;
  const fs::path directory_ = temporary_.path();
};

const FoundEngine* Find(const std::vector<FoundEngine>& all, const std::string& spec) {
  const auto one = std::ranges::find(all, spec, &FoundEngine::spec);
  return one == all.end() ? nullptr : &*one;
}

TEST_F(PlacesTest, PlugInsAreFoundByFileNameSortedAndNothingElse) {
  for (const char* name : {"levelfield_b.so", "levelfield_a.so", "levelfield_a@1.2.so",
                           "levelfield_.so", "levelfield_Big.so", "liblevelfield_c.so",
                           "levelfield_d.so.1", "levelfield_e.txt", "levelfield_f:g.so"}) {
    Plugin(name);
  }
  fs::create_directory(directory_ / "levelfield_folder.so");
  EXPECT_THAT(FindEngines(In("")), ElementsAre("a", "a@1.2", "b"));
  EXPECT_THAT(FindEngines(In("absent")), ElementsAre());
}

TEST_F(PlacesTest, AFileThatIsNamedItselfNeedsNoPrefix) {
  for (const char* name :
       {"mine.so", "libmine.so", "levelfield_mine.so", "liblevelfield_mine.so"}) {
    EXPECT_THAT(FindEngines({{Plugin(name)}}), ElementsAre("mine")) << name;
  }
  EXPECT_THAT(FindEngines({{Plugin("levelfield_mine@2.so")}}), ElementsAre("mine@2"));
}

TEST_F(PlacesTest, TheEnvironmentAddsToTheBuiltInEngines) {
  EXPECT_THAT(FindEngines(EnginePlaces()), AllOf(Contains("memory"), Contains("null")));
  Plugin("one/levelfield_one.so");
  const std::string both = (directory_ / "one").string() + ":" + Plugin("two.so");
  setenv("LEVELFIELD_ENGINES", both.c_str(), 1);
  EXPECT_THAT(FindEngines(EnginePlaces()),
              AllOf(Contains("memory"), Contains("one"), Contains("two")));
  EXPECT_TRUE(CheckEnginePlaces().ok());
  setenv("LEVELFIELD_ENGINES", "/not/there", 1);
  EXPECT_THAT(ErrorOf(CheckEnginePlaces()),
              AllOf(HasSubstr("LEVELFIELD_ENGINES=/not/there"), HasSubstr("added")));
}

TEST_F(PlacesTest, OfTwoOfOneNameTheFirstIsTakenAndTheOtherTold) {
  const std::string first = Plugin("first/levelfield_memory.so");
  const std::string second = Plugin("second/levelfield_memory.so");
  const std::string both = (directory_ / "first").string() + ":" + (directory_ / "second").string();
  setenv("LEVELFIELD_ENGINES", both.c_str(), 1);
  const auto all = FindEngineFiles(EnginePlaces());
  const FoundEngine* const memory = Find(all, "memory");
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(memory->file, first);
  EXPECT_FALSE(memory->is_built_in);
  ASSERT_EQ(memory->hidden.size(), 2);
  EXPECT_EQ(memory->hidden[0], second);
  EXPECT_TRUE(Find(all, "null")->is_built_in);
}

TEST_F(PlacesTest, TheSameFileTwiceHidesNothing) {
  Plugin("levelfield_one.so");
  const std::vector<EnginePlace> twice = {{directory_}, {directory_ / "."}};
  EXPECT_THAT(FindEngineFiles(twice).at(0).hidden, ElementsAre());
}

TEST_F(PlacesTest, FlagsComeBeforeTheEnvironmentAndAFileGivesWayToItsName) {
  Plugin("flag/levelfield_b.so");
  const std::string environment = Plugin("environment/levelfield_a.so");
  const std::string file = Plugin("levelfield_a.so");
  setenv("LEVELFIELD_ENGINES", (directory_ / "environment").c_str(), 1);
  Settings settings = Must(
      ParseSettings({"--engine=memory," + file, "--engines=" + (directory_ / "flag").string()}));
  EXPECT_TRUE(UseEnginesOf(settings).ok());
  EXPECT_EQ(settings.engine, "memory,a");
  const auto all = FindEngineFiles(EnginePlaces());
  EXPECT_EQ(Find(all, "a")->file, file);
  EXPECT_THAT(Find(all, "a")->hidden, ElementsAre(fs::path(environment)));
  EXPECT_NE(Find(all, "b"), nullptr);
  EXPECT_NE(Find(all, "memory"), nullptr);
}

TEST_F(PlacesTest, WhatIsNotThereOrCannotBeCalledIsAMistake) {
  const auto refusal = [](const std::vector<std::string>& words) {
    Settings settings = Must(ParseSettings(words));
    return ErrorOf(UseEnginesOf(settings));
  };
  EXPECT_THAT(refusal({"--engines=/not/there"}), HasSubstr("there is no /not/there"));
  EXPECT_THAT(refusal({"--engine=./not_there.so"}), HasSubstr("there is no such file"));
  EXPECT_THAT(refusal({"--engine=" + Plugin("Big.so")}), HasSubstr("called by its engine's name"));
  EXPECT_THAT(refusal({"--engine=" + Plugin("x/a.so") + "," + Plugin("y/a.so")}),
              AllOf(HasSubstr("is called a as well"), HasSubstr("levelfield_a@2.so")));
}

TEST_F(PlacesTest, NamesOfEnginesMayBeInAnyCase) {
  const Settings settings =
      Must(ParseSettings({"--engine=LMDB,RocksDB@7.8.3-RC,all,rocksdb:/Lib/R.so,./Mine.so",
                          "--yardstick=LevelDB", "--RocksDB.Max_Jobs=2"}));
  EXPECT_EQ(settings.engine, "lmdb,rocksdb@7.8.3-RC,all,rocksdb:/Lib/R.so,./Mine.so");
  EXPECT_EQ(settings.yardstick, "leveldb");
  EXPECT_TRUE(settings.engine_options.contains("rocksdb"));
  EXPECT_TRUE(settings.IsGiven("rocksdb.Max_Jobs"));
}

}  // namespace levelfield::places_test
