// Whether somebody else could put another thing in the place of a path while it is in use. Engines
// open and remove files by name for their whole life, also in child processes: who may rename a
// directory above a store can put a symlink there, and have the engine remove files that are ours.
//
// Such a place is refused. To hold the store by a descriptor instead does not work for all engines:
// of /proc/self/fd/N/db/file SQLite 3.40 makes the plain path again before it opens anything, and
// so it does of a path that is relative to the working directory.
//
// A directory is safe when everybody who may change its entries could have us do worse anyway:
// root, this process's own user, and who may replace the program that runs. A path is safe when all
// directories on it are, for then its names stay what they are. Where this process is root the mode
// counts as well as the owner: nobody else may write to it, unless the sticky bit keeps the entries
// of others from them. An ordinary user is not held up in directories that are root's or his own.
//
// Any thread may call.
#ifndef LEVELFIELD_BASE_PATH_OWNERS_H_
#define LEVELFIELD_BASE_PATH_OWNERS_H_

#include <sys/stat.h>

#include <string>

#include "base/status.h"

namespace levelfield {

// Whether nobody but those above may act as this user.
bool IsTrustedUser(uid_t user);

// Who else may change the entries of the directory, and what to do: "/srv/bench belongs to user bob
// (uid 1001), who could put something else in its place while it is in use; ...". Empty: nobody.
// `has_access_list`: it has an access control list besides the bits of its mode.
std::string WhoElseMayChange(const std::string& directory, const struct stat& status,
                             bool has_access_list = false);

// kUsage where somebody else could redirect the path, or as much of it as exists.
Status CheckNobodyElseCanRedirect(const std::string& path);

// Makes `path`, with what is missing above it, or where that is taken `path`-2, `path`-3, ... to
// `path`-100; its path comes back. Of those who ask at the same time each gets another one. kUsage
// where that fails, or somebody else could redirect the path.
StatusOr<std::string> MakeNewDirectory(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_PATH_OWNERS_H_
