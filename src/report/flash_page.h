// The page docs/rocksdb_flash.md: the figures that RocksDB's wiki published in 2018 for five tests,
// beside those of results of the same jobs, with ratios, and where the published figures contradict
// each other. All of it is computed from the published numbers and the results. Pure.
#ifndef LEVELFIELD_REPORT_FLASH_PAGE_H_
#define LEVELFIELD_REPORT_FLASH_PAGE_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "result/result.h"

namespace levelfield {

// An error where a result of one of the five jobs is missing, or voids its numbers.
StatusOr<std::string> RenderFlashPage(const std::vector<Result>& results);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_FLASH_PAGE_H_
