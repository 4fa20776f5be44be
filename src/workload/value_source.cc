#include "workload/value_source.h"

#include <algorithm>

namespace levelfield {
namespace {

// The pool is a row of pieces: random bytes, which no compressor shortens, then a run of one byte,
// which all of them shorten to almost nothing. What a piece costs beyond its random bytes differs:
//   - a run costs Snappy 3 bytes to every 64 (its longest copy), LZ4 1 to 255, Zstd nothing;
//   - through n bytes that do not repeat, Snappy's steps grow to n / 32; it meets the run half a
//     step late and knows it a step later, and does not go back as LZ4 and Zstd do; a run of two
//     bytes in turn, as it is in values that are kept apart, it knows half a step later still;
//   - the tags of one literal and one match are 4 to 6 bytes for all of them.
// The random part gives up the middle of the dearest and the cheapest. Each compressor then comes
// out within 0.03 of the declared ratio, Snappy above, Zstd below. Nearer than half of Snappy's
// 3/64 no pool can bring them together whose runs are found within any one short value.
constexpr size_t kPieceBytes = 1024;
constexpr double kRunCost = 0.5 * 3 / 64;
constexpr double kLateCost = 0.5 * 2 / 32;
constexpr double kPieceCost = 5.0 / kPieceBytes;

std::string MakePool(size_t bytes, double compression_ratio, uint64_t seed) {
  const double random_share =
      compression_ratio >= 1
          ? 1
          : std::clamp((compression_ratio - kRunCost - kPieceCost) / (1 - kRunCost + kLateCost),
                       0.0, 1.0);
  Random random(seed);
  std::string pool;
  pool.reserve(bytes + 2 * kPieceBytes);
  while (pool.size() < bytes) {
    // Half to one and a half of the mean, so that no compressor's stride falls in with the pieces.
    const uint64_t piece = kPieceBytes / 2 + random.Below(kPieceBytes);
    const auto random_bytes = static_cast<size_t>(random_share * static_cast<double>(piece));
    for (size_t i = 0; i < random_bytes; ++i) {
      pool.push_back(static_cast<char>(random.Next() >> 56));
    }
    pool.append(piece - random_bytes, static_cast<char>(random.Next() >> 56));
  }
  pool.resize(bytes);
  return pool;
}

}  // namespace

// The pool's seed is fixed: two runs with other salts write other bytes of the same statistics.
ValueSource::ValueSource(uint64_t salt, size_t max_value_size, double compression_ratio)
    : salt_(salt),
      max_value_size_(max_value_size),
      pool_(MakePool(kPoolBytes + max_value_size, compression_ratio, 301)) {}

}  // namespace levelfield
