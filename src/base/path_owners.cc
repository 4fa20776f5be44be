#include "base/path_owners.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <deque>
#include <filesystem>
#include <optional>
#include <set>

#include "base/program_path.h"
#include "base/quote.h"
#include "base/unique_fd.h"

namespace levelfield {
namespace {

namespace fs = std::filesystem;

// Users who can make this process do anything: they may replace its own program, or a directory
// above that.
struct Trusted {
  std::set<uid_t> users = {0};
  std::set<gid_t> groups = {0};
  bool everybody = false;
};

void Add(const struct stat& status, Trusted& trusted) {
  trusted.users.insert(status.st_uid);
  if ((status.st_mode & S_ISVTX) != 0) return;
  if ((status.st_mode & S_IWGRP) != 0) trusted.groups.insert(status.st_gid);
  trusted.everybody = trusted.everybody || (status.st_mode & S_IWOTH) != 0;
}

Trusted WhoMayReplaceTheProgram() {
  Trusted trusted;
  fs::path at = ProgramPath();
  while (!at.empty()) {
    struct stat status;
    if (lstat(at.c_str(), &status) == 0) Add(status, trusted);
    if (!at.has_relative_path()) break;
    at = at.parent_path();
  }
  return trusted;
}

const Trusted& TrustedHere() {
  static const Trusted kTrusted = WhoMayReplaceTheProgram();
  return kTrusted;
}

std::string UserName(uid_t user) {
  std::array<char, 4096> buffer;
  passwd entry;
  passwd* found = nullptr;
  getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
  return found != nullptr ? fmt::format("user {} (uid {})", found->pw_name, user)
                          : fmt::format("uid {}", user);
}

std::string GroupName(gid_t group) {
  std::array<char, 4096> buffer;
  struct group entry;
  struct group* found = nullptr;
  getgrgid_r(group, &entry, buffer.data(), buffer.size(), &found);
  return found != nullptr ? fmt::format("group {} (gid {})", found->gr_name, group)
                          : fmt::format("gid {}", group);
}

std::optional<fs::path> TargetOf(const UniqueFd& symlink) {
  std::array<char, PATH_MAX> target;
  const ssize_t size = readlinkat(symlink.get(), "", target.data(), target.size());
  if (size <= 0) return std::nullopt;
  return fs::path(std::string(target.data(), static_cast<size_t>(size)));
}

constexpr const char* kHarm = "could put something else in its place while it is in use";

// Whether nobody else may act as this user.
bool IsTrustedUser(uid_t user) {
  const Trusted& trusted = TrustedHere();
  return user == geteuid() || trusted.everybody || trusted.users.contains(user);
}

// Who else may change the entries of the directory, and what to do: "/srv/bench belongs to user bob
// (uid 1001), who could put something else in its place while it is in use; ...". Empty: nobody.
// `has_access_list`: it has an access control list besides its mode bits.
std::string WhoElseMayChange(const std::string& directory, const struct stat& status,
                             bool has_access_list) {
  const Trusted& trusted = TrustedHere();
  if (!IsTrustedUser(status.st_uid)) {
    return fmt::format(
        "{} belongs to {}, who {}; run as that user, or name a directory below those that are "
        "root's or yours, such as /var/tmp/levelfield",
        Printable(directory), UserName(status.st_uid), kHarm);
  }
  if (geteuid() != 0 || trusted.everybody || (status.st_mode & S_ISVTX) != 0) return "";
  if ((status.st_mode & S_IWOTH) != 0) {
    return fmt::format(
        "everybody may write to {}, and so {}; say `chmod o-w {}`, or name another "
        "directory, such as /var/tmp/levelfield",
        Printable(directory), kHarm, Printable(directory));
  }
  // Then the group's bits are the most that anybody in the list may do.
  if (has_access_list && (status.st_mode & S_IWGRP) != 0) {
    return fmt::format(
        "{} has an access control list by which others may write to it (getfacl "
        "shows it), and so {}; say `setfacl -b {}`, or name another directory, such "
        "as /var/tmp/levelfield",
        Printable(directory), kHarm, Printable(directory));
  }
  if ((status.st_mode & S_IWGRP) != 0 && !trusted.groups.contains(status.st_gid)) {
    return fmt::format(
        "{} may write to {}, and so {}; say `chmod g-w {}`, or name another "
        "directory, such as /var/tmp/levelfield",
        GroupName(status.st_gid), Printable(directory), kHarm, Printable(directory));
  }
  return "";
}

// For a file opened with O_PATH, whose own attributes cannot be read.
bool HasAccessList(const UniqueFd& file) {
  const std::string path = fmt::format("/proc/self/fd/{}", file.get());
  return getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

// Checks a directory or a symlink on the way; empty: it is safe, as is anything else.
std::string WhyNotSafe(const std::string& path, const UniqueFd& file, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) return WhoElseMayChange(path, status, HasAccessList(file));
  if (!S_ISLNK(status.st_mode) || IsTrustedUser(status.st_uid)) return "";
  return fmt::format("{} is a symlink of {}; name the directory that it points to", Printable(path),
                     UserName(status.st_uid));
}

}  // namespace

// From the root, each by its name in the one before. What is found there stays there, because
// nobody else may change the one before. So they need not all be checked at the same moment.
Status CheckNobodyElseCanRedirect(const std::string& path) {
  const auto refused = [&](const std::string& why) {
    return Status::Usage(fmt::format("cannot use {}: {}", Printable(path), why));
  };
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  if (error) return refused(error.message() + "; name an absolute path");
  std::deque<fs::path> ahead(absolute.begin(), absolute.end());
  fs::path here;
  UniqueFd at;
  int symlinks = 0;
  while (!ahead.empty()) {
    const fs::path name = ahead.front();
    ahead.pop_front();
    if (name.empty()) continue;  // After a slash at the end.
    const fs::path next_path = here / name;
    UniqueFd next(
        openat(at.ok() ? at.get() : AT_FDCWD, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status;
    if (!next.ok() || fstat(next.get(), &status) != 0) {
      // Whoever needs what does not exist yet makes it, or reports it.
      if (errno == ENOENT || errno == ENOTDIR) return Status::Ok();
      return refused(fmt::format("{}: {}; name another directory", Printable(next_path.string()),
                                 std::strerror(errno)));
    }
    const std::string why = WhyNotSafe(next_path.string(), next, status);
    if (!why.empty()) return refused(why);
    if (S_ISLNK(status.st_mode)) {
      const std::optional<fs::path> target = TargetOf(next);
      if (!target || ++symlinks > 40) return Status::Ok();  // Leads nowhere.
      ahead.insert(ahead.begin(), target->begin(), target->end());
      continue;
    }
    here = name == ".." ? here.parent_path() : next_path;
    at = std::move(next);
  }
  return Status::Ok();
}

Status CheckNobodyElseCanChange(const std::string& file) {
  struct stat status;
  if (geteuid() != 0 || stat(file.c_str(), &status) != 0) return Status::Ok();
  const auto refused = [&](const std::string& why, std::string_view change) {
    return Status::Usage(fmt::format(
        "cannot use {}: {}, and its code would run as root; say `{} {}`, or run as another user",
        Printable(file), why, change, Printable(file)));
  };
  const Trusted& trusted = TrustedHere();
  if (!IsTrustedUser(status.st_uid)) {
    return refused("it belongs to " + UserName(status.st_uid), "chown root");
  }
  if (!trusted.everybody && (status.st_mode & S_IWOTH) != 0) {
    return refused("everybody may write to it", "chmod o-w");
  }
  // Where there is an access control list, the group's bits are the most that it allows.
  if (!trusted.everybody && (status.st_mode & S_IWGRP) != 0 &&
      !trusted.groups.contains(status.st_gid)) {
    return refused(GroupName(status.st_gid) + " may write to it", "chmod g-w");
  }
  return CheckNobodyElseCanRedirect(file);
}

StatusOr<std::string> MakeNewDirectory(const std::string& path) {
  RETURN_IF_ERROR(CheckNobodyElseCanRedirect(path));
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
