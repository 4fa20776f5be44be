// Not broken: takes the version or path that it is asked for, and knows versions 1 and 2. It is
// here because the engines that come with us need a library for that.

#include "memory_with.h"

namespace {

std::string& Chosen() {
  static std::string chosen;
  return chosen;
}

void Change(lf_engine& table) {
  table.load = [](const char* which) {
    Chosen() = which != nullptr ? which : "default";
    if (which == nullptr || Chosen() == "1" || Chosen() == "2" || Chosen()[0] == '/') return LF_OK;
    return levelfield::Unsupported("there is no version " + Chosen());
  };
  table.describe = [](void* context, lf_fact_sink sink) {
    sink(context, "version", Chosen().c_str());
  };
}

}  // namespace

LEVELFIELD_EXPORT_CHANGED_ENGINE("versioned", Change)
