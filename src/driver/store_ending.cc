#include "driver/store_ending.h"

namespace levelfield {

Status MarkAtTheEnd(const RunEnd& end, Outcome outcome, StoreDirectory& store) {
  if (outcome == Outcome::kWrong) return store.MarkTainted();
  if (!end.closed || outcome == Outcome::kFailed) return Status::Ok();
  StoreContent content = store.content();
  content.entries = end.entries.value_or(content.entries);
  store.SetContent(content);
  return store.MarkClean();
}

}  // namespace levelfield
