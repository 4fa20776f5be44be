// A result of several ways of setting things (--vary), taken apart into one result for each: all
// that is drawn and judged of a result is then drawn and judged of each, with its own settings.
// Pure.
#ifndef LEVELFIELD_RESULT_VARIANTS_H_
#define LEVELFIELD_RESULT_VARIANTS_H_

#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// The engine, and which variant of it.
std::string RunName(const std::string& engine, const Variant& variant);

// In the order of their numbers; the result itself where it has no variants.
std::vector<Result> VariantsOf(const Result& result);

// Of such a part, or of a result without any.
Variant VariantOf(const Result& part);

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_VARIANTS_H_
