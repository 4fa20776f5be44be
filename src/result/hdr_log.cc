#include "result/hdr_log.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <vector>

#include "base/text.h"
#include "base/version.h"

namespace levelfield {
namespace {

// The geometry of HdrHistogram with a lowest value of 1 and three significant digits: 2048 counts
// up to 2047, and 1024 to each power of two beyond.
constexpr int kHalfCountBits = 10;
constexpr uint64_t kSubBucketMask = 2047;
constexpr uint32_t kEncodingCookie = 0x1c849303 | 0x10;
constexpr uint32_t kCompressedCookie = 0x1c849304 | 0x10;
constexpr uint64_t kHighestTrackable = 3'600'000'000'000;  // An hour, unless more is needed.
constexpr int kTicksPerHalf = 5;
constexpr double kNsPerMs = 1e6;  // The unit of Interval_Max for histograms of nanoseconds.

size_t HdrIndexOf(uint64_t value) {
  const int bucket = 53 - std::countl_zero(value | kSubBucketMask);
  const uint64_t sub_bucket = value >> bucket;
  return (static_cast<size_t>(bucket) << kHalfCountBits) + sub_bucket;
}

// Each value and its count, ascending. hdr_log.h tells which value stands for a bucket.
std::map<uint64_t, uint64_t> ValuesOf(const SparseHistogram& histogram) {
  std::map<uint64_t, uint64_t> values;
  uint64_t count = histogram.Count();
  if (count == 0) return values;
  std::vector<Histogram::Bucket> buckets = histogram.NonEmpty();
  const auto add_exact = [&](uint64_t value, Histogram::Bucket& bucket) {
    if (bucket.count == 0) return;
    ++values[value];
    --bucket.count;
  };
  add_exact(histogram.Max(), buckets.back());
  add_exact(histogram.Min(), buckets.front());
  for (const auto& [bucket, in_bucket] : buckets) {
    if (in_bucket == 0) continue;
    const uint64_t lowest = Histogram::LowestOf(bucket);
    const uint64_t middle = lowest + (Histogram::HighestOf(bucket) - lowest) / 2;
    values[std::clamp(middle, histogram.Min(), histogram.Max())] += in_bucket;
  }
  return values;
}

template <class Integer>
void PutBigEndian(std::string& bytes, Integer value) {
  for (int shift = static_cast<int>(sizeof(value)) * 8 - 8; shift >= 0; shift -= 8) {
    bytes += static_cast<char>(value >> shift & 0xff);
  }
}

// HdrHistogram's LEB128: seven bits a byte, but all eight in the ninth.
void PutZigZag(std::string& bytes, int64_t value) {
  uint64_t rest = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  for (int i = 0; i < 8 && rest >= 0x80; ++i) {
    bytes += static_cast<char>(rest | 0x80);
    rest >>= 7;
  }
  bytes += static_cast<char>(rest);
}

std::string Compressed(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string compressed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 6);
  compressed.resize(size);
  return compressed;
}

std::string Counts(const SparseHistogram& histogram) {
  std::map<size_t, uint64_t> counts;  // By HdrHistogram's index.
  for (const auto& [value, count] : ValuesOf(histogram)) counts[HdrIndexOf(value)] += count;
  std::string bytes;
  size_t next = 0;
  for (const auto& [index, count] : counts) {
    if (index > next) {
      const auto zeros = static_cast<int64_t>(index - next);
      PutZigZag(bytes, zeros == 1 ? 0 : -zeros);
    }
    PutZigZag(bytes, static_cast<int64_t>(count));
    next = index + 1;
  }
  return bytes;
}

std::string Encoded(const SparseHistogram& histogram) {
  const std::string counts = Counts(histogram);
  const uint64_t max = histogram.Count() == 0 ? 0 : histogram.Max();
  std::string encoded;
  PutBigEndian(encoded, kEncodingCookie);
  PutBigEndian(encoded, static_cast<uint32_t>(counts.size()));
  PutBigEndian(encoded, uint32_t{0});  // Offset of the first count.
  PutBigEndian(encoded, uint32_t{3});  // Significant digits.
  PutBigEndian(encoded, uint64_t{1});  // The lowest discernible value.
  PutBigEndian(encoded, std::max(max, kHighestTrackable));
  PutBigEndian(encoded, std::bit_cast<uint64_t>(1.0));  // The ratio of integers to real numbers.
  encoded += counts;
  const std::string compressed = Compressed(encoded);
  std::string framed;
  PutBigEndian(framed, kCompressedCookie);
  PutBigEndian(framed, static_cast<uint32_t>(compressed.size()));
  return Base64(framed + compressed);
}

}  // namespace

std::string HdrLogHeader(const std::string& comment) {
  return fmt::format(
      "#[{}]\n#[Logged by Levelfield {}; latencies in nanoseconds]\n"
      "#[Histogram log format version 1.3]\n"
      "#[StartTime: 0.000 (seconds since the phase began)]\n"
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n",
      comment, kVersion);
}

std::string HdrLogLine(const std::string& tag, uint64_t begin_ms, uint64_t end_ms,
                       const SparseHistogram& latency_ns) {
  const uint64_t max = latency_ns.Count() == 0 ? 0 : latency_ns.Max();
  return fmt::format("Tag={},{:.3f},{:.3f},{:.3f},{}\n", tag, static_cast<double>(begin_ms) * 1e-3,
                     static_cast<double>(end_ms - begin_ms) * 1e-3,
                     static_cast<double>(max) / kNsPerMs, Encoded(latency_ns));
}

namespace {

constexpr double kFinestLevel = 1e-9;  // Percent.

}  // namespace

std::string HdrPercentiles(const SparseHistogram& latency_ns) {
  std::string text = fmt::format("{:>12} {:>14} {:>10} {:>14}\n\n", "Value", "Percentile",
                                 "TotalCount", "1/(1-Percentile)");
  const auto total = static_cast<double>(latency_ns.Count());
  uint64_t seen = 0;
  double level = 0;  // Percent. A row is due when this share of the values has been seen.
  double squares = 0;
  const double mean = total == 0 ? 0 : static_cast<double>(latency_ns.Sum()) / total;
  const std::map<uint64_t, uint64_t> values = ValuesOf(latency_ns);
  for (const auto& [value, count] : values) {
    seen += count;
    const double distance = static_cast<double>(value) - mean;
    squares += distance * distance * static_cast<double>(count);
    const double reached = 100 * static_cast<double>(seen) / total;
    const bool is_last = static_cast<double>(seen) == total;
    // Above 2^53 values the last one may be indistinguishable from those before it. Then 100 is
    // never passed.
    while (level <= reached && 100 - level > kFinestLevel) {
      text += fmt::format("{:12.3f} {:2.12f} {:10} {:14.2f}\n", static_cast<double>(value),
                          level / 100, seen, 100 / (100 - level));
      const double halvings = std::floor(std::log2(100 / (100 - level))) + 1;
      const double step = 100 / (kTicksPerHalf * std::exp2(halvings));
      // A step of less than one value is too fine.
      if (is_last && step * total < 100) break;
      level += step;
    }
    if (is_last) {
      text += fmt::format("{:12.3f} {:2.12f} {:10}\n", static_cast<double>(value), 1.0, seen);
    }
  }
  text += fmt::format("#[Mean    = {:12.3f}, StdDeviation   = {:12.3f}]\n", mean,
                      total == 0 ? 0 : std::sqrt(squares / total));
  text += fmt::format("#[Max     = {:12.3f}, Total count    = {:12}]\n",
                      total == 0 ? 0 : static_cast<double>(latency_ns.Max()), latency_ns.Count());
  text += fmt::format("#[Buckets = {:12}, SubBuckets     = {:12}]\n", 32, kSubBucketMask + 1);
  return text;
}

}  // namespace levelfield
