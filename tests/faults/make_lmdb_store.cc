// Another program's store of LMDB: make_lmdb_store <kind> <directory that is there>. Built for each
// file format.
#include <lmdb.h>

#include <functional>
#include <map>
#include <string>

#include "foreign_entries.h"

namespace {

using foreign::Backwards;
using foreign::Check;

struct Kind {
  const char* name = nullptr;  // Of a database in the unnamed one. Null: that one itself.
  unsigned flags = 0;
  bool is_backwards = false;
  size_t value_bytes = 100;
  bool commits_each = false;  // The last pages of the file are then those of a value.
};

void Make(const std::string& path, const Kind& kind) {
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  MDB_dbi dbi = 0;
  Check(mdb_env_create(&env));
  Check(mdb_env_set_mapsize(env, size_t{64} << 20));
  Check(mdb_env_set_maxdbs(env, 1));
  Check(mdb_env_open(env, path.c_str(), MDB_NOSYNC, 0644));
  Check(mdb_txn_begin(env, nullptr, 0, &txn));
  Check(mdb_dbi_open(txn, kind.name, kind.name != nullptr ? MDB_CREATE : kind.flags, &dbi));
  const auto compare = [](const MDB_val* a, const MDB_val* b) {
    return Backwards(a->mv_data, a->mv_size, b->mv_data, b->mv_size);
  };
  if (kind.is_backwards) Check(mdb_set_compare(txn, dbi, compare));
  foreign::PutAll(
      [&](const std::string& key, const std::string& value) {
        MDB_val k{key.size(), const_cast<char*>(key.data())};
        MDB_val v{value.size(), const_cast<char*>(value.data())};
        Check(mdb_put(txn, dbi, &k, &v, 0));
        if (!kind.commits_each) return;
        Check(mdb_txn_commit(txn));
        Check(mdb_txn_begin(env, nullptr, 0, &txn));
      },
      kind.value_bytes);
  Check(mdb_txn_commit(txn));
  mdb_env_close(env);
}

}  // namespace

int main(int count, char** words) {
  const std::map<std::string, Kind> kinds = {
      {"small", {}},
      {"large", {.value_bytes = 10'000, .commits_each = true}},
      {"backwards", {.is_backwards = true}},
      {"dupsort", {.flags = MDB_DUPSORT}},
      {"named", {.name = "people"}},
  };
  const auto kind = count == 3 ? kinds.find(words[1]) : kinds.end();
  Check(kind != kinds.end(), "make_lmdb_store <kind> <directory>");
  Make(words[2], kind->second);
  return 0;
}
