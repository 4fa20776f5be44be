#include "facts/facts_here.h"

#include <unistd.h>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"
#include "base/sealed_json.h"
#include "base/status_for_test.h"
#include "facts/places.h"
#include "store/store_directory.h"

namespace levelfield::facts_here_test {

TEST(Places, AreAsTheyLie) {
  const TemporaryDirectory directory;
  Write(directory / "stores/of/file", "x");
  const PlaceFacts missing = LookAt(directory / "nothing/here");
  EXPECT_TRUE(missing.is_missing);
  EXPECT_EQ(missing.nearest, directory.path());
  EXPECT_THAT(missing.why_nothing_new, IsEmpty());
  EXPECT_EQ(missing.real_path, directory / "nothing/here");
  EXPECT_FALSE(LookAt(directory / "stores").has_files) << "it has a directory alone";
  EXPECT_TRUE(LookAt(directory / "stores/of").has_files);
  const PlaceFacts file = LookAt(directory / "stores/../stores/of/file");
  EXPECT_TRUE(file.is_file);
  EXPECT_EQ(file.real_path, directory / "stores/of/file");
  EXPECT_FALSE(file.ours.has_value());
}

TEST(Places, KnowAStoreOfOursByItsMarker) {
  const TemporaryDirectory directory;
  const StoreDirectory store = Must(StoreDirectory::Create(
      directory / "lmdb", {.salt = 1, .harness = "0", .content = {.engine = "lmdb"}}));
  EXPECT_EQ(LookAt(directory / "lmdb").ours.value_or(StoreContent()).engine, "lmdb");
  EXPECT_EQ(FindStoreAround(directory / "lmdb/db/deep/results", false, {}).engine, "lmdb");
  EXPECT_EQ(FindStoreAround(directory / "lmdb", false, {}).store, directory / "lmdb");
  EXPECT_THAT(FindStoreAround(directory / "lmdb", true, {}).store, IsEmpty());
}

TEST(FactsHere, AreFoundOutOnce) {
  const TemporaryDirectory directory;
  const std::string path = directory / "a.workload";
  Write(path, "first");
  FactsHere facts;
  const auto text = [&] {
    return Must(facts.For([&](Known& known) { return known.WorkloadOf(path); })).text;
  };
  EXPECT_EQ(text(), "first");
  Write(path, "second");
  EXPECT_EQ(text(), "first") << "one plan is of one moment";
  EXPECT_EQ(facts.facts().workloads.size(), 1u);
}

TEST(FactsHere, OfAFileAskNothingOfThisMachine) {
  const TemporaryDirectory directory;
  const std::string path = directory / "plan.json";
  const Facts there{.machine = MachineFacts{.memory_available_bytes = 5, .descriptor_limit = 6}};
  nlohmann::ordered_json json;
  json["facts"] = ToJson(there);
  Write(path, SealedText(json, 1));
  FactsHere facts = Must(FactsHere::FromFile(path));
  EXPECT_EQ(Must(facts.For([](Known& known) { return known.Machine(); })).descriptor_limit, 6u);
  EXPECT_THAT(UsageErrorOf(facts.For([](Known& known) { return known.PlugIns(); })),
              HasSubstr("the facts do not say which engines are installed"));
}

}  // namespace levelfield::facts_here_test
