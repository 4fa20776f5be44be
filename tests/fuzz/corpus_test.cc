// The inputs that were written or found for the fuzz targets, among them each that has once broken
// something, given to them by an ordinary build: `make test` knows what `make fuzz` has learned.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>

#include "base/files_for_test.h"
#include "targets.h"

namespace levelfield::fuzz {
namespace {

namespace fs = std::filesystem;

// A hang is what takes more than a second; machines that run tests have other things to do as well.
constexpr std::chrono::seconds kHang(LEVELFIELD_IS_SANITIZED ? 20 : 5);

void Replay(const char* corpus, const std::function<void(std::string_view)>& target) {
  size_t inputs = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(CORPUS) / corpus)) {
    SCOPED_TRACE(entry.path().string());
    const auto begin = std::chrono::steady_clock::now();
    target(Read(entry.path()));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kHang);
    ++inputs;
  }
  EXPECT_GT(inputs, 2u) << "the corpus is gone";
}

TEST(Fuzz, CorpusOfWorkloadFilesIsSurvived) { Replay("workload_files", WorkloadFiles); }
TEST(Fuzz, CorpusOfSuiteFilesIsSurvived) { Replay("suite_files", SuiteFiles); }
TEST(Fuzz, CorpusOfResultFilesIsSurvived) { Replay("result_files", ResultFiles); }
TEST(Fuzz, CorpusOfDurabilityFilesIsSurvived) { Replay("durability_files", DurabilityFiles); }
TEST(Fuzz, CorpusOfFlagsIsSurvived) { Replay("flags", Flags); }
TEST(Fuzz, CorpusOfHistogramsIsSurvived) { Replay("histograms", Histograms); }
TEST(Fuzz, CorpusOfEngineDescriptionsIsSurvived) {
  Replay("engine_descriptions", EngineDescriptions);
}
TEST(Fuzz, CorpusOfStoreMarkersIsSurvived) { Replay("store_markers", StoreMarkers); }
TEST(Fuzz, CorpusOfTracesIsSurvived) { Replay("traces", Traces); }

TEST(FuzzDeathTest, AControlCharacterInATextForPeopleEndsTheTarget) {
  MustBePlain("a table\twith a tab\n");
  EXPECT_DEATH(MustBePlain("red \x1b[31m"), "a control character");
  EXPECT_DEATH(MustBePlain("red \xc2\x9b"
                           "31m"),
               "a control character");
}

}  // namespace
}  // namespace levelfield::fuzz
