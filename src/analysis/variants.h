// A result of several ways of setting things (--vary), taken apart into one result for each: all
// that is drawn and judged of a result is then drawn and judged of each, with its own settings.
// Pure.
#ifndef LEVELFIELD_ANALYSIS_VARIANTS_H_
#define LEVELFIELD_ANALYSIS_VARIANTS_H_

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
  class Iterator {
   public:
    explicit Iterator(const Result* const* at) : at_(at) {}
    const Result& operator*() const { return **at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const Result* const* at_;
  };

  explicit Variants(const Result& whole);
  Variants(const Variants&) = delete;
  Variants& operator=(const Variants&) = delete;
  Variants(Variants&&) = default;

  size_t size() const { return all_.size(); }
  const Result& operator[](size_t i) const { return *all_[i]; }
  Iterator begin() const { return Iterator(all_.data()); }
  Iterator end() const { return Iterator(all_.data() + all_.size()); }

 private:
  std::vector<Result> parts_;
  std::vector<const Result*> all_;
};

inline Variants VariantsOf(const Result& result) { return Variants(result); }

// Whether there is more than one part; nothing is copied.
bool HasVariants(const Result& result);

// Of such a part, or of a result without any.
Variant VariantOf(const Result& part);

}  // namespace levelfield

#endif  // LEVELFIELD_ANALYSIS_VARIANTS_H_
