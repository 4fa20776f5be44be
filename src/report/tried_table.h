// The settings that the pilot of --settings=best tried, as a table and as one line.
#ifndef LEVELFIELD_REPORT_TRIED_TABLE_H_
#define LEVELFIELD_REPORT_TRIED_TABLE_H_

#include <string>

#include "report/model.h"
#include "result/result.h"

namespace levelfield {

// Adds nothing if nothing was tried.
void AddTried(const Result& result, Report& report);

// "settings=best: lmdb.writemap; leveldb, rocksdb as equal". Empty if nothing was tried.
std::string TriedWords(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_TRIED_TABLE_H_
