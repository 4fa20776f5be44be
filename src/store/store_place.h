// The directory that a store is in, or is to be made in, once its path is found harmless
// (store_path.h): opened or made, looked into for the files of others, and named in messages.
// Only those who look after stores call this, each from one thread.
#ifndef LEVELFIELD_STORE_STORE_PLACE_H_
#define LEVELFIELD_STORE_STORE_PLACE_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"
#include "store/made_directories.h"
#include "store/store_path.h"

namespace levelfield {

// Of the engine, beside the marker; the only place that is ever emptied.
inline constexpr const char* kStoreDatabase = "db";

struct StorePlace {
  std::string typed;     // As the person typed it; for messages.
  std::string absolute;  // The same place, physically.
  UniqueFd directory;

  // kUsage: why it cannot be used, and what to do instead.
  Status Refused(std::string_view why, std::string_view what_to_do) const;
  // kFailed; `what` says what was tried on it, and what came of that.
  Status Failed(std::string_view what) const;
  Status Error(std::string_view tried, int error) const;
};

// kUsage where it does not exist or may not be read; the message ends with `what_to_do`.
StatusOr<StorePlace> OpenStorePlace(const StorePath& path, std::string_view what_to_do);

struct NewStorePlace {
  StorePlace place;
  MadeDirectories made;  // On the way to it, and itself.
};

// Makes what is missing: the directory itself for its owner alone (0700).
StatusOr<NewStorePlace> MakeStorePlace(StorePath path);

// Whether the names in it are those of an empty directory, or of one with a marker: kUsage says
// whose files are there.
Status CheckOnlyOurs(const StorePlace& place, const std::vector<std::string>& names);
bool HasMarker(const std::vector<std::string>& names);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_PLACE_H_
