#include "base/program_path.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace levelfield {
namespace {

namespace fs = std::filesystem;

constexpr char kRunning[] = "/proc/self/exe";

// The file that the shell started by this name.
fs::path FileOf(const std::string& argv0) {
  const char* const path = std::getenv("PATH");
  if (argv0.find('/') != std::string::npos || path == nullptr) return argv0;
  std::istringstream places(path);
  for (std::string place; std::getline(places, place, ':');) {
    std::error_code error;
    const fs::path file = fs::path(place.empty() ? "." : place) / argv0;
    if (fs::exists(file, error)) return file;
  }
  return argv0;
}

std::string Find() {
  std::error_code error;
  return fs::read_symlink(kRunning, error).string();
}

const std::string kPath = Find();

}  // namespace

const std::string& ProgramPath() { return kPath; }

std::vector<std::string> NamesOfProgram(const std::string& argv0) {
  constexpr size_t kMostLinks = 40;  // As many as the kernel follows.
  fs::path file = FileOf(argv0);
  std::vector<std::string> names = {file.filename().string()};
  while (names.size() <= kMostLinks) {
    std::error_code error;
    const fs::path target = fs::read_symlink(file, error);
    if (error) break;
    file = file.parent_path() / target;
    names.push_back(file.filename().string());
  }
  return names;
}

Status CheckProgramPath() {
  if (!kPath.empty()) return Status::Ok();
  return Status::Failed(fmt::format(
      "cannot read {}, by which this program finds its plug-ins and starts its workers; is /proc "
      "mounted? (mount -t proc proc /proc)",
      kRunning));
}

const char* ProgramToExecute() {
  struct stat there {};
  struct stat running {};
  const bool is_it = stat(kPath.c_str(), &there) == 0 && stat(kRunning, &running) == 0 &&
                     there.st_dev == running.st_dev && there.st_ino == running.st_ino;
  return is_it ? kPath.c_str() : kRunning;
}

}  // namespace levelfield
