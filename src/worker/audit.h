// Looks at an engine's commits one by one: a few puts, deletes and batches to a scratch store with
// the settings and in the durability classes that are about to be measured, and after each whether
// a durable call was made before it was acknowledged (call_tracer.h). In a process of its own and
// on a store of its own, so that nothing of it is in what is measured, nor in the measured loop.
#ifndef LEVELFIELD_WORKER_AUDIT_H_
#define LEVELFIELD_WORKER_AUDIT_H_

#include "engine/engine.h"
#include "plan/messages.h"
#include "plan/plan.h"

namespace levelfield {

// Whether there is anything to be audited: the engine keeps something, and a phase writes.
bool IsAuditDue(const Settings& settings, const std::vector<PlannedPhase>& phases,
                uint32_t capabilities);

// The worker's side: of each class that a writing phase of the specification runs in, in the
// specification's directory, which is empty; tells what it saw by events. What an engine cannot do
// here it cannot do in its phases either, which tell; here it is the reason for seeing nothing.
void AuditClasses(const WorkerSpec& spec, const Engine& engine, MessageWriter& events);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_AUDIT_H_
