// What every cache must do, asked of those of the build through their table; and of broken ones,
// each of which must fail the claim that is meant for it.

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/matchers_for_test.h"
#include "base/status_for_test.h"
#include "engine/loader.h"

namespace levelfield {
namespace {

constexpr uint64_t kCapacity = 1 << 16;
constexpr size_t kCharge = 64;

std::atomic<uint64_t> let_go{0};
void CountLetGo(const lf_bytes*, void*) { ++let_go; }

// A cache and the few calls that the claims are made of; keys are numbers in 16 bytes.
class Cache {
 public:
  explicit Cache(const lf_cache_table& table, uint64_t capacity = kCapacity) : table_(table) {
    const lf_cache_options options = {
        .struct_bytes = sizeof(lf_cache_options),
        .capacity = capacity,
        .shard_bits = table.fixed_shard_bits >= 0 ? table.fixed_shard_bits : 2,
        .entry_charge = kCharge,
        .charge_metadata = 0};
    if (table.create(&options, &cache_) != LF_OK) throw std::runtime_error(table.last_error());
  }
  ~Cache() {
    if (cache_ != nullptr) Destroy();
  }
  void Destroy() {
    table_.destroy(cache_);
    cache_ = nullptr;
  }

  bool Insert(uint64_t key, uint64_t value, lf_cache_handle** handle = nullptr) {
    const Key bytes(key);
    return table_.insert(cache_, bytes.view(), reinterpret_cast<void*>(value), kCharge, CountLetGo,
                         handle) == LF_OK;
  }
  // 0: not there.
  uint64_t Find(uint64_t key) {
    void* value = nullptr;
    lf_cache_handle* const handle = Hold(key, &value);
    if (handle == nullptr) return 0;
    Release(handle);
    return reinterpret_cast<uint64_t>(value);
  }
  lf_cache_handle* Hold(uint64_t key, void** value) {
    const Key bytes(key);
    return table_.lookup(cache_, bytes.view(), value);
  }
  void Release(lf_cache_handle* handle) { table_.release(cache_, handle); }
  void Erase(uint64_t key) {
    const Key bytes(key);
    table_.erase(cache_, bytes.view());
  }
  uint64_t Usage() { return table_.usage(cache_); }

 private:
  struct Key {
    explicit Key(uint64_t key) : words{key, ~key} {}
    lf_bytes view() const { return {reinterpret_cast<const char*>(words), sizeof words}; }
    uint64_t words[2];
  };

  const lf_cache_table& table_;
  lf_cache* cache_ = nullptr;
};

// Each claim is a function that says what is wrong; empty: it holds.
using Claim = std::function<std::string(const lf_cache_table&)>;

std::string WhatIsInsertedIsFoundAndReplacedAndErased(const lf_cache_table& table) {
  Cache cache(table);
  for (uint64_t key = 0; key < 100; ++key) {
    if (cache.Find(key) != 0) return "found what was never inserted";
    if (!cache.Insert(key, key + 1000)) return "an insert failed";
  }
  for (uint64_t key = 0; key < 100; ++key) {
    if (cache.Find(key) != key + 1000) return "another value";
  }
  const uint64_t expected = table.keeps_first != 0 ? 1007 : 5;
  if (!cache.Insert(7, 5) || cache.Find(7) != expected) return "another value than its table says";
  cache.Erase(7);
  if (cache.Find(7) != 0) return "still there after its erase";
  cache.Erase(7);
  if (cache.Find(8) != 1008) return "an erase took another key along";
  return "";
}

std::string ManyLookupsGiveTheRightValue(const lf_cache_table& table) {
  Cache cache(table);
  for (uint64_t key = 0; key < 200; ++key) (void)cache.Insert(key, key + 1);
  for (uint64_t n = 0; n < 2000; ++n) {
    const uint64_t found = cache.Find(n % 200);
    if (found != n % 200 + 1) return "another value";
  }
  return "";
}

std::string TheChargesStayWithinTheCapacity(const lf_cache_table& table) {
  Cache cache(table);
  const uint64_t fit = kCapacity / kCharge;
  for (uint64_t key = 0; key < 10 * fit; ++key) {
    (void)cache.Insert(key, 1);
    // A shard rounds up.
    if (cache.Usage() > kCapacity + 16 * kCharge) return "over its capacity";
  }
  uint64_t there = 0;
  for (uint64_t key = 0; key < 10 * fit; ++key) there += cache.Find(key) != 0 ? 1 : 0;
  if (there * kCharge > kCapacity + 16 * kCharge) return "keeps more than its capacity";
  if (there < fit / 2) return "keeps less than half of its capacity";
  return "";
}

std::string AHeldValueOutlivesItsErase(const lf_cache_table& table) {
  Cache cache(table);
  lf_cache_handle* first = nullptr;
  const uint64_t before = let_go;
  if (!cache.Insert(1, 10, &first) || first == nullptr) return "gave no handle";
  void* value = nullptr;
  lf_cache_handle* const second = cache.Hold(1, &value);
  if (second == nullptr || value != reinterpret_cast<void*>(10)) return "cannot be held twice";
  cache.Erase(1);
  (void)cache.Insert(1, 11);
  if (cache.Find(1) != 11) return "the new value is not found";
  if (let_go != before) return "let go while it was held";
  cache.Release(first);
  if (let_go != before) return "let go while it was held once more";
  cache.Release(second);
  if (let_go != before + 1) return "not let go when nobody held it";
  return "";
}

std::string EveryValueIsLetGoOnce(const lf_cache_table& table) {
  const uint64_t before = let_go;
  Cache cache(table, kCapacity / 4);
  for (uint64_t key = 0; key < 3000; ++key) (void)cache.Insert(key % 1500, 1);
  for (uint64_t key = 0; key < 1500; key += 3) cache.Erase(key);
  cache.Destroy();
  return let_go == before + 3000 ? "" : "other than 3000 values were let go";
}

std::string ThreadsFindWhatIsTheirs(const lf_cache_table& table) {
  const uint64_t before = let_go;
  std::atomic<uint64_t> inserted{0};
  std::atomic<uint64_t> wrong{0};
  Cache cache(table);
  {
    std::vector<std::jthread> threads;
    for (uint64_t thread = 0; thread < 4; ++thread) {
      threads.emplace_back([&, thread] {
        for (uint64_t n = 0; n < 20'000; ++n) {
          const uint64_t key = (n * 7919 + thread) % 3000;
          if (n % 10 == 0) cache.Erase(key);
          const uint64_t found = cache.Find(key);
          if (found == 0 && cache.Insert(key, key + 1)) ++inserted;
          if (found != 0 && found != key + 1) ++wrong;
        }
      });
    }
  }
  cache.Destroy();
  if (wrong != 0) return "another value";
  return let_go == before + inserted ? "" : "not every value was let go once";
}

const std::map<std::string, Claim>& Claims() {
  static const std::map<std::string, Claim> claims = {
      {"WhatIsInsertedIsFoundAndReplacedAndErased", WhatIsInsertedIsFoundAndReplacedAndErased},
      {"ManyLookupsGiveTheRightValue", ManyLookupsGiveTheRightValue},
      {"TheChargesStayWithinTheCapacity", TheChargesStayWithinTheCapacity},
      {"AHeldValueOutlivesItsErase", AHeldValueOutlivesItsErase},
      {"EveryValueIsLetGoOnce", EveryValueIsLetGoOnce},
      {"ThreadsFindWhatIsTheirs", ThreadsFindWhatIsTheirs},
  };
  return claims;
}

class CacheConformance : public ::testing::TestWithParam<std::tuple<const char*, std::string>> {};

TEST_P(CacheConformance, Holds) {
  const auto& [cache, claim] = GetParam();
  const lf_cache_table* const table = Must(LoadCache(CACHES, cache));
  EXPECT_EQ(Claims().at(claim)(*table), "");
}

std::vector<std::string> ClaimNames() {
  std::vector<std::string> names;
  for (const auto& [name, claim] : Claims()) names.push_back(name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(
    All, CacheConformance,
    ::testing::Combine(::testing::Values("leveldb_lru", "rocksdb_lru", "rocksdb_hyper_clock",
                                         "rocksdb_auto_hyper_clock", "rocksdb_lru@system",
                                         "rocksdb_hyper_clock@system", "sharded_map"),
                       ::testing::ValuesIn(ClaimNames())),
    [](const auto& test) {
      std::string name = std::get<0>(test.param) + ("_" + std::get<1>(test.param));
      std::ranges::replace(name, '@', '_');
      return name;
    });

TEST(Caches, AreAllInTheFolderAndTellTheirLibrary) {
  EXPECT_THAT(FindCaches(CACHES), ElementsAre("leveldb_lru", "rocksdb_auto_hyper_clock",
                                              "rocksdb_hyper_clock", "rocksdb_hyper_clock@system",
                                              "rocksdb_lru", "rocksdb_lru@system", "sharded_map"));
  for (const char* const name : {"leveldb_lru", "rocksdb_lru", "rocksdb_hyper_clock",
                                 "rocksdb_auto_hyper_clock", "rocksdb_lru@system"}) {
    const lf_cache_table* const table = Must(LoadCache(CACHES, name));
    std::map<std::string, std::string> facts;
    for (const auto& [fact, value] : FactsOf(*table)) facts[fact] = value;
    EXPECT_FALSE(facts["version"].empty());
    EXPECT_TRUE(std::filesystem::exists(facts["library"])) << facts["library"];
    // Asked of the library itself: Debian's RocksDB is compiled with assertions, and no other.
    EXPECT_EQ(facts["assertions"] == "on", std::string(name).ends_with("@system"));
    EXPECT_EQ(facts.contains("warning"), facts["assertions"] == "on");
  }
}

struct Fault {
  const char* cache;
  const char* claim;
};

class CacheFault : public ::testing::TestWithParam<Fault> {};

TEST_P(CacheFault, IsFoundByTheClaimThatIsMeantForIt) {
  const lf_cache_table* const table = Must(LoadCache(BROKEN_CACHES, GetParam().cache));
  EXPECT_NE(Claims().at(GetParam().claim)(*table), "");
}

INSTANTIATE_TEST_SUITE_P(
    All, CacheFault,
    ::testing::Values(Fault{"swapping", "ManyLookupsGiveTheRightValue"},
                      Fault{"keeping", "WhatIsInsertedIsFoundAndReplacedAndErased"},
                      Fault{"hasty", "AHeldValueOutlivesItsErase"},
                      Fault{"leaking", "EveryValueIsLetGoOnce"},
                      Fault{"hoarding", "TheChargesStayWithinTheCapacity"}),
    [](const auto& test) { return std::string(test.param.cache) + "_" + test.param.claim; });

}  // namespace
}  // namespace levelfield
