// What an engine says of its open store in words and sizes: asked for by a workload of its own
// (stats, heapprofile), or behind a phase. The worker's main thread, while no session works.
#ifndef LEVELFIELD_WORKER_STORE_TEXT_H_
#define LEVELFIELD_WORKER_STORE_TEXT_H_

#include "engine/engine.h"
#include "result/result.h"
#include "worker/running_phase.h"

namespace levelfield {

// The phase whose only role gives a text: a property of the store, or a profile of the heap.
void AskForText(RunningPhase& now, Store& store);

// The property that --phase_property names, behind a phase that went well. Before the store is
// closed for its verification, which would reset what it counts.
void AskForProperty(Store& store, const std::string& name, PhaseResult& result);

// The sizes of its files, where the engine tells them apart.
void NoteSizes(Store& store, const lf_engine& table, PhaseResult& result);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_STORE_TEXT_H_
