#include "workload/original_values.h"

#include <algorithm>
#include <cstring>

#include "workload/key_sequence.h"

namespace levelfield {
namespace {

constexpr size_t kOriginalPieceBytes = 100;
constexpr uint64_t kSeed = 301;
constexpr uint32_t kPrintable = 95;  // ' ' to '~'.

}  // namespace

OriginalValues::OriginalValues(double compression_ratio) {
  const auto random_bytes = static_cast<size_t>(
      std::max(1, static_cast<int>(static_cast<double>(kOriginalPieceBytes) * compression_ratio)));
  ParkMiller random(kSeed);
  std::string piece;
  while (buffer_.size() < kMostValueBytes) {
    piece.clear();
    for (size_t i = 0; i < random_bytes; ++i) {
      piece.push_back(static_cast<char>(' ' + random.Next() % kPrintable));
    }
    for (size_t i = 0; piece.size() < kOriginalPieceBytes; ++i) piece.push_back(piece[i]);
    piece.resize(kOriginalPieceBytes);
    buffer_ += piece;
  }
}

void OriginalValues::Write(uint64_t, uint32_t version, size_t size, char* out) const {
  std::memcpy(out, buffer_.data() + (version - 1), size);
}

std::optional<uint32_t> OriginalValues::VersionOf(uint64_t, lf_bytes) const { return std::nullopt; }

std::string OriginalValues::WhyAnonymous(size_t) const {
  return "the values of --compat=exact do not name their key";
}

}  // namespace levelfield
