#include "base/new_directory.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/path_owners.h"

namespace levelfield {

StatusOr<std::string> MakeNewDirectory(const std::string& path) {
  if (const Status ours = CheckNobodyElseCanRedirect(path); !ours.ok()) return ours;
  constexpr int kAttempts = 100;
  for (int attempt = 1; attempt <= kAttempts; ++attempt) {
    const std::string name = attempt == 1 ? path : fmt::format("{}-{}", path, attempt);
    std::error_code error;
    if (std::filesystem::create_directories(name, error)) return name;
    if (error) {
      return Status::Usage(fmt::format("cannot make the directory {}: {}", name, error.message()));
    }
  }
  return Status::Usage(fmt::format("{} and all up to {}-{} are taken", path, path, kAttempts));
}

}  // namespace levelfield
