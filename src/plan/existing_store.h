// The store that --use_existing_db is about: finds it, whoever made it, before anything is changed,
// and looks after one that is not ours while it is visited. Nothing here removes or writes a file.
#ifndef LEVELFIELD_PLAN_EXISTING_STORE_H_
#define LEVELFIELD_PLAN_EXISTING_STORE_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "settings/settings.h"

namespace levelfield {

// How a run meets it.
enum class StoreAccess {
  kInPlace,   // It is opened and may be written to; of one of ours the marker says so.
  kReadOnly,  // The engine opens it without changing a byte.
  kCopy       // It is only read, to make the copy that is measured.
};

struct ExistingStore {
  std::string engine;  // The spec of the engine that is to open it.
  // Of one of ours the directory with the marker; of another the database itself, a directory or a
  // file, absolute.
  std::string path;
  bool is_ours = false;
  std::string filled_by = {};  // StoreContent::library of one of ours.
  // All by KeepStore (plan/kept_store.h).
  StoreAccess access = StoreAccess::kInPlace;
  std::string kept = {};  // Why nothing is written to it; empty: it may be.
  std::string note = {};  // What people have to know of that; empty: nothing.
};

// One store for each of `engines`. Ours are found by their markers, at --db or below it; others are
// asked about in processes of their own, of which `plugins` names all that there are. What the
// stores say of their keys and values is taken over into the settings where those do not say
// otherwise; where they do, or where there is no such store, it is kUsage with the reason.
StatusOr<std::vector<ExistingStore>> FindExistingStores(const std::vector<std::string>& engines,
                                                        const std::vector<std::string>& plugins,
                                                        Settings& settings);

// The plug-ins that recognize the path as a store of theirs.
std::vector<std::string> EnginesThatRecognize(const std::string& path,
                                              const std::vector<std::string>& plugins);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_EXISTING_STORE_H_
