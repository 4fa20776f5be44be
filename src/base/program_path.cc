#include "base/program_path.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

namespace levelfield {
namespace {

constexpr char kRunning[] = "/proc/self/exe";

std::string Find() {
  std::error_code error;
  return std::filesystem::read_symlink(kRunning, error).string();
}

const std::string kPath = Find();

}  // namespace

const std::string& ProgramPath() { return kPath; }

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
