#include "result/histogram_json.h"

#include <optional>
#include <utility>
#include <vector>

#include "result/json_reader.h"

namespace levelfield {

Json ToJson(const SparseHistogram& histogram) {
  Json buckets = Json::array();
  for (const Histogram::Bucket& bucket : histogram.NonEmpty()) {
    buckets.push_back({bucket.bucket, bucket.count});
  }
  return {{"sub_bucket_bits", Histogram::kSubBucketBits},
          {"count", histogram.Count()},
          {"sum", histogram.Sum()},
          {"min", histogram.Min()},
          {"max", histogram.Max()},
          {"buckets", std::move(buckets)}};
}

StatusOr<SparseHistogram> HistogramFromJson(const Json& json) {
  Reader reader(json, "a histogram");
  std::vector<Histogram::Bucket> buckets;
  if (reader.Get<uint64_t>("sub_bucket_bits") != Histogram::kSubBucketBits) {
    reader.Fail("has another width of its buckets than this program");
  }
  for (const Json& bucket : reader.Member("buckets", true)) {
    if (bucket.is_array() && bucket.size() == 2 && bucket[0].is_number_unsigned() &&
        bucket[1].is_number_unsigned()) {
      buckets.push_back({bucket[0].get<uint64_t>(), bucket[1].get<uint64_t>()});
    } else {
      reader.Fail("has a bucket that is no pair of counts");
    }
  }
  std::optional<SparseHistogram> histogram =
      SparseHistogram::Restore(std::move(buckets), reader.Get<uint64_t>("sum"),
                               reader.Get<uint64_t>("min"), reader.Get<uint64_t>("max"));
  if (!histogram || histogram->Count() != reader.Get<uint64_t>("count")) {
    reader.Fail("has buckets that no values fill so");
  }
  if (const Status status = reader.status(); !status.ok()) return status;
  return std::move(*histogram);
}

}  // namespace levelfield
