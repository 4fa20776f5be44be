// A phase measured in slices of some milliseconds, which alternate with the same phase of other
// workers on the same processors. Its n-th slice ran right beside the n-th slice of each of them.
// Plain data.
#ifndef LEVELFIELD_RESULT_SLICES_H_
#define LEVELFIELD_RESULT_SLICES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "result/fields.h"

namespace levelfield {

// Values of the first role over all its threads. A value covers one slice, or several neighbours.
struct Slices {
  // Limits the number of values. An hour of slices would be a line of 10 MB.
  static constexpr size_t kMost = 4000;

  double seconds = 0;             // Planned length of a slice of one thread.
  uint64_t slices_per_value = 1;  // A power of 2. The last value may cover fewer.
  std::vector<uint64_t> operations;
  std::vector<uint64_t> active_ns;  // Time of its threads without frozen and waiting time.
  std::vector<uint64_t> cpu_ns;     // CPU time that they used in it.
  // The part of the active time in which they could have run, but other processes had the
  // processors.
  std::vector<uint64_t> kept_ns;

  static constexpr Fields kFields{"the slices of a phase",
                                  Field("seconds", &Slices::seconds),
                                  Field("slices_per_value", &Slices::slices_per_value).Newer(),
                                  Field("operations", &Slices::operations),
                                  Field("active_ns", &Slices::active_ns),
                                  Field("cpu_ns", &Slices::cpu_ns),
                                  Field("kept_ns", &Slices::kept_ns)};
  static constexpr std::vector<uint64_t> Slices::*kLists[] = {
      &Slices::operations, &Slices::active_ns, &Slices::cpu_ns, &Slices::kept_ns};

  // Adds the slice of that number, from 0. `of_lists` has the order of the lists.
  void Add(uint64_t number, const std::array<uint64_t, std::size(kLists)>& of_lists) {
    const bool is_new = number % slices_per_value == 0;
    for (size_t i = 0; i < of_lists.size(); ++i) {
      std::vector<uint64_t>& list = this->*kLists[i];
      is_new ? list.push_back(of_lists[i]) : void(list.back() += of_lists[i]);
    }
    if (operations.size() == kMost && (number + 1) % slices_per_value == 0) MergeNeighbours();
  }
  // Half as many values, each of twice as many slices.
  void MergeNeighbours() {
    slices_per_value *= 2;
    for (const auto of : kLists) {
      std::vector<uint64_t>& list = this->*of;
      for (size_t i = 0; i < list.size(); ++i) {
        i % 2 == 0 ? void(list[i / 2] = list[i]) : void(list[i / 2] += list[i]);
      }
      list.resize((list.size() + 1) / 2);
    }
  }
  bool operator==(const Slices&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_SLICES_H_
