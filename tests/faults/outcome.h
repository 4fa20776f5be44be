// What came of a run into which a fault was put, in one word, and what may come of it: the table of
// engine x fault, of which docs/faults.md is the observed form.
#ifndef LEVELFIELD_TESTS_FAULTS_OUTCOME_H_
#define LEVELFIELD_TESTS_FAULTS_OUTCOME_H_

#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// OK: every answer right. NONE: the engine makes no such call. STOP: ended by the space guard.
// ERR: the engine says so (of a damaged file: DET). SELF: only the value check says so. SIG, OOM:
// the worker died, of a signal, or for want of memory. DOG: the watchdog ended it. NO: refused.
// OPEN: the engine has let a second process in.
using Word = std::string;

// Of the run of one engine.
Word WordOf(const RunResult& run);

// The words that may come of the fault with that engine, and why where the engine has a way of its
// own.
struct Allowed {
  std::vector<Word> words;
  std::string why;
};
Allowed AllowedOf(const std::string& fault, const std::string& engine);

}  // namespace levelfield

#endif  // LEVELFIELD_TESTS_FAULTS_OUTCOME_H_
