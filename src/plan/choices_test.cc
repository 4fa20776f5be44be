// The words that the table of flags offers, against what makes something of them: a word that is
// offered and unknown there would mean something else in silence.

#include <algorithm>

#include "base/matchers_for_test.h"
#include "engine/options.h"
#include "file_system/file_system_kind.h"
#include "loop/load_model.h"
#include "settings/dialects/dialect.h"
#include "settings/settings.h"
#include "workload/key_distribution.h"
#include "workload/key_format.h"

namespace levelfield::choices_test {

using ::testing::ElementsAreArray;

std::vector<std::string> Of(const std::string& name) {
  const Flag* const flag = FindFlag(name);
  return flag == nullptr ? std::vector<std::string>() : ChoicesOf(*flag);
}

TEST(Choices, AreKnownToWhatMakesSomethingOfThem) {
  for (const std::string& word : Of("key_format")) EXPECT_TRUE(FromName<KeyKind>(word)) << word;
  for (const char* const flag : {"key_distribution", "ycsb_requests"}) {
    for (const std::string& word : Of(flag)) EXPECT_TRUE(DistributionKindOf(word)) << word;
  }
  for (const std::string& word : Of("dialect")) {
    const auto is_it = [&](const Dialect* dialect) { return dialect->name == word; };
    EXPECT_TRUE(std::ranges::any_of(Dialects(), is_it)) << word;
  }
  for (const std::string& word : Of("fs")) EXPECT_NE(FileSystemKindOf(word), nullptr) << word;
  EXPECT_THAT(Of("durability"), ElementsAreArray(kDurabilityClasses));
  EXPECT_THAT(Of("arrival"),
              ElementsAreArray({ArrivalName(Arrival::kPoisson), ArrivalName(Arrival::kConstant)}));
}

TEST(Choices, AreAllThatThereIs) {
  std::string kinds;
  for (const std::string& word : Of("fs")) kinds += (kinds.empty() ? "" : ", ") + word;
  EXPECT_EQ(kinds, FileSystemKinds());
  EXPECT_EQ(Of("dialect").size(), Dialects().size());
  EXPECT_EQ(Of("key_format").size(), static_cast<size_t>(KeyKind::kRocksDb) + 1);
  EXPECT_THAT(Of("key_distribution"), UnorderedElementsAreArray(DistributionNames()));
}

}  // namespace levelfield::choices_test
