#include "engine/description.h"

#include <sys/stat.h>

#include <string>
#include <utility>

#include "base/files_for_test.h"
#include "base/json_text.h"
#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "engine/loader.h"

namespace levelfield::description_test {

EngineDescription Example() {
  EngineDescription example;
  example.name = "example";
  example.spec = "example@2";
  example.summary = "größer";
  example.license = "MIT";
  example.capabilities = LF_ONE_WRITER | LF_BATCH_ATOMIC;
  example.options = {{"cache_size", LF_BYTES, "8M", {}, "Of the cache."},
                     {"compression", LF_CHOICE, "none", {"none", "zstd"}, "Of blocks."},
                     {"bloom_bits", LF_ABSENT, "", {}, "Has no filter."}};
  example.durabilities = {{"none", LF_REFUSED, "nothing weaker"},
                          {"process", LF_D1_PROCESS, "sync = false"},
                          {"synced", LF_D4_SYNCED, "sync = true"}};
  example.alternatives = {
      {"large", "cache_size=1G", "process,synced", "Larger is faster.", "https://example.org/"}};
  example.properties = {"example.stats"};
  example.facts = {{"version", "2"}, {"warning", "asserts"}, {"build", "-O2"}};
  example.library_path = "/lib/libexample.so";
  example.library_bytes = uint64_t{1} << 40;
  example.library_sha256 = std::string(64, 'a');
  example.plugin_path = "/lib/levelfield_example.so";
  return example;
}

TEST(EngineDescription, ComesBackFromJsonAsItWentIn) {
  const std::string text = ToJson(Example()).dump();
  EXPECT_EQ(Must(FromJson(nlohmann::ordered_json::parse(text))), Example());
}

TEST(EngineDescription, FactsKeepTheirOrder) {
  const auto facts = ToJson(Example())["facts"];
  EXPECT_EQ(facts[0]["name"], "version");
  EXPECT_EQ(facts[1]["name"], "warning");
  EXPECT_EQ(facts[2]["name"], "build");
  EXPECT_EQ(Example().Fact("warning"), "asserts");
  EXPECT_EQ(Example().Fact("absent"), "");
}

TEST(EngineDescription, JsonSpeaksInNamesNotNumbers) {
  const auto json = ToJson(Example());
  EXPECT_EQ(json["capabilities"].dump(), R"(["one_writer","batch_atomic"])");
  EXPECT_EQ(json["durabilities"][2]["level"], "D4");
  EXPECT_EQ(json["durabilities"][0]["level"], "refused");
  EXPECT_EQ(json["options"][1]["kind"], "choice");
}

TEST(EngineDescription, JsonOutOfFormIsAFailureWithAReason) {
  const auto spoilt = [](auto spoil) {
    auto json = ToJson(Example());
    spoil(json);
    EXPECT_THAT(ErrorOf(FromJson(json)), HasSubstr("does not read"));
  };
  spoilt([](auto& json) { json.erase("name"); });
  spoilt([](auto& json) { json["facts"] = 3; });
  spoilt([](auto& json) { json["capabilities"] = {"flying"}; });
  spoilt([](auto& json) { json["options"][0]["kind"] = 7; });
  spoilt([](auto& json) { json["durabilities"][0]["level"] = "D9"; });
  spoilt([](auto& json) { json = nullptr; });
  spoilt([](auto& json) { json["library"]["bytes"] = "many"; });
}

TEST(EngineDescription, ItsPathsMayBeAnyBytes) {
  EngineDescription example = Example();
  example.library_path = "/lib/\xff\n\x1b.so";
  example.plugin_path = "d\xfc/\uef80.so";
  const auto back = Must(FromJson(ParseJsonText(JsonText(ToJson(example)))));
  EXPECT_EQ(back.library_path, example.library_path);
  EXPECT_EQ(back.plugin_path, example.plugin_path);
}

TEST(Describe, TellsTheTableTheFactsAndTheFile) {
  const auto engine = Must(LoadEngine(*ParseEngineSpec("memory"), EnginePlaces()));
  const auto description = Must(Describe(engine));
  EXPECT_EQ(description.name, "memory");
  EXPECT_TRUE(description.Has(LF_FLOOR));
  EXPECT_EQ(description.Fact("version"), "1");
  EXPECT_THAT(description.durabilities, SizeIs(3));
  EXPECT_EQ(description.FindDurability("synced")->level, LF_D0_NONE);
  EXPECT_EQ(description.FindOption("cache_size")->kind, LF_ABSENT);
  EXPECT_EQ(description.FindOption("absent"), nullptr);
  EXPECT_EQ(description.library_path, description.plugin_path);
  EXPECT_EQ(description.library_bytes, std::filesystem::file_size(description.plugin_path));
  EXPECT_THAT(description.library_sha256, SizeIs(64));
}

TEST(Describe, BoundsWhatAnEngineTells) {
  lf_option options[] = {{nullptr, LF_ABSENT, nullptr, nullptr, nullptr}};
  lf_durability durabilities[] = {{nullptr, LF_REFUSED, nullptr}};
  lf_engine table{};
  table.name = table.summary = table.license = "talker";
  table.options = options;
  table.durabilities = durabilities;
  table.describe = [](void* context, lf_fact_sink sink) {
    const std::string long_text(100000, '\n');
    sink(context, nullptr, "nameless");
    for (int i = 0; i < 10000; ++i) sink(context, long_text.c_str(), long_text.c_str());
  };
  const auto description =
      Describe(Engine({.name = "talker", .which = "", .text = "talker"}, "/proc/self/exe", table));
  // The file is a link to the test itself; what matters is that it opens.
  ASSERT_TRUE(description.ok()) << description.status().message();
  ASSERT_THAT(description->facts, SizeIs(256));
  EXPECT_THAT(description->facts[0].first, SizeIs(64));
  EXPECT_EQ(description->facts[0].second, std::string(16384, '?'));
}

TEST(Describe, ALibraryThatCannotBeReadIsAFailure) {
  auto engine = Must(LoadEngine(*ParseEngineSpec("memory"), EnginePlaces()));
  lf_engine table = engine.table();
  table.describe = [](void* context, lf_fact_sink sink) { sink(context, "library", "/absent"); };
  EXPECT_THAT(ErrorOf(Describe(Engine(engine.spec(), engine.plugin_path(), table))),
              HasSubstr("/absent"));
}

// The answers are those of FIPS 180-2, appendix B, and of the empty message.
TEST(HashFileTest, GivesTheStandardsOwnAnswers) {
  const std::pair<std::string, const char*> answers[] = {
      {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {std::string(1000000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
      {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
  };
  const TemporaryDirectory directory;
  for (const auto& [content, sha256] : answers) {
    Write(directory / "file", content);
    const auto hash = Must(HashFile(directory / "file"));
    EXPECT_EQ(hash.bytes, content.size());
    EXPECT_EQ(hash.sha256, sha256);
  }
}

TEST(HashFileTest, RefusesWhatIsNoFileWithoutWaiting) {
  const TemporaryDirectory directory;
  EXPECT_FALSE(HashFile(directory / "absent").ok());
  EXPECT_FALSE(HashFile(directory.path()).ok());
  const std::string pipe = directory / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(HashFile(pipe).ok());
}

}  // namespace levelfield::description_test
