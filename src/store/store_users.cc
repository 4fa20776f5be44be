#include "store/store_users.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "base/quote.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// The file of the store that the process has open; nothing where it has none, or may not be looked
// at.
std::optional<std::string> FileOpenIn(const fs::path& process, const std::string& prefix) {
  std::error_code error;
  for (fs::directory_iterator it(process / "fd", error), end; !error && it != end;
       it.increment(error)) {
    std::error_code gone;
    const std::string file = fs::read_symlink(it->path(), gone).string();
    if (!gone && file.starts_with(prefix)) return file;
  }
  return std::nullopt;
}

}  // namespace

Status CheckNobodyUses(const std::string& database) {
  std::error_code error;
  const fs::path path = fs::canonical(database, error);
  if (error) return Status::Ok();  // What is not there is told by who opens it.
  const std::string prefix = path.string() + (fs::is_directory(path, error) ? "/" : "");
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    const std::string pid = it->path().filename();
    if (pid.find_first_not_of("0123456789") != pid.npos || pid == std::to_string(getpid())) {
      continue;
    }
    const std::optional<std::string> file = FileOpenIn(it->path(), prefix);
    if (!file) continue;
    std::string name;
    std::ifstream comm(it->path() / "comm");
    std::getline(comm, name);
    return Status::Usage(fmt::format(
        "cannot use {}: process {} ({}) has {} open; not every engine notices a second one, and a "
        "store that is in use is not measured either: wait until that has ended, or copy the store",
        Printable(database), pid, Printable(name), Printable(*file)));
  }
  return Status::Ok();
}

}  // namespace levelfield
