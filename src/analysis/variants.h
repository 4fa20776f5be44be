// A result of several ways of setting things (--vary), taken apart into one result for each: all
// that is drawn and judged of a result is then drawn and judged of each, with its own settings.
// Pure.
#ifndef LEVELFIELD_ANALYSIS_VARIANTS_H_
#define LEVELFIELD_ANALYSIS_VARIANTS_H_

#include <functional>
#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// The engine, and which variant of it.
std::string RunName(const std::string& engine, const Variant& variant);

// The parts, in the order of their numbers; of a result without variants that one itself, which is
// not copied and has to outlive them.
class Variants {
 public:
  explicit Variants(const Result& whole);
  Variants(const Variants&) = delete;
  Variants& operator=(const Variants&) = delete;
  Variants(Variants&&) = default;

  size_t size() const { return all_.size(); }
  const Result& operator[](size_t i) const { return all_[i]; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::vector<Result> parts_;
  std::vector<std::reference_wrapper<const Result>> all_;
};

inline Variants VariantsOf(const Result& result) { return Variants(result); }

// Whether there is more than one part; nothing is copied.
bool HasVariants(const Result& result);

// Of such a part, or of a result without any.
Variant VariantOf(const Result& part);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_VARIANTS_H_
