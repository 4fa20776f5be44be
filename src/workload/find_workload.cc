#include "workload/find_workload.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/text.h"
#include "workload/names_not_run.h"
#include "workload/workload_file.h"

namespace levelfield {

StatusOr<WorkloadText> FindWorkload(const std::string& name_or_path) {
  if (name_or_path.ends_with(".workload")) {
    std::ifstream file(name_or_path, std::ios::binary);
    if (!file) {
      return Status::Usage(
          fmt::format("--benchmarks: cannot read the workload file {}", name_or_path));
    }
    std::string text(kMostWorkloadBytes + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<size_t>(file.gcount()));
    return WorkloadText{std::filesystem::path(name_or_path).stem().string(), std::move(text)};
  }
  std::vector<std::string> names;
  for (const auto& [name, text] : BuiltinWorkloads()) {
    if (name == name_or_path) return WorkloadText{name_or_path, std::string(text)};
    names.emplace_back(name);
  }
  if (const std::string_view why = WhyNotRun(name_or_path); !why.empty()) {
    return Status::Usage(fmt::format(
        "--benchmarks: '{}' {}, so it is not run here. `levelfield workloads` lists what is.",
        name_or_path, why));
  }
  return Status::Usage(fmt::format(
      "--benchmarks: no workload is called '{}'{} `levelfield workloads` lists them; a file of "
      "your "
      "own is given by its path, ending in .workload.",
      name_or_path, DidYouMean(name_or_path, names, ".")));
}

}  // namespace levelfield
