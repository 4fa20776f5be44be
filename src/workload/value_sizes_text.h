// How value sizes are written in a workload's file:
//     COUNT
//     uniform COUNT..COUNT
//     normal COUNT..COUNT [mean X deviation X]
//     pareto COUNT..COUNT theta X k X sigma X
#ifndef LEVELFIELD_WORKLOAD_VALUE_SIZES_TEXT_H_
#define LEVELFIELD_WORKLOAD_VALUE_SIZES_TEXT_H_

#include <functional>
#include <string>
#include <string_view>

#include "workload/value_sizes.h"

namespace levelfield {

// Reads a COUNT of at most the limit of a value; what it accepts where it is none, else empty.
using CountReader = std::function<std::string(std::string_view text, uint64_t& count)>;

// Empty, and the sizes, whose seed is not set; or what is accepted.
std::string ReadValueSizes(std::string_view text, const CountReader& read_count, ValueSizes& sizes);

}  // namespace levelfield

#endif  // LEVELFIELD_WORKLOAD_VALUE_SIZES_TEXT_H_
