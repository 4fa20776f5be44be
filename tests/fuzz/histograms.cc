#include <cstdlib>

#include "base/json_text.h"
#include "base/text.h"
#include "result/hdr_log.h"
#include "result/result_json.h"
#include "stats/histogram.h"
#include "targets.h"

namespace levelfield::fuzz {

void Histograms(std::string_view bytes) {
  Histogram sum;
  size_t lines = 0;
  for (const std::string& line : LinesOf(bytes)) {
    if (++lines > 16) return;
    const StatusOr<nlohmann::ordered_json> json = ParseBoundedJson(line);
    if (!json.ok()) continue;
    const StatusOr<SparseHistogram> histogram = HistogramFromJson(*json);
    if (!histogram.ok()) continue;
    const Histogram whole = histogram->Whole();
    if (ToJson(SparseHistogram(whole)) != ToJson(*histogram)) std::abort();
    for (const double share : {0.5, 0.99, 0.99999}) (void)histogram->Percentile(share);
    MustBePlain(HdrLogLine("get", 0, lines, *histogram));
    MustBePlain(HdrPercentiles(*histogram));
    // As a report adds up rounds; counts that are too large for 64 bits begin again at 0.
    sum.Merge(whole);
    MustBePlain(HdrPercentiles(sum));
  }
}

}  // namespace levelfield::fuzz
