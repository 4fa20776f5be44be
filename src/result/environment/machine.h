// The files in which a machine describes itself, and the parts of them that several fields of the
// environment (environment.h) need, looked up once. A missing file is the only failure. Changes
// nothing. Only for the readers of the fields. Each thread may use its own.
#ifndef LEVELFIELD_RESULT_ENVIRONMENT_MACHINE_H_
#define LEVELFIELD_RESULT_ENVIRONMENT_MACHINE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "result/environment.h"
#include "result/environment/mounts.h"

namespace levelfield {

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

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_ENVIRONMENT_MACHINE_H_
