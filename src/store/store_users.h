// Whether another program has a store open. Some engines lock their files and some do not (Berkeley
// DB's private environments are broken by a second opener, and nobody is told), so the harness asks
// the kernel before it lets any engine near a store that it did not just make. What it cannot see
// are processes of other users, where it is not root, and those outside of its own container.
#ifndef LEVELFIELD_STORE_STORE_USERS_H_
#define LEVELFIELD_STORE_STORE_USERS_H_

#include <string>

#include "base/status.h"

namespace levelfield {

// kUsage that names the process and the file that it has open: one below the directory `database`,
// or the file of that name and those beside it whose names begin with its own ("bench.db-wal").
// This process does not count. Reads /proc, some milliseconds.
Status CheckNobodyUses(const std::string& database);

}  // namespace levelfield

#endif  // LEVELFIELD_STORE_STORE_USERS_H_
