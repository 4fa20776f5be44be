#include "operations/machine.h"

#include <memory>
#include <string>
#include <vector>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "workload/value_source.h"

namespace levelfield::machine_test {

constexpr lf_bytes kNoBytes = {};
constexpr NumberedKey kNoKey = {kNoBytes, 0};

TEST(CompressionCodec, EachGivesBackWhatItCompressed) {
  const ValueSource values(1, 100, 0.5);
  for (const char* name : {"snappy", "zstd", "lz4"}) {
    const auto codec = Must(LoadCodec(name));
    EXPECT_THAT(codec.library, HasSubstr(std::string("lib") + name));
    for (const size_t size : {1, 100, 4096, 1 << 20}) {
      const std::string_view block = values.pool().substr(0, size);
      std::vector<char> compressed(codec.bound(size));
      const size_t compressed_size = codec.compress(block, compressed.data(), compressed.size());
      ASSERT_GT(compressed_size, 0u) << name;
      if (size >= 4096) {
        EXPECT_LT(compressed_size, size * 6 / 10) << name << ": the pool has a ratio of 0.5";
      }
      std::string back(size, '\0');
      EXPECT_EQ(codec.uncompress({compressed.data(), compressed_size}, back.data(), back.size()),
                size);
      EXPECT_EQ(back, block) << name;
    }
  }
}

TEST(CompressionCodec, WhatIsNoCompressedBlockIsRefused) {
  const std::string junk(100, '\xff');
  std::vector<char> out(1000);
  for (const char* name : {"snappy", "zstd", "lz4"}) {
    EXPECT_EQ(Must(LoadCodec(name)).uncompress(junk, out.data(), out.size()), 0u) << name;
  }
  EXPECT_FALSE(LoadCodec("zip").ok());
}

TEST(SharedLibrary, WhatIsMissingIsNamedWithTheLoadersReason) {
  SharedLibrary none("libnosuchlibrary.so.1", "");
  EXPECT_EQ(none.status().kind(), ErrorKind::kUsage);
  EXPECT_THAT(none.status().message(), HasSubstr("libnosuchlibrary.so.1 cannot be loaded: "));
  SharedLibrary zstd("libzstd.so.1", "libzstd1");
  EXPECT_TRUE(zstd.status().ok());
  EXPECT_EQ(zstd.Find<int()>("no_such_function"), nullptr);
  EXPECT_THAT(zstd.status().message(), HasSubstr("no_such_function"));
}

TEST(Checksum, IsCrc32cAsTheRfcHasIt) {
  const auto checksum = Must(LoadCrc32c());
  // RFC 3720, B.4.
  const std::string zeros(32, '\0');
  const std::string ones(32, '\xff');
  EXPECT_EQ(Crc32cBitByBit(zeros), 0x8a9136aau);
  EXPECT_EQ(Crc32cBitByBit(ones), 0x62a8ab43u);
  EXPECT_EQ(checksum.of(zeros), 0x8a9136aau);
  EXPECT_EQ(checksum.of(ones), 0x62a8ab43u);
  for (const size_t size : {0, 1, 7, 100, 4096, 100'001}) {
    const std::string text(size, 'x');
    EXPECT_EQ(checksum.of(text), Crc32cBitByBit(text)) << size;
  }
}

enum class Lie { kBytes, kSize, kFailure };

// Copies, but lies from the `lie_at`-th call on.
CompressionCodec Liar(Lie lie, int lie_at) {
  const auto copy = [=, calls = std::make_shared<int>(0)](std::string_view in, char* out,
                                                          size_t capacity) -> size_t {
    const size_t size = in.copy(out, capacity);
    if (++*calls < lie_at) return size;
    if (lie == Lie::kBytes) out[size / 2] = 'L';
    return lie == Lie::kBytes ? size : lie == Lie::kSize ? size - 1 : 0;
  };
  return {"libliar.so.1", [](size_t size) { return size; }, copy, copy};
}

TEST(CodecOperation, WhatALibraryDoesWrongIsCounted) {
  const std::string block(4096, 'b');
  for (const bool uncompresses : {false, true}) {
    const auto wrong = [&](Lie lie, int lie_at) {
      CodecOperation operation(Liar(lie, lie_at), block, uncompresses);
      for (int i = 0; i < 10; ++i) EXPECT_EQ(operation.Call(kNoKey), LF_OK);
      const OperationCounts counts = operation.counts(10);
      EXPECT_EQ(counts.hits + counts.wrong, 10u);
      EXPECT_EQ(counts.bytes, 40960u);
      return counts.wrong;
    };
    EXPECT_EQ(wrong(Lie::kBytes, 1000), 0u);
    EXPECT_EQ(wrong(Lie::kBytes, 5), 1u) << "the last output shows it";
    EXPECT_EQ(wrong(Lie::kSize, 5), 7u);
    CodecOperation operation(Liar(Lie::kFailure, 5), block, uncompresses);
    int done = 0;
    while (operation.Call(kNoKey) == LF_OK) ++done;
    EXPECT_EQ(done, 3) << "the first call was for the block itself";
    EXPECT_THAT(operation.Error(), HasSubstr("libliar.so.1 failed to "));
  }
}

TEST(CompressRejectOperation, CountsWhatALibraryTakesAllTheSame) {
  const std::string block(1000, 'a');
  // Into whatever room there is.
  CompressRejectOperation taken(Liar(Lie::kSize, 1000), block);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(taken.Call(kNoKey), LF_OK);
  EXPECT_EQ(taken.counts(5).wrong, 5u);

  const auto lz4 = Must(LoadCodec("lz4"));
  CompressRejectOperation rejected(lz4, block);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(rejected.Call(kNoKey), LF_OK);
  EXPECT_EQ(rejected.counts(5), (OperationCounts{.operations = 5, .hits = 5, .bytes = 5000}));

  CompressRejectOperation failed(Liar(Lie::kFailure, 1), block);
  EXPECT_EQ(failed.Call(kNoKey), LF_UNSUPPORTED);
  EXPECT_THAT(failed.Error(), HasSubstr("libliar.so.1 failed to compress"));
}

TEST(MachineOperations, SayWhatTheyDid) {
  const auto checksum = Must(LoadCrc32c());
  const std::string block(4096, 'x');
  ChecksumOperation sums(checksum, block, Crc32cBitByBit(block), "as it is");
  AcquireLoadOperation loads;
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(sums.Call(kNoKey), LF_OK);
    EXPECT_EQ(loads.Call(kNoKey), LF_OK);
  }
  EXPECT_EQ(sums.counts(3),
            (OperationCounts{
                .operations = 3, .hits = 3, .bytes = 3 * 4096, .digest = Crc32cBitByBit(block)}));
  EXPECT_EQ(sums.Note(), "4K per op");
  EXPECT_EQ(loads.counts(3), (OperationCounts{.operations = 3, .hits = 3}));
  EXPECT_EQ(loads.Note(), "each op is 1000 loads");
}

}  // namespace levelfield::machine_test
