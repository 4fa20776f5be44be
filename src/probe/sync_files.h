// Has the files of one store written to the device, and those of no other: after it the device owes
// the store nothing, and its counters have all that the store's writes came to.
#ifndef LEVELFIELD_PROBE_SYNC_FILES_H_
#define LEVELFIELD_PROBE_SYNC_FILES_H_

#include <string>

#include "base/status.h"

namespace levelfield {

// `path` is a directory, with what is in and below it, or a file. A file that goes away meanwhile
// needs no sync.
Status SyncFiles(const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_PROBE_SYNC_FILES_H_
