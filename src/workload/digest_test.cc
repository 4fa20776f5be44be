#include "workload/digest.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

namespace levelfield::digest_test {

lf_bytes Bytes(const std::string& text) { return {text.data(), text.size()}; }

std::string RandomBytes(size_t size, uint64_t seed) {
  Random random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random.Next());
  return bytes;
}

uint64_t DigestOf(const std::vector<std::pair<std::string, uint64_t>>& values) {
  Digest digest;
  for (const auto& [value, key] : values) digest.Add(Bytes(value), key);
  return digest.Value();
}

void ExpectEveryFlippedBitChangesIt(size_t size) {
  std::string value = RandomBytes(size, size);
  const std::string another = RandomBytes(77, 1);
  const auto digest_of_all = [&] {
    Digest digest;
    digest.Add(Bytes(another), 3);
    digest.Add(Bytes(value), 5);
    return digest.Value();
  };
  const uint64_t right = digest_of_all();
  for (size_t i = 0; i < size; ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      value[i] = static_cast<char>(value[i] ^ (1 << bit));
      ASSERT_NE(digest_of_all(), right) << "byte " << i << " of " << size << ", bit " << bit;
      value[i] = static_cast<char>(value[i] ^ (1 << bit));
    }
  }
}

TEST(Digest, EveryFlippedBitOfAValueChangesIt) {
  for (size_t size = 0; size <= 300; ++size) ExpectEveryFlippedBitChangesIt(size);
  ExpectEveryFlippedBitChangesIt(1000);
  ExpectEveryFlippedBitChangesIt(4096);
}

TEST(Digest, AValueCutShortChangesIt) {
  for (size_t size = 1; size <= 300; ++size) {
    const std::string value = RandomBytes(size, 4);
    EXPECT_NE(DigestOf({{value, 5}}), DigestOf({{value.substr(0, size - 1), 5}})) << size;
  }
}

// From eight bytes on: values of one byte differ in too few bits to be told apart for certain.
TEST(Digest, ValuesThatChangedPlacesChangeIt) {
  for (const size_t size : {8, 15, 16, 31, 32, 33, 64, 96, 100, 128, 129, 1000}) {
    for (uint64_t key = 1; key < 1000; key += 7) {
      const std::string a = RandomBytes(size, key);
      const std::string b = RandomBytes(size, ~key);
      ASSERT_NE(DigestOf({{a, key}, {b, key + 1}}), DigestOf({{b, key}, {a, key + 1}}))
          << size << ", key " << key;
    }
  }
}

TEST(Digest, TheValueOfAnotherKeyChangesIt) {
  const std::string value = RandomBytes(100, 1);
  std::set<uint64_t> digests;
  for (uint64_t key = 0; key < 1000; ++key) digests.insert(DigestOf({{value, key}}));
  EXPECT_EQ(digests.size(), 1000u);
}

// An engine that flipped bit 2 of every hundredth value went unnoticed: up in five of them, down in
// five, and the sum was the same. Now two flips of one bit go unnoticed only if it is the top bit
// of a lane and the totals between them happen to balance, about once in a thousand. One flip never
// does.
TEST(Digest, OneBitFlippedUpInOneValueAndDownInAnotherChangesIt) {
  Random random(1);
  int unnoticed = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::pair<std::string, uint64_t>> values;
    for (uint64_t key = 0; key < 200; ++key) values.emplace_back(RandomBytes(100, key), key);
    const uint64_t right = DigestOf(values);
    const size_t byte = random.Below(100);
    const auto bit = static_cast<char>(1 << random.Below(8));
    for (int flip = 0; flip < 2; ++flip) {
      std::string& value = values[random.Below(100) + static_cast<size_t>(flip) * 100].first;
      value[byte] = static_cast<char>(value[byte] ^ bit);
    }
    unnoticed += DigestOf(values) == right ? 1 : 0;
  }
  EXPECT_LE(unnoticed, 6);
}

TEST(Digest, AnswersInAnotherOrderChangeIt) {
  std::vector<std::pair<std::string, uint64_t>> values;
  for (uint64_t key = 0; key < 500; ++key) values.emplace_back(RandomBytes(key, key), key * 31);
  const uint64_t forwards = DigestOf(values);
  std::ranges::reverse(values);
  EXPECT_NE(DigestOf(values), forwards);
}

TEST(Digest, AnAnswerTwiceIsNotAnAnswerOnce) {
  const std::string value = RandomBytes(100, 1);
  EXPECT_NE(DigestOf({{value, 1}}), DigestOf({{value, 1}, {value, 1}}));
  EXPECT_NE(DigestOf({{value, 1}}), DigestOf({}));
}

#if defined(__x86_64__)
[[gnu::target("avx2,bmi,bmi2,lzcnt")]] uint64_t DigestAvx2(const std::string& value, uint64_t key) {
  Digest digest;
  digest.Add(Bytes(value), key);
  return digest.Value();
}

TEST(Digest, IsTheSameWithAndWithoutAvx2) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP();
  for (size_t size = 0; size <= 1100; ++size) {
    const std::string value = RandomBytes(size, size);
    ASSERT_EQ(DigestAvx2(value, size * 77), DigestOf({{value, size * 77}})) << size;
  }
}
#endif

// Three pages; only the middle one may be touched.
class Fenced {
 public:
  Fenced()
      : page_(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
        all_(static_cast<char*>(
            mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    EXPECT_EQ(mprotect(all_ + page_, page_, PROT_READ | PROT_WRITE), 0);
    std::memset(all_ + page_, 'x', page_);
  }
  ~Fenced() { munmap(all_, 3 * page_); }
  lf_bytes First(size_t size) const { return {all_ + page_, size}; }
  lf_bytes Last(size_t size) const { return {all_ + 2 * page_ - size, size}; }

 private:
  size_t page_;
  char* all_;
};

TEST(Digest, ReadsNothingOutsideTheValue) {
  const Fenced fenced;
  for (size_t size = 0; size <= 4096; ++size) {
    Digest first;
    first.Add(fenced.First(size), 1);
    Digest last;
    last.Add(fenced.Last(size), 1);
    ASSERT_EQ(first.Value(), last.Value()) << size;
  }
  Digest nothing;
  nothing.Add({nullptr, 0}, 1);
}

}  // namespace levelfield::digest_test
