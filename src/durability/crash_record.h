// The result directory of `levelfield verify durability`: manifest.json, which exists before
// anything is tried, and durability.jsonl, to which each state is added once it is checked. An
// invocation that is cut off leaves what it had. For one thread.
#ifndef LEVELFIELD_DURABILITY_CRASH_RECORD_H_
#define LEVELFIELD_DURABILITY_CRASH_RECORD_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "analysis/crash_state.h"
#include "base/atomic_file.h"
#include "base/status.h"

namespace levelfield {

class CrashRecord {
 public:
  struct Head {
    std::string command;
    uint64_t seed = 0;
    nlohmann::ordered_json engines;  // The engines' descriptions.
    std::string store_path;          // Where stores are made; empty: in the directory itself.
  };
  // Makes `results`/<time>-durability.
  static StatusOr<CrashRecord> Create(const std::string& results, const Head& head);

  Status Add(const CrashState& state);
  Status Add(const CrashSkip& skip);

  const std::string& path() const { return path_; }
  const CrashStates& states() const { return states_; }
  const nlohmann::ordered_json& manifest() const { return manifest_; }

 private:
  CrashRecord(std::string path, AppendOnlyFile lines, nlohmann::ordered_json manifest)
      : path_(std::move(path)), lines_(std::move(lines)), manifest_(std::move(manifest)) {}

  std::string path_;
  AppendOnlyFile lines_;
  nlohmann::ordered_json manifest_;
  CrashStates states_;
};

bool HasCrashStates(const std::string& directory);
// Leaves out a last line that a crash has torn.
StatusOr<CrashStates> CrashStatesIn(const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_CRASH_RECORD_H_
