// The worker process: one engine, one store, an ordered list of workloads. It loads the engine,
// opens the store, runs and checks each phase, and reports to the driver through events.h. Whatever
// an engine may do to a process (abort, hang, fill the disk) happens to this one.
#ifndef LEVELFIELD_WORKER_WORKER_H_
#define LEVELFIELD_WORKER_WORKER_H_

namespace levelfield {

// The whole life of the process. Reads a WorkerSpec (its length in decimal, a newline, its text)
// from standard input. Returns its exit code, which is also 0 when an engine failed in an orderly
// way: the events report that.
int RunWorker();

}  // namespace levelfield

#endif  // LEVELFIELD_WORKER_WORKER_H_
