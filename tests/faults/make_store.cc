// Another program's store, made by the engine's own library in a form that its tools do not make:
// make_store <kind> <path>. Its 1,000 keys are 0000000000000000 and so on, unless the kind is about
// the keys.
#include <db.h>
#include <kchashdb.h>
#include <leveldb/comparator.h>
#include <leveldb/db.h>
#include <rocksdb/c.h>
#include <wiredtiger.h>

#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include "foreign_entries.h"

namespace {

using foreign::Backwards;
using foreign::Check;
using foreign::PutAll;

// ---- LevelDB

class BackwardsComparator final : public leveldb::Comparator {
 public:
  int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
    return Backwards(a.data(), a.size(), b.data(), b.size());
  }
  const char* Name() const override { return "backwards"; }
  void FindShortestSeparator(std::string*, const leveldb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

void MakeLevelDb(const std::string& path, bool is_backwards) {
  BackwardsComparator backwards;
  leveldb::Options options;
  options.create_if_missing = true;
  if (is_backwards) options.comparator = &backwards;
  leveldb::DB* opened = nullptr;
  const auto check = [](const leveldb::Status& status) { Check(status.ok(), status.ToString()); };
  check(leveldb::DB::Open(options, path, &opened));
  const std::unique_ptr<leveldb::DB> db(opened);
  PutAll([&](const std::string& key, const std::string& value) { check(db->Put({}, key, value)); });
}

// The same as a table, and a log with what came later.
void MakeLevelDbTable(const std::string& path) {
  MakeLevelDb(path, false);
  leveldb::DB* opened = nullptr;
  const leveldb::Status status = leveldb::DB::Open({}, path, &opened);
  Check(status.ok(), status.ToString());
  const std::unique_ptr<leveldb::DB> db(opened);
  db->CompactRange(nullptr, nullptr);
}

// ---- RocksDB

void Check(char* error) { Check(error == nullptr, error != nullptr ? error : ""); }

using RocksDbSetting = std::function<void(rocksdb_options_t*)>;

void MakeRocksDb(const std::string& path, const RocksDbSetting& set, bool flushes = true,
                 const std::function<void(rocksdb_t*, rocksdb_options_t*)>& then = {}) {
  rocksdb_options_t* const options = rocksdb_options_create();
  rocksdb_options_set_create_if_missing(options, 1);
  set(options);
  char* error = nullptr;
  rocksdb_t* const db = rocksdb_open(options, path.c_str(), &error);
  Check(error);
  rocksdb_writeoptions_t* const write = rocksdb_writeoptions_create();
  PutAll([&](const std::string& key, const std::string& value) {
    rocksdb_put(db, write, key.data(), key.size(), value.data(), value.size(), &error);
    Check(error);
  });
  if (then) then(db, options);
  rocksdb_flushoptions_t* const flush = rocksdb_flushoptions_create();
  if (flushes) rocksdb_flush(db, flush, &error);
  Check(error);
  if (!flushes) std::_Exit(0);  // As a program leaves it that is killed.
  rocksdb_close(db);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_writeoptions_destroy(write);
  rocksdb_options_destroy(options);
}

void SetBackwards(rocksdb_options_t* options) {
  static rocksdb_comparator_t* const backwards = rocksdb_comparator_create(  // Options own none.
      nullptr, [](void*) {},
      [](void*, const char* a, size_t a_size, const char* b, size_t b_size) {
        return Backwards(a, a_size, b, b_size);
      },
      [](void*) { return "backwards"; });
  rocksdb_options_set_comparator(options, backwards);
}

// Debian 12's RocksDB takes the first five; 13's four more, which are 0 by default.
template <class Set>
void SetPlainTableFactory(Set set, rocksdb_options_t* options) {
  if constexpr (std::is_invocable_v<Set, rocksdb_options_t*, uint32_t, int, double, size_t>) {
    set(options, 0, 10, 0.75, 16);
  } else {
    set(options, 0, 10, 0.75, 16, 0, 0, 0, 0);
  }
}

void SetPlainTable(rocksdb_options_t* options) {
  rocksdb_options_set_allow_mmap_reads(options, 1);
  rocksdb_options_set_prefix_extractor(options, rocksdb_slicetransform_create_fixed_prefix(8));
  SetPlainTableFactory(rocksdb_options_set_plain_table_factory, options);
}

void AddFamily(rocksdb_t* db, rocksdb_options_t* options) {
  char* error = nullptr;
  rocksdb_column_family_handle_destroy(
      rocksdb_create_column_family(db, options, "another", &error));
  Check(error);
}

// ---- SQLite's shell, db5.3_load and kctreemgr make the rest of theirs.

void MakeBerkeleyDb(const std::string& path, const std::function<void(DB*)>& set) {
  DB* db = nullptr;
  Check(db_create(&db, nullptr, 0));
  set(db);
  Check(db->open(db, nullptr, path.c_str(), nullptr, DB_BTREE, DB_CREATE, 0644));
  PutAll([&](const std::string& key, const std::string& value) {
    DBT k{};
    DBT v{};
    k.data = const_cast<char*>(key.data());
    k.size = static_cast<u_int32_t>(key.size());
    v.data = const_cast<char*>(value.data());
    v.size = static_cast<u_int32_t>(value.size());
    Check(db->put(db, nullptr, &k, &v, 0));
  });
  Check(db->close(db, 0));
}

int CompareBackwards(DB*, const DBT* a, const DBT* b) {
  return Backwards(a->data, a->size, b->data, b->size);
}

void MakeTreeDb(const std::string& path, kyotocabinet::Comparator* comparator, bool closes) {
  kyotocabinet::TreeDB db;
  if (comparator != nullptr) db.tune_comparator(comparator);
  Check(db.open(path, kyotocabinet::TreeDB::OWRITER | kyotocabinet::TreeDB::OCREATE), "open");
  PutAll([&](const std::string& key, const std::string& value) { Check(db.set(key, value), "set"); });
  Check(db.synchronize(false), "synchronize");
  if (!closes) std::_Exit(0);
  Check(db.close(), "close");
}

class BackwardsOrder final : public kyotocabinet::Comparator {
  int32_t compare(const char* a, size_t a_size, const char* b, size_t b_size) override {
    return Backwards(a, a_size, b, b_size);
  }
};
BackwardsOrder backwards_order;

// ---- WiredTiger

int Collate(WT_COLLATOR*, WT_SESSION*, const WT_ITEM* a, const WT_ITEM* b, int* order) {
  *order = Backwards(a->data, a->size, b->data, b->size);
  return 0;
}
WT_COLLATOR collator = {Collate, nullptr, nullptr};

void FillWiredTiger(WT_SESSION* session, const char* uri, const char* config) {
  Check(session->create(session, uri, config));
  WT_CURSOR* cursor = nullptr;
  Check(session->open_cursor(session, uri, nullptr, nullptr, &cursor));
  const bool has_numbers = std::strstr(config, "key_format=r") != nullptr;
  const bool has_texts = std::strstr(config, "key_format=S") != nullptr;
  uint64_t number = 0;
  PutAll([&](const std::string& key, const std::string& value) {
    WT_ITEM item{};
    item.data = key.data();
    item.size = key.size();
    if (has_numbers) {
      cursor->set_key(cursor, ++number);
    } else if (has_texts) {
      cursor->set_key(cursor, key.c_str());
    } else {
      cursor->set_key(cursor, &item);
    }
    WT_ITEM content{};
    content.data = value.data();
    content.size = value.size();
    cursor->set_value(cursor, &content);
    Check(cursor->insert(cursor));
  });
  Check(cursor->close(cursor));
}

void MakeWiredTiger(const std::string& path, const std::map<std::string, std::string>& tables,
                    const char* also = "") {
  WT_CONNECTION* connection = nullptr;
  WT_SESSION* session = nullptr;
  const std::string config = std::string("create,log=(enabled=true,file_max=1MB)") + also;
  Check(wiredtiger_open(path.c_str(), nullptr, config.c_str(), &connection));
  Check(connection->add_collator(connection, "backwards", &collator, nullptr));
  Check(connection->open_session(connection, nullptr, nullptr, &session));
  for (const auto& [uri, form] : tables) FillWiredTiger(session, uri.c_str(), form.c_str());
  Check(connection->close(connection, nullptr));
}

constexpr const char* kBytes = "key_format=u,value_format=u";

using Maker = std::function<void(const std::string& path)>;

std::map<std::string, Maker> Makers() {
  return {
      {"leveldb", [](const std::string& path) { MakeLevelDb(path, false); }},
      {"leveldb_table", MakeLevelDbTable},
      {"leveldb_backwards", [](const std::string& path) { MakeLevelDb(path, true); }},
      {"rocksdb", [](const std::string& path) { MakeRocksDb(path, [](auto*) {}); }},
      {"rocksdb_log", [](const std::string& path) { MakeRocksDb(path, [](auto*) {}, false); }},
      {"rocksdb_backwards", [](const std::string& path) { MakeRocksDb(path, SetBackwards); }},
      {"rocksdb_plain_table", [](const std::string& path) { MakeRocksDb(path, SetPlainTable); }},
      {"rocksdb_families",
       [](const std::string& path) { MakeRocksDb(path, [](auto*) {}, true, AddFamily); }},
      {"berkeleydb", [](const std::string& path) { MakeBerkeleyDb(path, [](DB*) {}); }},
      {"berkeleydb_checksums",
       [](const std::string& path) {
         MakeBerkeleyDb(path, [](DB* db) { Check(db->set_flags(db, DB_CHKSUM)); });
       }},
      {"berkeleydb_backwards",
       [](const std::string& path) {
         MakeBerkeleyDb(path, [](DB* db) { Check(db->set_bt_compare(db, CompareBackwards)); });
       }},
      {"berkeleydb_encrypted",
       [](const std::string& path) {
         MakeBerkeleyDb(path, [](DB* db) {
           Check(db->set_encrypt(db, "secret", DB_ENCRYPT_AES));
           Check(db->set_flags(db, DB_ENCRYPT));
         });
       }},
      {"treedb", [](const std::string& path) { MakeTreeDb(path, nullptr, true); }},
      {"treedb_open", [](const std::string& path) { MakeTreeDb(path, nullptr, false); }},
      {"treedb_own_order", [](const std::string& path) { MakeTreeDb(path, &backwards_order, true); }},
      {"treedb_decimal",
       [](const std::string& path) { MakeTreeDb(path, kyotocabinet::DECIMALDESCCOMP, true); }},
      {"wiredtiger", [](const std::string& path) { MakeWiredTiger(path, {{"table:app", kBytes}}); }},
      {"wiredtiger_texts",
       [](const std::string& path) {
         MakeWiredTiger(path, {{"table:app", "key_format=S,value_format=u"}});
       }},
      {"wiredtiger_numbers",
       [](const std::string& path) {
         MakeWiredTiger(path, {{"table:app", "key_format=r,value_format=u"}});
       }},
      {"wiredtiger_two_tables",
       [](const std::string& path) {
         MakeWiredTiger(path, {{"table:levelfield", kBytes}, {"table:other", kBytes}});
       }},
      {"wiredtiger_backwards",
       [](const std::string& path) {
         MakeWiredTiger(path, {{"table:app", std::string(kBytes) + ",collator=backwards"}});
       }},
      {"wiredtiger_lsm",
       [](const std::string& path) {
         MakeWiredTiger(path, {{"table:app", std::string(kBytes) + ",type=lsm"}});
       }},
  };
}

}  // namespace

int main(int count, char** words) {
  const auto makers = Makers();
  const auto maker = count == 3 ? makers.find(words[1]) : makers.end();
  Check(maker != makers.end(), "make_store <kind> <path>");
  maker->second(words[2]);
  return 0;
}
