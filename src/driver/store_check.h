// Checks a whole store: by the engine's own checker, and by a full read of ours, forwards and
// backwards. It looks each entry up by its key and, if values describe themselves, checks their
// bytes. Runs in its own process, which a damaged store may crash.
#ifndef LEVELFIELD_DRIVER_STORE_CHECK_H_
#define LEVELFIELD_DRIVER_STORE_CHECK_H_

#include <cstdint>
#include <optional>
#include <string>

#include "engine/options.h"
#include "store/store_marker.h"

namespace levelfield {

struct StoreCheckRequest {
  std::string engine;    // The spec.
  SettingList settings;  // Canonical.
  std::string path;      // The database. A copy, because opening one changes it.
  double stall = 30;     // Seconds without progress until it is killed.
  // The content of one of our stores. Nothing is known of others.
  std::optional<StoreContent> content = {};
  uint64_t salt = 0;
};

struct StoreCheck {
  // Why it could not be checked, or not to its end. Empty: it was.
  std::string not_checked = {};
  // The first damage of its kind, which is damage all the same. Both empty: the store is sound.
  std::string damage = {};
  bool was_read = false;  // It was opened. Otherwise the counts are of nothing.
  std::string checker = {};  // The result of the engine's own checker, or why it has none.
  uint64_t entries = 0;
  uint64_t bytes = 0;  // Keys and values.
  uint64_t wrong = 0;  // Values or keys that were never written.
  // Entries of one scan that a get or another scan does not find, and entries missing since it was
  // last closed, if that number is known.
  uint64_t missing = 0;
  uint64_t out_of_order = 0;
  uint64_t checked_values = 0;  // Values that describe themselves.
};

StoreCheck CheckStore(const StoreCheckRequest& request);

// The child's side: one request on standard input, lines on descriptor 3. Returns its exit code.
int AnswerStoreCheck();

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_STORE_CHECK_H_
