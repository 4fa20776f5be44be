// The table of operations and generators. A new one needs a line here and its own file.
#ifndef LEVELFIELD_OPERATIONS_OPERATIONS_H_
#define LEVELFIELD_OPERATIONS_OPERATIONS_H_

#include "workload/operation.h"

// In the order in which messages list them.
#define LEVELFIELD_OPERATIONS(ROW) \
  ROW(kGet)                        \
  ROW(kPut)                        \
  ROW(kErase)                      \
  ROW(kMerge)                      \
  ROW(kMultiGet)                   \
  ROW(kUpdate)                     \
  ROW(kTransaction)                \
  ROW(kNewIterator)                \
  ROW(kAppend)                     \
  ROW(kXor)                        \
  ROW(kTriple)                     \
  ROW(kReplace)                    \
  ROW(kDispose)                    \
  ROW(kSeriesPut)                  \
  ROW(kSeriesRead)                 \
  ROW(kSeriesExpire)               \
  ROW(kRowIndex)                   \
  ROW(kRowInsert)                  \
  ROW(kRowScan)                    \
  ROW(kGraph)                      \
  ROW(kGraphOfOneNumber)           \
  ROW(kSeek)                       \
  ROW(kSeekAgain)                  \
  ROW(kYcsb)                       \
  ROW(kTrace)                      \
  ROW(kTraceLoad)                  \
  ROW(kNext)                       \
  ROW(kPrev)                       \
  ROW(kCompact)                    \
  ROW(kCompactLevel0)              \
  ROW(kCompactLevel1)              \
  ROW(kOpen)                       \
  ROW(kFlush)                      \
  ROW(kWaitForBackground)          \
  ROW(kVerifyChecksums)            \
  ROW(kBackup)                     \
  ROW(kRestore)                    \
  ROW(kProperty)                   \
  ROW(kHeapProfile)                \
  ROW(kCrc32c)                     \
  ROW(kXxHash)                     \
  ROW(kXxHash64)                   \
  ROW(kXxh3)                       \
  ROW(kAcquireLoad)                \
  ROW(kCompress)                   \
  ROW(kCompressReject)             \
  ROW(kUncompress)                 \
  ROW(kEraseRange)                 \
  ROW(kMix)

namespace levelfield::operations {

#define LEVELFIELD_DECLARE(ROW) extern const Operation ROW;
LEVELFIELD_OPERATIONS(LEVELFIELD_DECLARE)
#undef LEVELFIELD_DECLARE

}  // namespace levelfield::operations

#endif  // LEVELFIELD_OPERATIONS_OPERATIONS_H_
