#include "durability/volatile_image.h"

#include <gtest/gtest.h>

#include <string>

namespace levelfield::volatile_image_test {

constexpr uint64_t kSector = VolatileImage::kSectorBytes;
constexpr uint64_t kSectors = 4096;

std::string Sectors(uint64_t count, char c) { return std::string(count * kSector, c); }

uint64_t CountOf(const SparseMemory& memory, char c) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < memory.size(); i += kSector) count += memory.data()[i] == c ? 1 : 0;
  return count;
}

SparseMemory AfterCut(const VolatileImage& image, double survives, uint64_t seed) {
  SparseMemory left(image.size());
  image.WriteAfterCut(survives, seed, left.data());
  return left;
}

// Old values are flushed, new ones are not.
VolatileImage OldFlushedNewNot() {
  VolatileImage image(kSectors * kSector);
  image.Write(0, Sectors(kSectors, 'o'));
  image.Flush();
  image.Write(0, Sectors(kSectors, 'n'));
  return image;
}

TEST(VolatileImage, ReadsBackWhatWasWrittenFlushedOrNot) {
  VolatileImage image = OldFlushedNewNot();
  EXPECT_EQ(image.Read(kSector, kSector), Sectors(1, 'n'));
  image.WriteZeros(kSector, kSector);
  EXPECT_EQ(image.Read(kSector, kSector), Sectors(1, '\0'));
  EXPECT_EQ(image.Read(2 * kSector, kSector), Sectors(1, 'n'));
}

TEST(VolatileImage, LosesWhatIsNotFlushedAndNothingElse) {
  VolatileImage image = OldFlushedNewNot();
  EXPECT_EQ(image.unflushed_sectors(), kSectors);
  EXPECT_EQ(CountOf(AfterCut(image, 0, 1), 'o'), kSectors);
  EXPECT_EQ(CountOf(AfterCut(image, 1, 1), 'n'), kSectors);
  image.Flush();
  EXPECT_EQ(image.unflushed_sectors(), 0u);
  EXPECT_EQ(CountOf(AfterCut(image, 0, 1), 'n'), kSectors);
}

TEST(VolatileImage, KeepsEachSectorByChanceAndTheSameOnesForASeed) {
  const VolatileImage image = OldFlushedNewNot();
  const SparseMemory left = AfterCut(image, 0.3, 7);
  EXPECT_NEAR(static_cast<double>(CountOf(left, 'n')), 0.3 * kSectors, 150);  // Five sigma.
  EXPECT_EQ(CountOf(left, 'n') + CountOf(left, 'o'), kSectors);
  const auto bytes = [](const SparseMemory& memory) {
    return std::string_view(memory.data(), memory.size());
  };
  EXPECT_EQ(bytes(left), bytes(AfterCut(image, 0.3, 7)));
  EXPECT_NE(bytes(left), bytes(AfterCut(image, 0.3, 8)));
}

TEST(VolatileImage, ALaterWriteDoesNotChangeWhatACutHasLeft) {
  VolatileImage image = OldFlushedNewNot();
  const SparseMemory left = AfterCut(image, 1, 1);
  image.Write(0, Sectors(kSectors, 'x'));
  image.Flush();
  EXPECT_EQ(CountOf(left, 'n'), kSectors);
}

// A page of zeros takes no memory, but is lost and kept like any other.
TEST(VolatileImage, MayLoseZeros) {
  constexpr uint64_t kHoles = kSectors - 3;  // They neither begin nor end with a page.
  VolatileImage image(kSectors * kSector);
  image.Write(0, Sectors(kSectors, 'o'));
  image.Flush();
  image.WriteZeros(kSector, kHoles * kSector);
  EXPECT_EQ(image.Read(0, 2 * kSector), Sectors(1, 'o') + Sectors(1, '\0'));
  EXPECT_EQ(CountOf(AfterCut(image, 0, 1), 'o'), kSectors);
  EXPECT_EQ(CountOf(AfterCut(image, 1, 1), '\0'), kHoles);
  EXPECT_EQ(CountOf(AfterCut(image, 1, 1), 'o'), kSectors - kHoles);
  image.Flush();
  EXPECT_EQ(CountOf(AfterCut(image, 0, 1), '\0'), kHoles);
  image.Write(kSector, Sectors(kHoles, 'n'));
  EXPECT_EQ(CountOf(AfterCut(image, 0, 1), '\0'), kHoles);
  EXPECT_EQ(CountOf(AfterCut(image, 1, 1), 'n'), kHoles);
}

TEST(VolatileImage, TearsWithinAPageOfTheFileSystem) {
  VolatileImage image(kSectors * kSector);
  image.Write(3 * kSector, Sectors(2, 'n'));
  EXPECT_EQ(image.unflushed_sectors(), 2u);
  bool torn = false;
  for (uint64_t seed = 0; seed < 20; ++seed) torn |= CountOf(AfterCut(image, 0.5, seed), 'n') == 1;
  EXPECT_TRUE(torn);
}

}  // namespace levelfield::volatile_image_test
