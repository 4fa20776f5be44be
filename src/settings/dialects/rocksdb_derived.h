// Our words for what several flags of RocksDB's db_bench say together, and which of them conflict.
//
// Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_DERIVED_H_
#define LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_DERIVED_H_

#include <map>
#include <string>

#include "base/status.h"
#include "settings/dialects/dialect.h"

namespace levelfield {

// Of the typed flags, by name.
StatusOr<DerivedWords> DeriveRocksDb(const std::map<std::string, std::string>& given);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_ROCKSDB_DERIVED_H_
