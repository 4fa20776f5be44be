// The least that a manifest.json has, for tests that lay a result directory by hand.
#ifndef LEVELFIELD_RESULT_MANIFEST_FOR_TEST_H_
#define LEVELFIELD_RESULT_MANIFEST_FOR_TEST_H_

#include <nlohmann/json.hpp>

#include "result/result_json.h"

namespace levelfield {

inline nlohmann::ordered_json LeastManifest(uint64_t planned_runs) {
  using Json = nlohmann::ordered_json;
  return {{"schema", kResultFormat},
          {"name", "run"},
          {"started", "now"},
          {"command", "levelfield run"},
          {"version", "0"},
          {"settings", Json::object()},
          {"fingerprint", "0123456789abcdef"},
          {"workloads", Json::object()},
          {"planned", {{"rounds", 1}, {"most_rounds", 1}, {"runs", planned_runs}}}};
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_MANIFEST_FOR_TEST_H_
