// The fields of the environment (environment.h), and the files in which a machine describes itself.
// Each file in this directory lists the fields of one part of the machine in a table. A new field
// is one row there. Changes nothing. Any thread may call.
#ifndef LEVELFIELD_RESULT_ENVIRONMENT_MACHINE_H_
#define LEVELFIELD_RESULT_ENVIRONMENT_MACHINE_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/text.h"
#include "result/environment.h"
#include "result/environment/mounts.h"

namespace levelfield {

using Json = nlohmann::ordered_json;

// The parts of files that several fields need are looked up once. A missing file is the only
// failure.
struct Machine {
  Machine(const std::string& store, const EnvironmentSource& source);

  std::string root;
  std::string started;
  std::string store_path;
  StatusOr<std::vector<Mount>> mounts;
  // The mount that the store is on, or will be on.
  StatusOr<Mount> store_mount;
  // Directory below /sys that describes the block device of the store.
  StatusOr<std::string> store_device;

  std::string At(const std::string& path) const { return root == "/" ? path : root + path; }

  // The file's text, trimmed. Its bytes may be anything. A longer file is read only up to
  // max_bytes: /proc/cpuinfo of a large machine takes tens of milliseconds, and only its first
  // processor is needed.
  StatusOr<std::string> Read(const std::string& path, size_t max_bytes = 16384) const;
  bool Exists(const std::string& path) const;
  // Sorted.
  StatusOr<std::vector<std::string>> NamesIn(const std::string& path) const;

 private:
  StatusOr<std::vector<Mount>> FindMounts() const;
  StatusOr<Mount> FindStoreMount() const;
  StatusOr<std::string> FindStoreDevice() const;
};

enum EnvironmentPart {
  kHardware,  // Hardware, kernel and its settings. The fingerprint covers these.
  kPlace,     // The chosen disk and the limits in force, if they matter for speed.
  kMoment     // Depends on the run, the moment, or this program.
};

// A field's value, or why it cannot be read.
struct Reading {
  template <class Value>
  Reading(Value value) : json(std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Reading(const Status& why)
      : json(Unknown(why.message())) {}  // NOLINT(google-explicit-constructor)

  Json json;
};

struct EnvironmentField {
  const char* name;
  EnvironmentPart part;
  Reading (*value)(const Machine& machine, const char* argument);
  const char* argument;
};

// Each is in the file of that name.
std::span<const EnvironmentField> ProcessorFields();     // Also the board and the hypervisor.
std::span<const EnvironmentField> KernelFields();        // Also its settings, and the memory.
std::span<const EnvironmentField> ControlGroupFields();  // The limits on our control group.
std::span<const EnvironmentField> StoreMediumFields();   // The store's file system and disk.
// This process, and the libraries loaded into it.
std::span<const EnvironmentField> ProcessFields();
std::span<const EnvironmentField> ActivityFields();  // What else runs on the machine.

// Readings of several parts.

// A count, if the text is one.
Json NumberOrText(const std::string& text);
// The content of a file of one line.
Reading Line(const Machine& machine, const char* path);
// "0-3,8" -> 0 1 2 3 8
StatusOr<std::vector<uint64_t>> NumberList(const Machine& machine, const std::string& path);
// The count of the numbers in such a list.
Reading CountOfList(const Machine& machine, const char* path);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ENVIRONMENT_MACHINE_H_
