#include "run/old_store.h"

#include <utility>

#include "run/planned_content.h"

namespace levelfield {

StatusOr<OldStore> OpenOldStore(const Turn& turn, const std::string& path) {
  StatusOr<StoreDirectory> store = StoreDirectory::Reopen(path);
  Status status = store.ok() ? store->LetChildrenInheritLock() : store.status();
  if (!status.ok()) return status;
  StoreContent content = store->content();
  AddValueSizes(turn.phases(), content);
  content.library = LibraryMark(turn.engine().description.Fact("version"));
  store->SetContent(content);
  status = store->MarkDirty();
  if (!status.ok()) return status;
  WorkerSpec spec = turn.Spec(store->path(), store->salt(), OriginOf(content));
  return OldStore{std::move(*store), std::move(spec)};
}

Status LeaveOldStore(std::optional<uint64_t> entries, Outcome outcome, StoreDirectory& store) {
  StoreContent content = store.content();
  content.entries = entries.value_or(content.entries);
  store.SetContent(content);
  if (outcome == Outcome::kWrong) return store.MarkTainted();
  // Where the engine failed it stays as it is, for the next attempt.
  return outcome == Outcome::kFailed ? Status::Ok() : store.MarkClean();
}

}  // namespace levelfield
