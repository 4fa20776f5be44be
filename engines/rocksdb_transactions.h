// A RocksDB store that is opened for transactions. A TransactionDB locks the keys that a
// transaction gets for update or writes. An OptimisticTransactionDB checks at the commit whether
// somebody has changed them.
// https://github.com/facebook/rocksdb/wiki/Transactions
//
// Reads, scans and calls on the store as a whole go to the database below, which both have. Writes
// outside a transaction go there too if transactions are optimistic, since a commit notices them.
// Beside locking transactions they take locks themselves (Session::Commit in rocksdb.cc).
#ifndef LEVELFIELD_ENGINES_ROCKSDB_TRANSACTIONS_H_
#define LEVELFIELD_ENGINES_ROCKSDB_TRANSACTIONS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "rocksdb_library.h"

namespace levelfield {

// The C interface returns only the text of a status (util/status.cc): busy (a lock's owner, a
// deadlock, a key that has changed), timed out (a lock), and try again (an optimistic transaction
// that is older than the memtables' history).
inline bool IsRocksDbConflict(std::string_view error) {
  return error.starts_with("Resource busy") || error.starts_with("Operation timed out") ||
         error.starts_with("Operation failed. Try again.");
}

struct RocksDbTransactions {
  // The store keeps these settings until it is closed.
  uint64_t lock_timeout_ms = 1000;
  bool sets_snapshot = false;
  RocksDbOwned<rocksdb_transactiondb_t, "rocksdb_transactiondb_close"> pessimistic;
  RocksDbOwned<rocksdb_optimistictransactiondb_t, "rocksdb_optimistictransactiondb_close">
      optimistic;

  bool IsOn() const { return pessimistic != nullptr || optimistic != nullptr; }

  // The database below, which Close takes back. Null if `error` says why.
  rocksdb_t* Open(const std::string& kind, const rocksdb_options_t* options, const char* directory,
                  const char* family_name, const rocksdb_options_t* const* family_options,
                  rocksdb_column_family_handle_t** family, char** error) {
    if (kind == "optimistic") {
      optimistic_options.reset(ROCKSDB(optimistictransaction_options_create));
      ROCKSDB(optimistictransaction_options_set_set_snapshot, optimistic_options.get(),
              sets_snapshot ? 1 : 0);
      optimistic.reset(ROCKSDB(optimistictransactiondb_open_column_families, options, directory, 1,
                               &family_name, family_options, family, error));
      return optimistic == nullptr ? nullptr
                                   : ROCKSDB(optimistictransactiondb_get_base_db, optimistic.get());
    }
    pessimistic_options.reset(ROCKSDB(transaction_options_create));
    ROCKSDB(transaction_options_set_set_snapshot, pessimistic_options.get(), sets_snapshot ? 1 : 0);
    ROCKSDB(transaction_options_set_lock_timeout, pessimistic_options.get(),
            static_cast<int64_t>(lock_timeout_ms));
    const RocksDbOwned<rocksdb_transactiondb_options_t, "rocksdb_transactiondb_options_destroy">
        of_database(ROCKSDB(transactiondb_options_create));
    pessimistic.reset(ROCKSDB(transactiondb_open_column_families, options, of_database.get(),
                              directory, 1, &family_name, family_options, family, error));
    return pessimistic == nullptr ? nullptr
                                  : TheRocksDb().transactiondb_get_base_db(pessimistic.get());
  }

  void Close(rocksdb_t* base) {
    if (pessimistic != nullptr) TheRocksDb().transactiondb_close_base_db(base);
    if (optimistic != nullptr) ROCKSDB(optimistictransactiondb_close_base_db, base);
    pessimistic.reset();
    optimistic.reset();
  }

  // Reuses `old`, which may be null.
  rocksdb_transaction_t* Begin(const rocksdb_writeoptions_t* write,
                               rocksdb_transaction_t* old) const {
    if (pessimistic != nullptr) {
      return ROCKSDB(transaction_begin, pessimistic.get(), write, pessimistic_options.get(), old);
    }
    return ROCKSDB(optimistictransaction_begin, optimistic.get(), write, optimistic_options.get(),
                   old);
  }

  RocksDbOwned<rocksdb_transaction_options_t, "rocksdb_transaction_options_destroy">
      pessimistic_options;
  RocksDbOwned<rocksdb_optimistictransaction_options_t,
               "rocksdb_optimistictransaction_options_destroy">
      optimistic_options;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ROCKSDB_TRANSACTIONS_H_
