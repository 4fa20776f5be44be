// Checks an engine's commits one by one. It makes a few puts, deletes and batches in a scratch
// store, with the settings and in the durability classes of the coming measurement. After each it
// checks whether a durable call came before the acknowledgement, and whether it kept what the
// commit had written (call_tracer.h). It has its own
// process and its own store, so it adds nothing to the measurement or the measured loop.
#ifndef LEVELFIELD_WORKER_AUDIT_H_
#define LEVELFIELD_WORKER_AUDIT_H_

#include "engine/engine.h"
#include "plan/messages.h"
#include "plan/plan.h"
#include "worker/message_writer.h"

namespace levelfield {

// Whether there is anything to audit: the engine keeps something, and a phase writes.
bool IsAuditDue(const Settings& settings, const std::vector<PlannedPhase>& phases,
                uint32_t capabilities);

// The worker's side. Audits each class in which a phase of the specification writes, in the
// specification's directory, which is empty, and sends its findings as events. What an engine
// cannot do here, it cannot do in its phases either, and those report it; here it is the reason for
// a missing finding.
void AuditClasses(const WorkerSpec& spec, const Engine& engine, MessageWriter& events);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_AUDIT_H_
