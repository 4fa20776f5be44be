// The page of a suite, docs/experiments/<suite>.md. It shows the published figures beside those
// that were measured here, how they were measured, and where published figures contradict each
// other. Each section has the ratios between engines, then and now, and says whether their order
// changed. Everything is computed from suites/<suite>.json and the results. Pure.
#ifndef LEVELFIELD_REPORT_PUBLISHED_PUBLISHED_PAGE_H_
#define LEVELFIELD_REPORT_PUBLISHED_PUBLISHED_PAGE_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "report/published/published.h"
#include "result/result.h"

namespace levelfield {

struct PublishedPage {
  std::string text;
  size_t published = 0;  // Published figures that are looked up in the results.
  size_t missing = 0;    // Those that nobody has run. Each has a row that says so.
};

// `suite` is its name. The same results give the same bytes.
StatusOr<PublishedPage> RenderPublishedPage(const std::string& suite, const Published& published,
                                            const std::vector<Result>& results);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PUBLISHED_PUBLISHED_PAGE_H_
