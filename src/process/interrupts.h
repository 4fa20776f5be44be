// SIGINT, SIGTERM and SIGHUP: a person or a system that wants the program to end. The first one
// lets the worker end in good order, a second one does not.
#ifndef LEVELFIELD_PROCESS_INTERRUPTS_H_
#define LEVELFIELD_PROCESS_INTERRUPTS_H_

namespace levelfield {

// Counts the signals from now on, for the life of the program. Under nohup a hangup stays ignored.
void InstallInterruptHandlers();

// How many have come since then. Any thread.
int Interrupts();
inline bool IsInterrupted() { return Interrupts() > 0; }

}  // namespace levelfield

#endif  // LEVELFIELD_PROCESS_INTERRUPTS_H_
