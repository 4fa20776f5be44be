// What a store of ours is going to hold once the phases of a plan have run on it, as its marker
// says it before they do. Pure; any thread.
#ifndef LEVELFIELD_PLAN_PLANNED_CONTENT_H_
#define LEVELFIELD_PLAN_PLANNED_CONTENT_H_

#include <vector>

#include "plan/messages.h"
#include "plan/turn.h"
#include "store/store_marker.h"

namespace levelfield {

// For a store that is made for that turn.
StoreContent PlannedContent(const Turn& turn);

// Adds the sizes of the values that the phases are about to write; a store that was opened again is
// not filled anew.
void AddValueSizes(const std::vector<PlannedPhase>& phases, StoreContent& content);

// Lowers its class to the weakest one in which a phase is about to write to it. What was not known
// of a store that was opened again stays unknown.
void AddDurability(const Turn& turn, StoreContent& content);

// What a worker has to know of a store that was opened again.
StoreOrigin OriginOf(const StoreContent& content);

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_PLANNED_CONTENT_H_
