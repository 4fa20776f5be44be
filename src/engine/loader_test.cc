#include "engine/loader.h"

#include <unistd.h>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"

namespace levelfield::loader_test {

EngineSpec Spec(const std::string& text) { return Must(ParseEngineSpec(text)); }

class LoaderTest : public ::testing::Test {
 protected:
  const TemporaryDirectory temporary_;
  const std::filesystem::path directory_ = temporary_.path();
  const std::vector<EnginePlace> here_ = {{directory_}};
};

TEST_F(LoaderTest, LoadsAnEngineTwiceAndBothAnswer) {
  const auto first = Must(LoadEngine(Spec("memory"), EnginePlaces()));
  const auto second = Must(LoadEngine(Spec("memory"), EnginePlaces()));
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
  EXPECT_THAT(UsageErrorOf(LoadEngine(Spec("memroy"), EnginePlaces())),
              HasSubstr("did you mean memory?"));
  EXPECT_THAT(LoadEngine(Spec("memory"), here_).status().message(), HasSubstr("--engines=DIR"));
}

TEST_F(LoaderTest, AVersionOfAnEngineBuiltForOneLibraryIsRefused) {
  for (const char* text : {"memory@2", "memory:/lib/libmemory.so"}) {
    EXPECT_THAT(UsageErrorOf(LoadEngine(Spec(text), EnginePlaces())),
                AllOf(HasSubstr(text), HasSubstr("`load`")));
  }
}

TEST_F(LoaderTest, APlugInNamedForTheVersionIsTakenInPlaceOfTheGeneralOne) {
  std::filesystem::copy(EnginePlaces().front().path / "levelfield_memory.so",
                        directory_ / "levelfield_memory@2.so");
  Write(directory_ / "levelfield_memory.so", "not this one");
  const auto engine = Must(LoadEngine(Spec("memory@2"), here_));
  EXPECT_EQ(engine.plugin_path(), directory_ / "levelfield_memory@2.so");
  EXPECT_EQ(engine.spec().text, "memory@2");
}

TEST_F(LoaderTest, AFileThatIsNoLibraryIsRefusedByName) {
  Write(directory_ / "levelfield_text.so", "this is text\n");
  const auto engine = LoadEngine(Spec("text"), here_);
  ASSERT_FALSE(engine.ok());
  EXPECT_EQ(engine.status().kind(), ErrorKind::kFailed);
  EXPECT_THAT(engine.status().message(), HasSubstr("levelfield_text.so"));
}

TEST_F(LoaderTest, APlugInUnderAnotherEnginesNameIsRefused) {
  std::filesystem::copy(EnginePlaces().front().path / "levelfield_null.so",
                        directory_ / "levelfield_lie.so");
  EXPECT_THAT(ErrorOf(LoadEngine(Spec("lie"), here_)),
              AllOf(HasSubstr("levelfield_lie.so: name"), HasSubstr("\"null\"")));
}

TEST_F(LoaderTest, AsRootAPlugInThatOthersCanWriteIsRefused) {
  if (geteuid() != 0) GTEST_SKIP() << "for root alone";
  const auto file = directory_ / "levelfield_null.so";
  std::filesystem::copy(EnginePlaces().front().path / "levelfield_null.so", file);
  EXPECT_TRUE(LoadEngine(Spec("null"), here_).ok());
  std::filesystem::permissions(file, std::filesystem::perms(0757));
  EXPECT_THAT(UsageErrorOf(LoadEngine(Spec("null"), here_)),
              AllOf(HasSubstr("everybody may write to it"), HasSubstr("chmod o-w")));
  std::filesystem::permissions(file, std::filesystem::perms(0755));
  ASSERT_EQ(chown(file.c_str(), 65534, 65534), 0);
  EXPECT_THAT(UsageErrorOf(LoadEngine(Spec("null"), here_)), HasSubstr("uid 65534"));
  ASSERT_EQ(chown(file.c_str(), 0, 0), 0);
  std::filesystem::permissions(directory_, std::filesystem::perms(0777));
  EXPECT_THAT(UsageErrorOf(LoadEngine(Spec("null"), here_)),
              HasSubstr("everybody may write to " + directory_.string()));
  EXPECT_TRUE(LoadEngine(Spec("null"), {{directory_, true}}).ok())
      << "built-in engines are as safe as the program";
}

}  // namespace levelfield::loader_test
