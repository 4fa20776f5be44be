#include <filesystem>

#include "store/store_directory.h"
#include "store/store_lock.h"
#include "targets.h"

namespace levelfield::fuzz {

void StoreMarkers(std::string_view bytes) {
  const std::string path = ScratchPath("store");
  std::filesystem::create_directories(path + "/db");
  WriteScratch(path + "/LEVELFIELD", bytes);
  (void)PeekAtStore(path);
  (void)StoreDirectory::Check(path);
  StatusOr<StoreDirectory> store = StoreDirectory::Reopen(path);
  if (store.ok()) (void)store->MarkClean();
}

}  // namespace levelfield::fuzz
