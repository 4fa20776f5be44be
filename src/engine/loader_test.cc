#include "engine/loader.h"

#include <cstdlib>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::loader_test {

EngineSpec Spec(const std::string& text) { return Must(ParseEngineSpec(text)); }

class LoaderTest : public ::testing::Test {
 protected:
  const TemporaryDirectory temporary_;
  const std::filesystem::path directory_ = temporary_.path();
};

TEST_F(LoaderTest, TheEnvironmentNamesTheDirectory) {
  const std::filesystem::path beside = EngineDirectory();
  EXPECT_THAT(FindEngines(beside), AllOf(Contains("memory"), Contains("null")));
  setenv("LEVELFIELD_ENGINES", "/somewhere/else", 1);
  EXPECT_EQ(EngineDirectory(), "/somewhere/else");
  setenv("LEVELFIELD_ENGINES", "", 1);
  EXPECT_EQ(EngineDirectory(), beside);
  unsetenv("LEVELFIELD_ENGINES");
}

TEST_F(LoaderTest, FindsPlugInsByFileNameSortedAndNothingElse) {
  for (const char* name : {"levelfield_b.so", "levelfield_a.so", "levelfield_a@1.2.so",
                           "levelfield_.so", "levelfield_Big.so", "liblevelfield_c.so",
                           "levelfield_d.so.1", "levelfield_e.txt", "levelfield_f:g.so"}) {
    Write(directory_ / name, "");
  }
  std::filesystem::create_directory(directory_ / "levelfield_folder.so");
  EXPECT_THAT(FindEngines(directory_), ElementsAre("a", "a@1.2", "b"));
  EXPECT_THAT(FindEngines(directory_ / "absent"), ElementsAre());
}

TEST_F(LoaderTest, LoadsAnEngineTwiceAndBothAnswer) {
  const auto first = Must(LoadEngine(Spec("memory"), EngineDirectory()));
  const auto second = Must(LoadEngine(Spec("memory"), EngineDirectory()));
  for (const Engine& engine : {first, second}) {
    auto store = Must(Store::Open(engine, directory_, {{"durability", "none"}}));
    auto session = Must(store.BeginSession());
    EXPECT_EQ(engine.table().put(session.get(), {"k", 1}, {"v", 1}), LF_OK);
    lf_bytes value{};
    EXPECT_EQ(engine.table().get(session.get(), {"k", 1}, &value), LF_OK);
    EXPECT_EQ(std::string_view(value.data, value.size), "v");
    session.End();
    EXPECT_TRUE(store.Close().ok());
    EXPECT_TRUE(store.Close().ok()) << "closing twice is closing once";
  }
}

TEST_F(LoaderTest, AnAbsentEngineIsAMistakeWithTheNearestName) {
  EXPECT_THAT(UsageErrorOf(LoadEngine(Spec("memroy"), EngineDirectory())),
              HasSubstr("did you mean memory?"));
  EXPECT_THAT(LoadEngine(Spec("memory"), directory_).status().message(),
              HasSubstr("LEVELFIELD_ENGINES"));
}

TEST_F(LoaderTest, AVersionOfAnEngineBuiltForOneLibraryIsRefused) {
  for (const char* text : {"memory@2", "memory:/lib/libmemory.so"}) {
    EXPECT_THAT(UsageErrorOf(LoadEngine(Spec(text), EngineDirectory())),
                AllOf(HasSubstr(text), HasSubstr("`load`")));
  }
}

TEST_F(LoaderTest, APlugInNamedForTheVersionIsTakenInPlaceOfTheGeneralOne) {
  std::filesystem::copy(EngineDirectory() / "levelfield_memory.so",
                        directory_ / "levelfield_memory@2.so");
  Write(directory_ / "levelfield_memory.so", "not this one");
  const auto engine = Must(LoadEngine(Spec("memory@2"), directory_));
  EXPECT_EQ(engine.plugin_path(), directory_ / "levelfield_memory@2.so");
  EXPECT_EQ(engine.spec().text, "memory@2");
}

TEST_F(LoaderTest, AFileThatIsNoLibraryIsRefusedByName) {
  Write(directory_ / "levelfield_text.so", "this is text\n");
  const auto engine = LoadEngine(Spec("text"), directory_);
  ASSERT_FALSE(engine.ok());
  EXPECT_EQ(engine.status().kind(), ErrorKind::kFailed);
  EXPECT_THAT(engine.status().message(), HasSubstr("levelfield_text.so"));
}

TEST_F(LoaderTest, APlugInUnderAnotherEnginesNameIsRefused) {
  std::filesystem::copy(EngineDirectory() / "levelfield_null.so", directory_ / "levelfield_lie.so");
  EXPECT_THAT(ErrorOf(LoadEngine(Spec("lie"), directory_)),
              AllOf(HasSubstr("levelfield_lie.so: name"), HasSubstr("\"null\"")));
}

TEST_F(LoaderTest, ARelativeDirectoryIsNotALibrarySearch) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(EngineDirectory());
  EXPECT_TRUE(LoadEngine(Spec("null"), "").ok());
  EXPECT_TRUE(LoadEngine(Spec("null"), ".").ok());
  std::filesystem::current_path(before);
}

}  // namespace levelfield::loader_test
