#include "workload/value_source.h"

#include <algorithm>

namespace levelfield {
namespace {

// The pool is a row of pieces: random bytes, which no compressor shortens, then a run of one byte,
// which all of them shorten to almost nothing. What a run costs is Snappy's 3 bytes to every 64 at
// the worst and next to nothing in LZ4 and Zstd; the random part gives up the middle of the two, so
// that each compressor comes out within 3 % of the declared ratio.
constexpr size_t kPieceBytes = 1024;
constexpr double kRunCost = 0.5 * 3 / 64;
constexpr double kPieceCost = 8.0 / kPieceBytes;  // The literal's and the match's own tags.

std::string MakePool(size_t bytes, double compression_ratio, uint64_t seed) {
  const double random_share =
      compression_ratio >= 1
          ? 1
          : std::clamp((compression_ratio - kRunCost - kPieceCost) / (1 - kRunCost), 0.0, 1.0);
  const auto random_bytes = static_cast<size_t>(random_share * kPieceBytes);
  Random random(seed);
  std::string pool;
  pool.reserve(bytes + kPieceBytes);
  while (pool.size() < bytes) {
    for (size_t i = 0; i < random_bytes; ++i)
      pool.push_back(static_cast<char>(random.Next() >> 56));
    pool.append(kPieceBytes - random_bytes, static_cast<char>(random.Next() >> 56));
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
