// The process that a fault hits: it opens a store and commits in the order of commit_order.h, on
// one or several threads, until it is killed. The engine is loaded here, never in the parent.
#ifndef LEVELFIELD_DURABILITY_CRASH_WRITER_H_
#define LEVELFIELD_DURABILITY_CRASH_WRITER_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "durability/commit_order.h"
#include "engine/engine.h"

namespace levelfield {

inline constexpr const char* kCrashWriterWord = "--crash-writer";
inline constexpr const char* kCrashCheckerWord = "--crash-checker";

// What writer and checker are told, as one line of JSON on standard input.
struct CrashTask {
  std::string engine;    // The spec.
  SettingList settings;  // Canonical, with `durability`.
  std::string directory;
  CommitOrder::Shape shape;
  // Of each thread. Writer: commits that are in the store already; it goes on behind them.
  // Checker: what was acknowledged, and what was issued.
  std::vector<uint64_t> acked;
  std::vector<uint64_t> issued;
  std::string acknowledgements;  // Of the writer: the path of the shared memory.
};

std::string TextOf(const CrashTask& task);
// Throws nlohmann's exceptions.
CrashTask CrashTaskOf(const std::string& text);

// The words of it in one line to descriptor 3, if the engine fails; a fault is no failure of it,
// but the parent knows what it did. Returns the exit code.
int RunCrashWriter();

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_CRASH_WRITER_H_
