// An ordered map in memory behind a reader-writer lock, and a thread's session with it. The memory
// engine consists of it, and the stub engine keeps its entries in it.
//
// Any number of sessions on any threads; a session belongs to one.
#ifndef LEVELFIELD_ENGINES_ORDERED_MAP_H_
#define LEVELFIELD_ENGINES_ORDERED_MAP_H_

#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

#include "levelfield/engine.h"

namespace levelfield {

struct OrderedMap {
  using Map = std::map<std::string, std::string, std::less<>>;

  std::shared_mutex mutex;
  Map map;

  // Under the lock, or with a single thread.
  void Apply(const lf_entry& entry) {
    const auto it = map.lower_bound(View(entry.key));
    const bool is_there = it != map.end() && it->first == View(entry.key);
    if (entry.erase != 0) {
      if (is_there) map.erase(it);
    } else if (is_there) {
      it->second.assign(entry.value.data, entry.value.size);
    } else {
      map.emplace_hint(it, View(entry.key), View(entry.value));
    }
  }
};

// Keeps nothing but the map.
struct NoJournal {
  static lf_code Append(std::span<const lf_entry>) { return LF_OK; }
};

// `Journal::Append` gets the entries of each write before the map does, under the map's lock. If it
// refuses them, they are not written.
//
// Values and keys are copied out under the lock, into the session: another thread may overwrite
// the entry as soon as the lock is let go.
template <class Journal>
class OrderedMapSession {
 public:
  OrderedMapSession(OrderedMap& shared, Journal& journal) : shared_(shared), journal_(journal) {}

  lf_code Get(lf_bytes key, lf_bytes* value) {
    if (transaction_.has_value() && transaction_->writes.contains(View(key))) {
      return GetWritten(key, value);
    }
    const std::shared_lock lock(shared_.mutex);
    const auto it = shared_.map.find(View(key));
    if (it == shared_.map.end()) return LF_NOT_FOUND;
    value_ = it->second;
    *value = Bytes(value_);
    return LF_OK;
  }

  lf_code Put(lf_bytes key, lf_bytes value) { return WriteOne({key, value, 0}); }
  lf_code Erase(lf_bytes key) { return WriteOne({key, {}, 1}); }

  lf_code Write(std::span<const lf_entry> entries) {
    const std::unique_lock lock(shared_.mutex);
    return WriteLocked(entries);
  }

  // Optimistic: writes wait in the session, and the commit checks that the keys that were got for
  // update have not changed.
  lf_code BeginTransaction() {
    transaction_.emplace();
    return LF_OK;
  }

  lf_code GetForUpdate(lf_bytes key, lf_bytes* value) {
    const lf_code code = Get(key, value);
    if (transaction_->writes.contains(View(key))) return code;
    transaction_->reads.try_emplace(
        std::string(View(key)),
        code == LF_OK ? std::optional(std::string(View(*value))) : std::nullopt);
    return code;
  }

  lf_code CommitTransaction() {
    const std::unique_lock lock(shared_.mutex);
    for (const auto& [key, value] : transaction_->reads) {
      const auto it = shared_.map.find(key);
      const bool is_there = it != shared_.map.end();
      if (is_there != value.has_value() || (is_there && it->second != *value)) {
        return Conflict("another session has changed " + key);
      }
    }
    std::vector<lf_entry> entries;
    for (const auto& [key, value] : transaction_->writes) {
      entries.push_back(
          {Bytes(key), value.has_value() ? Bytes(*value) : lf_bytes{}, value.has_value() ? 0 : 1});
    }
    const lf_code code = WriteLocked(entries);
    if (code == LF_OK) transaction_.reset();
    return code;
  }

  lf_code RollBackTransaction() {
    transaction_.reset();
    return LF_OK;
  }

  lf_code NewIterator() {
    return Unsupported("a scan of the map remembers its key, and makes nothing before");
  }

  lf_code Seek(lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    const Map& map = shared_.map;
    switch (how) {
      case LF_FIRST:
        return Emit(map.begin(), found_key, value);
      case LF_LAST:
        return EmitBefore(map.end(), found_key, value);
      case LF_AT_OR_AFTER:
        return Emit(map.lower_bound(View(key)), found_key, value);
      case LF_AT_OR_BEFORE:
        return EmitBefore(map.upper_bound(View(key)), found_key, value);
    }
    return LF_NOT_FOUND;
  }

  // A scan remembers its key, not an iterator: the entry may be erased between two steps.
  lf_code Next(lf_bytes* key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    return Emit(shared_.map.upper_bound(key_), key, value);
  }

  lf_code Prev(lf_bytes* key, lf_bytes* value) {
    const std::shared_lock lock(shared_.mutex);
    return EmitBefore(shared_.map.lower_bound(key_), key, value);
  }

 protected:
  using Map = OrderedMap::Map;

  OrderedMap& shared_;

 private:
  // Empty: erased, or missing.
  using MaybeValues = std::map<std::string, std::optional<std::string>, std::less<>>;
  struct Transaction {
    MaybeValues reads;  // Got for update, with their values then.
    MaybeValues writes;
  };

  lf_code WriteOne(const lf_entry& entry) {
    if (transaction_.has_value()) {
      std::optional<std::string> value;
      if (entry.erase == 0) value = View(entry.value);
      transaction_->writes.insert_or_assign(std::string(View(entry.key)), std::move(value));
      return LF_OK;
    }
    const std::unique_lock lock(shared_.mutex);
    return WriteLocked({&entry, 1});
  }

  lf_code WriteLocked(std::span<const lf_entry> entries) {
    const lf_code code = journal_.Append(entries);
    if (code != LF_OK) return code;
    for (const lf_entry& entry : entries) shared_.Apply(entry);
    return LF_OK;
  }

  lf_code GetWritten(lf_bytes key, lf_bytes* value) {
    const std::optional<std::string>& written = transaction_->writes.find(View(key))->second;
    if (!written.has_value()) return LF_NOT_FOUND;
    value_ = *written;
    *value = Bytes(value_);
    return LF_OK;
  }

  lf_code Emit(Map::const_iterator it, lf_bytes* key, lf_bytes* value) {
    if (it == shared_.map.end()) return LF_NOT_FOUND;
    key_ = it->first;
    value_ = it->second;
    *key = Bytes(key_);
    *value = Bytes(value_);
    return LF_OK;
  }

  lf_code EmitBefore(Map::const_iterator it, lf_bytes* key, lf_bytes* value) {
    if (it == shared_.map.begin()) return LF_NOT_FOUND;
    return Emit(std::prev(it), key, value);
  }

  Journal& journal_;
  std::string key_;
  std::string value_;
  std::optional<Transaction> transaction_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_ORDERED_MAP_H_
