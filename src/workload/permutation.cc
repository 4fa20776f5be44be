#include "workload/permutation.h"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace levelfield {

#if defined(__x86_64__)
// For up to 32 bits, where the low bits of a product come from the low 32 of the factors. Makes as
// many as fill whole registers; returns how many.
[[gnu::target("avx2")]] size_t Permutation::ForwardRangeAvx2(uint64_t first,
                                                             std::span<uint64_t> out) const {
  const auto all = [](uint64_t x) { return static_cast<long long>(x); };
  const __m256i mask = _mm256_set1_epi64x(all(mask_));
  const __m128i shift = _mm_cvtsi32_si128(shift_);
  __m256i offset[kRounds];
  __m256i multiplier[kRounds];
  for (int i = 0; i < kRounds; ++i) {
    offset[i] = _mm256_set1_epi64x(all(offset_[i]));
    multiplier[i] = _mm256_set1_epi64x(all(multiplier_[i]));
  }
  __m256i position =
      _mm256_add_epi64(_mm256_set1_epi64x(all(first)), _mm256_set_epi64x(3, 2, 1, 0));
  size_t made = 0;
  for (; made + 4 <= out.size(); made += 4) {
    __m256i x = position;
    for (int i = 0; i < kRounds; ++i) {
      x = _mm256_and_si256(_mm256_mul_epu32(_mm256_add_epi64(x, offset[i]), multiplier[i]), mask);
      x = _mm256_xor_si256(x, _mm256_srl_epi64(x, shift));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out.data() + made), x);
    position = _mm256_add_epi64(position, _mm256_set1_epi64x(4));
  }
  return made;
}

#else
size_t Permutation::ForwardRangeAvx2(uint64_t, std::span<uint64_t>) const { return 0; }
#endif

void Permutation::ForwardRange(uint64_t first, std::span<uint64_t> out) const {
  for (size_t i = fits_registers_ ? ForwardRangeAvx2(first, out) : 0; i < out.size(); ++i) {
    out[i] = Forward(first + i);
  }
}

void Permutation::AtRange(uint64_t first, std::span<uint64_t> out) const {
  constexpr size_t kBlock = 128;
  uint8_t outside[kBlock];  // The places whose index must go round again.
  for (; !out.empty(); first += kBlock, out = out.subspan(std::min(kBlock, out.size()))) {
    const std::span<uint64_t> block = out.first(std::min(kBlock, out.size()));
    ForwardRange(first, block);
    size_t left = 0;
    for (size_t i = 0; i < block.size(); ++i) {
      outside[left] = static_cast<uint8_t>(i);
      left += block[i] >= n_ ? 1 : 0;
    }
    while (left != 0) {
      const size_t walking = left;
      left = 0;
      for (size_t i = 0; i < walking; ++i) {
        const uint8_t place = outside[i];
        const uint64_t index = Forward(block[place]);
        block[place] = index;
        outside[left] = place;
        left += index >= n_ ? 1 : 0;
      }
    }
  }
}

void Shuffle::AtRange(uint64_t first, std::span<uint64_t> out) const {
  if (is_one_window()) return of_window_.AtRange(first, out);
  for (uint64_t& index : out) index = At(first++);
}

}  // namespace levelfield
