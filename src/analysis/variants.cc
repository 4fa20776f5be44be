#include "analysis/variants.h"

#include <algorithm>
#include <map>
#include <utility>

namespace levelfield {
namespace {

void Set(const std::string& name, const std::string& value, Result& result) {
  const auto it =
      std::ranges::find(result.settings, name, &std::pair<std::string, std::string>::first);
  if (it == result.settings.end()) {
    result.settings.emplace_back(name, value);
  } else {
    it->second = value;
  }
}

}  // namespace

std::string RunName(const std::string& engine, const Variant& variant) {
  return variant.name.empty() ? engine : engine + " " + variant.name;
}

Variants::Variants(const Result& whole) {
  std::map<uint64_t, std::vector<const RunResult*>> runs;
  for (const RunResult& run : whole.runs) runs[run.variant.number].push_back(&run);
  if (runs.size() <= 1) {
    all_ = {whole};
    return;
  }
  for (const auto& [number, of_variant] : runs) {
    Result part = WithoutRuns(whole);
    for (const RunResult* const run : of_variant) part.runs.push_back(*run);
    Set("vary", "", part);
    for (const auto& [name, value] : of_variant.front()->variant.settings) Set(name, value, part);
    parts_.push_back(std::move(part));
  }
  all_.assign(parts_.begin(), parts_.end());
}

bool HasVariants(const Result& result) {
  return std::ranges::any_of(result.runs, [&](const RunResult& run) {
    return run.variant.number != result.runs.front().variant.number;
  });
}

Variant VariantOf(const Result& part) {
  return part.runs.empty() ? Variant{} : part.runs.front().variant;
}

}  // namespace levelfield
