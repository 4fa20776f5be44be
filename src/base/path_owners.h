// Whether somebody else could replace a path while it is in use. Engines open and remove files by
// name for their whole life, also in child processes. Whoever may rename a directory above a store
// can put a symlink there, and so have the engine remove files that are ours.
//
// Such a place is refused. Holding the store by a descriptor instead does not work for all engines:
// SQLite 3.40 turns /proc/self/fd/N/db/file back into the plain path before it opens anything, and
// does the same with a path relative to the working directory.
//
// A directory is safe when everybody who may change its entries could harm us more anyway: root,
// this process's own user, and whoever may replace the program that runs. A path is safe when all
// directories on it are, because then its names stay what they are. If this process is root, the
// mode counts as well as the owner: nobody else may write to it, unless the sticky bit protects
// other users' entries. An ordinary user may work in directories that belong to root or to that
// user.
//
// Any thread may call.
#ifndef LEVELFIELD_BASE_PATH_OWNERS_H_
#define LEVELFIELD_BASE_PATH_OWNERS_H_

#include <string>

#include "base/status.h"

namespace levelfield {

// kUsage if somebody else could redirect the path, or as much of it as exists.
Status CheckNobodyElseCanRedirect(const std::string& path);

// For a file whose code is to run in this process, such as a plug-in. kUsage if this process is
// root's and somebody else could change the file or redirect its path.
Status CheckNobodyElseCanChange(const std::string& file);

// Makes `path`, with its missing parents, or if that is taken `path`-2, `path`-3, ... to
// `path`-100, and returns the path that it made. Callers at the same time get different ones.
// kUsage if that fails, or if somebody else could redirect the path.
StatusOr<std::string> MakeNewDirectory(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_PATH_OWNERS_H_
