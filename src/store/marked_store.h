// A store of ours that is only looked at: nothing is written, and its lock is at most shared with
// others who only read. Any thread may call.
#ifndef LEVELFIELD_STORE_MARKED_STORE_H_
#define LEVELFIELD_STORE_MARKED_STORE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "base/unique_fd.h"
#include "store/store_content.h"
#include "store/store_marker.h"

namespace levelfield {

struct MarkedStore {
  std::string database;  // Absolute.
  StoreContent content;
  uint64_t salt = 0;
  StoreState state = StoreState::kClean;
  UniqueFd lock;  // While it is there, nobody opens the store.
};

// What the marker there says; empty where there is none, or none that can be read. Locks and
// changes nothing.
std::optional<StoreContent> PeekAtStore(const std::string& path);

// A store of any state, to read its files. kUsage where somebody is using it.
StatusOr<MarkedStore> LookIntoStore(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_MARKED_STORE_H_
