#include "driver/old_store.h"

#include <utility>

#include "plan/planned_content.h"

namespace levelfield {

StatusOr<OldStore> OpenOldStore(const Turn& turn, const std::string& path) {
  StatusOr<StoreDirectory> store = StoreDirectory::Reopen(path);
  Status status = store.ok() ? store->LetChildrenInheritLock() : store.status();
  if (!status.ok()) return status;
  StoreContent content = store->content();
  AddValueSizes(turn.phases(), content);
  content.library = LibraryMark(turn.engine().description.Fact("version"));
  AddDurability(turn, content);
  store->SetContent(content);
  status = store->MarkDirty();
  if (!status.ok()) return status;
  WorkerSpec spec = turn.Spec(store->path(), store->salt(), OriginOf(content));
  return OldStore{std::move(*store), std::move(spec)};
}

}  // namespace levelfield
