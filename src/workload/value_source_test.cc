#include "workload/value_source.h"

#include <gtest/gtest.h>
#include <lz4.h>
#include <snappy.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "workload/key_format.h"

namespace levelfield::value_source_test {

constexpr size_t kLargest = 100'000;

const ValueSource& Source() {
  static const ValueSource source(0x5a17, kLargest, 0.5);
  return source;
}

std::vector<size_t> Sizes() {
  std::vector<size_t> sizes;
  for (size_t size = 16; size <= 300; ++size) sizes.push_back(size);
  sizes.insert(sizes.end(), {1000, 4096, kLargest});
  return sizes;
}

std::string Value(const ValueSource& source, uint64_t key, uint32_t version, size_t size) {
  std::string value(std::max(size, size_t{16}), '\0');
  source.Make(key, version, size, value.data());
  value.resize(size);
  return value;
}

std::optional<uint32_t> Check(const ValueSource& source, uint64_t key, const std::string& value) {
  return source.Check(key, {value.data(), value.size()});
}

TEST(ValueSource, ChecksWhatItMade) {
  for (const size_t size : Sizes()) {
    for (const uint64_t key : {uint64_t{0}, uint64_t{1}, uint64_t{9'999'999'999'999'999}}) {
      for (const uint32_t version : {0u, 1u, 2u, ~0u}) {
        ASSERT_EQ(Check(Source(), key, Value(Source(), key, version, size)), version) << size;
      }
    }
  }
}

TEST(ValueSource, WritesItsSizeAndNotBeyond) {
  for (const size_t size : Sizes()) {
    std::string bytes(size + 32, '#');
    Source().Make(7, 1, size, bytes.data());
    ASSERT_EQ(bytes.substr(size), std::string(32, '#')) << size;
  }
}

TEST(ValueSource, RefusesEveryFlippedByte) {
  for (const size_t size : Sizes()) {
    std::string value = Value(Source(), 42, 3, size);
    const size_t step = size > 5000 ? 977 : 1;
    for (size_t i = 0; i < size; i += step) {
      for (const int flip : {0x01, 0x80, 0xff}) {
        value[i] = static_cast<char>(value[i] ^ flip);
        ASSERT_FALSE(Check(Source(), 42, value).has_value()) << "byte " << i << " of " << size;
        value[i] = static_cast<char>(value[i] ^ flip);
      }
    }
    ASSERT_TRUE(Check(Source(), 42, value).has_value());
  }
}

TEST(ValueSource, RefusesTheValueOfAnotherKeyLengthOrStore) {
  const ValueSource other(0x5a18, kLargest, 0.5);
  for (const size_t size : Sizes()) {
    const std::string value = Value(Source(), 42, 3, size);
    for (const uint64_t key : {0, 41, 43, 42 + 1024}) {
      ASSERT_FALSE(Check(Source(), key, value).has_value()) << size;
    }
    ASSERT_FALSE(Check(other, 42, value).has_value()) << "another salt; " << size;
    ASSERT_FALSE(Check(Source(), 42, value + 'x').has_value()) << size;
    ASSERT_FALSE(Check(Source(), 42, value.substr(0, size - 1)).has_value()) << size;
    ASSERT_FALSE(Check(Source(), 42, value.substr(0, 15)).has_value());
  }
  EXPECT_FALSE(Check(Source(), 42, "").has_value());
}

TEST(ValueSource, RefusesAValueLongerThanAnyItMakes) {
  const ValueSource longer(0x5a17, kLargest + 1, 0.5);
  const std::string value = Value(longer, 42, 1, kLargest + 1);
  EXPECT_TRUE(Check(longer, 42, value).has_value());
  EXPECT_FALSE(Check(Source(), 42, value).has_value());
}

TEST(ValueSource, BelowAHeaderAValueIsItsTag) {
  const std::string whole = Value(Source(), 5, 1, 16);
  for (size_t size = 0; size < 16; ++size) {
    std::string bytes(32, '#');
    Source().Make(5, 1, size, bytes.data());
    EXPECT_EQ(bytes.substr(size), std::string(32 - size, '#')) << size;
  }
  EXPECT_NE(Value(Source(), 5, 1, 8), Value(Source(), 6, 1, 8));
  EXPECT_NE(Value(Source(), 5, 1, 8), Value(Source(), 5, 2, 8));
}

// An independent check from the header alone: the tag is Mix64 of key, version, length and salt.
// The body lies in the pool at the tag modulo 1 MiB, with the tag's last two bytes over it again
// and again.
bool CheckedAgain(uint64_t salt, std::string_view pool, uint64_t key, const std::string& value) {
  const auto little_endian = [&](size_t at, size_t bytes) {
    uint64_t number = 0;
    for (size_t i = bytes; i > 0; --i) {
      number = number << 8 | static_cast<unsigned char>(value[at + i - 1]);
    }
    return number;
  };
  uint64_t x = key * 0x9e3779b97f4a7c15 ^ (little_endian(8, 4) << 32 | little_endian(12, 4)) ^ salt;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  x ^= x >> 31;
  if (little_endian(0, 8) != x || little_endian(12, 4) != value.size()) return false;
  const size_t offset = x & 0xfffff;
  const size_t body = value.size() - 16;
  const size_t known = std::min(body, pool.size() - offset);  // The pool's end is unknown.
  for (size_t i = 0; i < known; ++i) {
    if (value[16 + i] != static_cast<char>(pool[offset + i] ^ value[6 + i % 2])) return false;
  }
  return true;
}

TEST(ValueSource, AnIndependentCheckAgrees) {
  for (const size_t size : Sizes()) {
    std::string value = Value(Source(), 1234567, 2, size);
    ASSERT_TRUE(CheckedAgain(0x5a17, Source().pool(), 1234567, value)) << size;
    ASSERT_FALSE(CheckedAgain(0x5a17, Source().pool(), 1234568, value)) << size;
    ASSERT_FALSE(CheckedAgain(0x5a18, Source().pool(), 1234567, value)) << size;
    value[9] = static_cast<char>(value[9] ^ 1);
    ASSERT_FALSE(CheckedAgain(0x5a17, Source().pool(), 1234567, value)) << size;
  }
}

TEST(ValueSource, ValuesOfOneKeyAndOfManyDiffer) {
  std::unordered_set<std::string> values;
  for (uint64_t key = 0; key < 1000; ++key) {
    for (uint32_t version = 1; version <= 10; ++version) {
      values.insert(Value(Source(), key, version, 100).substr(0, 8));
    }
  }
  EXPECT_EQ(values.size(), 10'000u);
}

// Eight bytes: among 2^20 random places the chance that any two agree in eight is 2^39 / 2^64,
// while four bytes agree in 128 pairs by chance. No compressor gains much from a match shorter than
// eight. Places that touch a run, two equal neighbours three times over, are left out.
TEST(ValueSource, ThePoolRepeatsNothingButItsRuns) {
  for (const double ratio : {0.25, 0.5, 1.0}) {
    const ValueSource source(1, 100, ratio);
    const std::string_view pool = source.pool();
    ASSERT_EQ(pool.size(), size_t{1} << 20);
    std::unordered_set<std::string_view> seen;
    size_t places = 0;
    for (size_t i = 0; i + 8 <= pool.size(); ++i) {
      const std::string_view place = pool.substr(i, 8);
      bool touches_run = false;
      for (size_t k = 0; k + 3 < 8; ++k) {
        touches_run |=
            place[k] == place[k + 1] && place[k] == place[k + 2] && place[k] == place[k + 3];
      }
      // The first bytes of a run, after the last random ones.
      touches_run |= i + 12 <= pool.size() && pool[i + 7] == pool[i + 8] &&
                     pool[i + 8] == pool[i + 9] && pool[i + 9] == pool[i + 10];
      touches_run |= place[0] == place[1] && place[1] == place[2];
      touches_run |= place[5] == place[6] && place[6] == place[7];
      if (touches_run) continue;
      ++places;
      ASSERT_TRUE(seen.insert(place).second) << "at " << i;
    }
    EXPECT_GT(static_cast<double>(places), static_cast<double>(pool.size()) * (ratio - 0.06));
  }
}

struct Compressor {
  const char* name;
  std::function<size_t(std::string_view)> size_of;
};

const std::vector<Compressor>& Compressors() {
  static const std::vector<Compressor> compressors = {
      {"Snappy",
       [](std::string_view raw) {
         std::string out;
         return snappy::Compress(raw.data(), raw.size(), &out);
       }},
      {"LZ4",
       [](std::string_view raw) {
         const int size = static_cast<int>(raw.size());
         std::string out(static_cast<size_t>(LZ4_compressBound(size)), '\0');
         return static_cast<size_t>(
             LZ4_compress_default(raw.data(), out.data(), size, static_cast<int>(out.size())));
       }},
      {"Zstd",
       [](std::string_view raw) {
         std::string out(ZSTD_compressBound(raw.size()), '\0');
         return ZSTD_compress(out.data(), out.size(), raw.data(), raw.size(), 3);
       }},
  };
  return compressors;
}

// As engines store values: block by block, raw if compressing does not help.
double Ratio(const Compressor& compressor, std::string_view raw, size_t block) {
  size_t stored = 0;
  for (size_t at = 0; at < raw.size(); at += block) {
    const std::string_view piece = raw.substr(at, block);
    stored += std::min(compressor.size_of(piece), piece.size());
  }
  return static_cast<double>(stored) / static_cast<double>(raw.size());
}

TEST(ValueSource, ThePoolIsAsCompressibleAsDeclaredForEachCompressor) {
  for (const double declared : {0.25, 0.5, 0.75, 1.0}) {
    const ValueSource source(1, 100, declared);
    for (const Compressor& compressor : Compressors()) {
      for (const size_t block : {size_t{4096}, size_t{65536}, size_t{1} << 20}) {
        EXPECT_NEAR(Ratio(compressor, source.pool(), block), declared, 0.03)
            << compressor.name << ", blocks of " << block;
      }
    }
  }
}

// The compressibility in an engine, with keys, headers and chance repeats. Printed because it is a
// figure to know: the four constant bytes of a header and most digits of a key compress.
TEST(ValueSource, TheStreamsCompressibilityIsMeasured) {
  for (const double declared : {0.25, 0.5, 0.75, 1.0}) {
    const ValueSource source(1, 1000, declared);
    for (const size_t value_size : {100, 1000}) {
      std::string stream;
      const KeyFormat format(16, 100'000'000);
      std::string entry(16 + value_size, '0');
      for (uint64_t index = 0; stream.size() < 1 << 20; ++index) {
        format.Format(std::span(&index, 1), entry.data());
        source.Make(index, 1, value_size, entry.data() + 16);
        stream += entry;
      }
      for (const size_t block : {4096, 65536}) {
        printf("declared %.2f, values of %4zu, blocks of %5zu:", declared, value_size, block);
        for (const Compressor& compressor : Compressors()) {
          const double ratio = Ratio(compressor, stream, block);
          printf("  %s %.3f", compressor.name, ratio);
          EXPECT_GT(ratio, declared - 0.25);
          EXPECT_LT(ratio, declared + 0.15);
        }
        printf("\n");
      }
    }
  }
}

// 32 MiB of values as a run writes them.
std::string ValuesOf(const ValueSource& source, size_t value_size) {
  std::string stream(size_t{32} << 20, '\0');
  size_t at = 0;
  for (uint64_t key = 0; at + value_size <= stream.size(); ++key, at += value_size) {
    source.Make(key, 1, value_size, stream.data() + at);
  }
  stream.resize(at);
  return stream;
}

// For a compressor that finds whatever it has seen before.
double LongRangeRatio(const std::string& raw) {
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                   ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, 1);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_enableLongDistanceMatching, 1);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, 25);
  std::string out(ZSTD_compressBound(raw.size()), '\0');
  const size_t size = ZSTD_compress2(context.get(), out.data(), out.size(), raw.data(), raw.size());
  EXPECT_FALSE(ZSTD_isError(size)) << ZSTD_getErrorName(size);
  return static_cast<double>(size) / static_cast<double>(raw.size());
}

// Within a block of 4 KiB values compress as declared, except for the headers of small values:
// docs/reference/limitations.md.
TEST(ValueSource, AStreamOfValuesIsAsCompressibleAsDeclaredInBlocks) {
  for (const double declared : {0.25, 0.5, 0.75, 1.0}) {
    const ValueSource source(1, 4096, declared);
    const std::string stream = ValuesOf(source, 4096).substr(0, 2 << 20);
    for (const Compressor& compressor : Compressors()) {
      EXPECT_NEAR(Ratio(compressor, stream, 4096), declared, 0.03)
          << compressor.name << ", declared " << declared;
    }
  }
}

// Each value of 100 bytes has a header, half of which is the same in all: 8 of 100 bytes.
TEST(ValueSource, AStreamOfValuesRepeatsNothingToALongMemory) {
  for (const auto& [declared, value_size] :
       {std::pair(1.0, 1000), {1.0, 4096}, {0.5, 4096}, {1.0, 100}}) {
    const ValueSource source(1, 4096, declared);
    const std::string stream = ValuesOf(source, static_cast<size_t>(value_size));
    const double ratio = LongRangeRatio(stream);
    printf("declared %.2f, long range, values of %4d: %.3f\n", declared, value_size, ratio);
    const double constant_part = value_size == 100 ? 0.08 : 0;
    EXPECT_GT(ratio, declared - constant_part - 0.03) << value_size;
  }
}

// The control: values that are the pool's bytes unchanged.
TEST(ValueSource, ALongMemoryFindsSlicesOfThePoolAgain) {
  const ValueSource source(1, 4096, 1.0);
  for (const size_t value_size : {1000, 4096}) {
    Random random(1);
    std::string stream;
    while (stream.size() < size_t{32} << 20) {
      stream += source.pool().substr(random.Below(source.pool().size() - value_size), value_size);
    }
    EXPECT_LT(LongRangeRatio(stream), 0.2);
  }
}

}  // namespace levelfield::value_source_test
