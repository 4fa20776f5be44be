// The process that opens what a fault has left, with the engine's own recovery, and reads all of it
// twice: each key that was ever issued by a get, and everything by a scan.
#ifndef LEVELFIELD_DURABILITY_CRASH_CHECKER_H_
#define LEVELFIELD_DURABILITY_CRASH_CHECKER_H_

namespace levelfield {

// A task (crash_writer.h) on standard input. On descriptor 3 a line `opened` when the engine has
// opened the store, so that the parent knows where one hangs, then the CrashFinding as JSON, with
// the first lost commit of each thread as `first_lost`. Returns the exit code.
int RunCrashChecker();

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_CRASH_CHECKER_H_
