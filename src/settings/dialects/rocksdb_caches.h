// The caches of RocksDB's db_bench, of blocks, of compressed blocks and of blobs, in our words.
//
// Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_CACHES_H_
#define LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_CACHES_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "settings/dialects/rocksdb_given.h"

namespace levelfield {

// A number of bits for shards that RocksDB cannot have is refused.
Status CheckRocksDbShards(const RocksDbGiven& given, const std::string& name, int least);

// Adds to the words.
Status DeriveRocksDbCaches(const RocksDbGiven& given, std::vector<std::string>& words);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_CACHES_H_
