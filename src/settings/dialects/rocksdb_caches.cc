#include "settings/dialects/rocksdb_caches.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>

#include "base/quote.h"

namespace levelfield {

// As the original's validators. With more RocksDB has no cache at all, or ends the process.
Status CheckRocksDbShards(const RocksDbGiven& given, const std::string& name, int least) {
  constexpr int kMost = 19;
  const auto it = given.find(name);
  if (it == given.end()) return Status::Ok();
  int bits = 0;
  const char* const end = it->second.data() + it->second.size();
  const auto [at, error] = std::from_chars(it->second.data(), end, bits);
  if (error == std::errc() && at == end && bits >= least && bits <= kMost) return Status::Ok();
  return Status::Usage(fmt::format(
      "--{}={}: from {} to {} is accepted, as 2^{} shards are the most that RocksDB has", name,
      Printable(it->second), least, kMost, kMost));
}

Status DeriveRocksDbCaches(const RocksDbGiven& given, std::vector<std::string>& words) {
  ASSIGN_OR_RETURN(const uint64_t bytes_of_blocks, BytesOf(given, "cache_size", 1));
  if (bytes_of_blocks == 0) words.emplace_back("--rocksdb.no_block_cache=1");
  if (const std::string bytes = ValueOr(given, "compressed_cache_size", "-1"); bytes != "-1") {
    ASSIGN_OR_RETURN(const uint64_t size, BytesOf(given, "compressed_cache_size", 0));
    // As the cache of blocks, of which the original makes it.
    if (size != 0) {
      words.push_back(
          fmt::format("--rocksdb.block_cache_compressed={{capacity={};num_shard_bits={};"
                      "high_pri_pool_ratio={};low_pri_pool_ratio={}}}",
                      size, ValueOr(given, "cache_numshardbits", "-1"),
                      ValueOr(given, "cache_high_pri_pool_ratio", "0.0"),
                      ValueOr(given, "cache_low_pri_pool_ratio", "0.0")));
    }
  }
  RETURN_IF_ERROR(CheckRocksDbShards(given, "blob_cache_numshardbits", -1));
  if (!IsOn(given, "use_blob_cache")) return Status::Ok();
  if (ValueOr(given, "prepopulate_blob_cache", "0") == "1") {
    words.emplace_back("--rocksdb.prepopulate_blob_cache=kFlushOnly");
  }
  const bool is_shared = !given.contains("use_shared_block_and_blob_cache") ||
                         IsOn(given, "use_shared_block_and_blob_cache");
  if (is_shared) {
    words.emplace_back("--rocksdb.blob_cache=shared");
    return Status::Ok();
  }
  ASSIGN_OR_RETURN(const uint64_t bytes, BytesOf(given, "blob_cache_size", 8 << 20));
  if (bytes == 0) {
    return Status::Usage(
        "--blob_cache_size=0: the blobs' own cache needs a size; say more, or "
        "--use_blob_cache=0");
  }
  words.push_back(fmt::format("--rocksdb.blob_cache={{capacity={};num_shard_bits={}}}", bytes,
                              ValueOr(given, "blob_cache_numshardbits", "6")));
  return Status::Ok();
}

}  // namespace levelfield
