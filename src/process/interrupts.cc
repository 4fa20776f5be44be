#include "process/interrupts.h"

#include <atomic>
#include <csignal>

namespace levelfield {
namespace {

std::atomic<int> interrupts{0};
void OnInterrupt(int) { interrupts.fetch_add(1); }

}  // namespace

int Interrupts() { return interrupts.load(); }

void InstallInterruptHandlers() {
  struct sigaction action = {};
  action.sa_handler = OnInterrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup = {};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // Else: nohup.
}

}  // namespace levelfield
