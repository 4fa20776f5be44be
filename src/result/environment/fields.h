// The fields of the environment (environment.h). Each file in this directory lists the fields of
// one part of the machine in a table. A new field is one row there. Only environment.cc calls this,
// from any thread.
#ifndef LEVELFIELD_RESULT_ENVIRONMENT_FIELDS_H_
#define LEVELFIELD_RESULT_ENVIRONMENT_FIELDS_H_

#include <nlohmann/json.hpp>
#include <span>

#include "result/environment/machine.h"

namespace levelfield {

enum EnvironmentPart {
  kHardware,  // Hardware, kernel and its settings. The fingerprint covers these.
  kPlace,     // The chosen disk and the limits in force, if they matter for speed.
  kMoment     // Depends on the run, the moment, or this program.
};

struct EnvironmentField {
  const char* name;
  EnvironmentPart part;
  // Any thread may call. "unknown: <reason>" if the value cannot be read.
  nlohmann::ordered_json (*value)(const Machine& machine, const char* argument);
  const char* argument;
};

// Each is in the file of that name.
std::span<const EnvironmentField> ProcessorFields();     // Also the board and the hypervisor.
std::span<const EnvironmentField> KernelFields();        // Also its settings.
std::span<const EnvironmentField> MemoryFields();        // Also the NUMA nodes.
std::span<const EnvironmentField> ControlGroupFields();  // The limits on our control group.
std::span<const EnvironmentField> StoreMediumFields();   // The store's file system and disk.
// This process, and the libraries loaded into it.
std::span<const EnvironmentField> ProcessFields();
std::span<const EnvironmentField> ActivityFields();  // What else runs on the machine.

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ENVIRONMENT_FIELDS_H_
