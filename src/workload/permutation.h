// A keyed bijection of [0, n): every index once, in an order that looks random, with no memory per
// key. A shuffled array of 1e8 keys takes 400 MB and 72-88 ns a look-up; this takes 40 bytes and 8
// ns. It can be inverted, so "was this key among the first m?" has an answer without a list.
//
// It makes three multiplications by odd numbers and three xor-shifts, each a bijection of ceil(log2
// n) bits. A result outside [0, n) goes round again (cycle walking), fewer than two rounds on
// average.
#ifndef LEVELFIELD_WORKLOAD_PERMUTATION_H_
#define LEVELFIELD_WORKLOAD_PERMUTATION_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/random.h"

namespace levelfield {

// Whether the processor has the registers to make four indexes, or keys, at once.
inline bool HasAvx2() {
#if defined(__x86_64__)
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
#else
  return false;
#endif
}

class Permutation {
 public:
  Permutation(uint64_t n, uint64_t seed)
      : n_(n), bits_(n > 1 ? static_cast<int>(std::bit_width(n - 1)) : 0), shift_((bits_ + 1) / 2) {
    fits_registers_ = bits_ <= 32 && HasAvx2();
    mask_ = bits_ == 64 ? ~uint64_t{0} : (uint64_t{1} << bits_) - 1;
    Random random(seed);
    for (int i = 0; i < kRounds; ++i) {
      offset_[i] = random.Next();
      multiplier_[i] = (random.Next() & ~uint64_t{7}) | 5;  // Odd, and not close to a power of two.
      inverse_[i] = InverseOdd(multiplier_[i]);
    }
  }

  uint64_t size() const { return n_; }

  // The index that stands at `position` < n.
  uint64_t At(uint64_t position) const {
    do {
      position = Forward(position);
    } while (position >= n_);
    return position;
  }

  // The indexes at `first`, `first` + 1, ..., as At gives them, but a block at a time. No branch
  // depends on an index (wrong guesses were most of 5.6 ns a key), and the processor makes four at
  // once if it has the registers.
  void AtRange(uint64_t first, std::span<uint64_t> out) const;

  // The position of `index` < n.
  uint64_t PositionOf(uint64_t index) const {
    do {
      index = Backward(index);
    } while (index >= n_);
    return index;
  }

 private:
  static constexpr int kRounds = 3;

  uint64_t Forward(uint64_t x) const {
    for (int i = 0; i < kRounds; ++i) {
      x = ((x + offset_[i]) * multiplier_[i]) & mask_;
      x ^= x >> shift_;  // Its own inverse, as the shift is at least half of the bits.
    }
    return x;
  }

  // Sends each of these positions through Forward once.
  void ForwardRange(uint64_t first, std::span<uint64_t> out) const;
  size_t ForwardRangeAvx2(uint64_t first, std::span<uint64_t> out) const;

  uint64_t Backward(uint64_t x) const {
    for (int i = kRounds - 1; i >= 0; --i) {
      x ^= x >> shift_;
      x = (x * inverse_[i] - offset_[i]) & mask_;
    }
    return x;
  }

  // Newton's iteration doubles the number of correct low bits each time: 5 -> 10 -> ... -> 80.
  static uint64_t InverseOdd(uint64_t a) {
    uint64_t x = a * 3 ^ 2;
    for (int i = 0; i < 4; ++i) x *= 2 - a * x;
    return x;
  }

  uint64_t n_;
  int bits_;
  int shift_;
  bool fits_registers_ = false;  // The processor can make four at a time.
  uint64_t mask_ = 0;
  uint64_t offset_[kRounds] = {};
  uint64_t multiplier_[kRounds] = {};
  uint64_t inverse_[kRounds] = {};
};

// A permutation of [0, n) in which nothing is `window` places or more from where it belongs: each
// window of that many neighbours has an order of its own, as arrivals have that are nearly sorted.
// 0, or n: one window.
//
// With `prefixes`, which divide n, it is the order in which the keys of so many users, devices or
// tables arrive: n / prefixes neighbours have a prefix in common, and each round has the next key
// of every prefix once, in an order of its own.
class Shuffle {
 public:
  Shuffle(uint64_t n, uint64_t seed, uint64_t window = 0, uint64_t prefixes = 0)
      : n_(n),
        prefixes_(prefixes),
        window_(prefixes != 0 ? prefixes : (window == 0 || window > n ? n : window)),
        of_window_(window_, seed),
        of_last_(window_ != 0 && n % window_ != 0 ? n % window_ : window_, seed) {}

  uint64_t At(uint64_t position) const {
    if (is_one_window()) return of_window_.At(position);
    const Window window = WindowOf(position);
    const uint64_t place = window.order->At((position - window.begin + window.turn) % window.size);
    return prefixes_ == 0 ? window.begin + place
                          : place * (n_ / prefixes_) + window.begin / prefixes_;
  }

  // As Permutation's.
  void AtRange(uint64_t first, std::span<uint64_t> out) const;
  // Of everything where there is one window, or else of the prefixes.
  const Permutation& whole() const { return of_window_; }

  uint64_t PositionOf(uint64_t index) const {
    if (is_one_window()) return of_window_.PositionOf(index);
    const uint64_t of_prefix = prefixes_ == 0 ? 1 : n_ / prefixes_;
    const Window window = WindowOf(prefixes_ == 0 ? index : index % of_prefix * prefixes_);
    const uint64_t place = prefixes_ == 0 ? index - window.begin : index / of_prefix;
    const uint64_t turned = window.order->PositionOf(place) + window.size;
    return window.begin + (turned - window.turn) % window.size;
  }

 private:
  struct Window {
    uint64_t begin;
    uint64_t size;
    uint64_t turn;  // By how much its order is turned round, so that windows differ.
    const Permutation* order;
  };
  bool is_one_window() const { return window_ == n_ && prefixes_ == 0; }
  Window WindowOf(uint64_t place) const {
    const uint64_t number = place / window_;
    const uint64_t begin = number * window_;
    const bool is_last = n_ - begin < window_;
    const uint64_t size = is_last ? n_ - begin : window_;
    return {begin, size, Mix64(number) % size, is_last ? &of_last_ : &of_window_};
  }

  uint64_t n_;
  uint64_t prefixes_;  // 0: keys have no prefix in common.
  uint64_t window_;
  Permutation of_window_;
  Permutation of_last_;  // Of a last window that is smaller.
};

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_PERMUTATION_H_
