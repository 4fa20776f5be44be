// The fields of the environment (environment.h). Each file of this directory reads those of one
// part of the machine and lists them in a table. A new field is one row there. Only environment.cc
// calls this, from any thread.
#ifndef LEVELFIELD_RESULT_ENVIRONMENT_FIELDS_H_
#define LEVELFIELD_RESULT_ENVIRONMENT_FIELDS_H_

#include <nlohmann/json.hpp>
#include <span>

#include "result/environment/machine.h"

namespace levelfield {

enum EnvironmentPart {
  kHardware,  // Hardware, kernel and its settings: what the fingerprint is made of.
  kPlace,     // The disk that was chosen and the limits that were set, as far as they matter.
  kMoment     // Depends on the run, the moment, or ourselves.
};

struct EnvironmentField {
  const char* name;
  EnvironmentPart part;
  // Any thread may call; "unknown: <reason>" where it cannot be read.
  nlohmann::ordered_json (*value)(const Machine& machine, const char* argument);
  const char* argument;
};

// Each in the file of its name.
std::span<const EnvironmentField> ProcessorFields();     // And the board and what simulates it.
std::span<const EnvironmentField> KernelFields();        // And its settings.
std::span<const EnvironmentField> MemoryFields();        // And the nodes that it is spread over.
std::span<const EnvironmentField> ControlGroupFields();  // The limits that were set for us.
std::span<const EnvironmentField> StoreMediumFields();   // The store's file system and disk.
std::span<const EnvironmentField> ProcessFields();       // Ourselves, and what is loaded into us.
std::span<const EnvironmentField> ActivityFields();      // What else goes on there.

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ENVIRONMENT_FIELDS_H_
