// --sine_write_rate and --sine_mix_rate of RocksDB's db_bench, whose rate is A * sin(B * x + C) + D
// after x seconds, in our words: an open loop at a curve (stats/rate_curve.h).
//
// Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_SINE_H_
#define LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_SINE_H_

#include <cstdint>
#include <map>
#include <string>

#include "base/status.h"
#include "settings/dialects/dialect.h"

namespace levelfield {

// Adds to the words. `value_bytes`: the mean size of a value where a benchmark has none of its own.
Status DeriveSine(const std::map<std::string, std::string>& given, uint64_t key_bytes,
                  uint64_t value_bytes, DerivedWords& words);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_SINE_H_
