#include "verbs/report_markdown.h"

#include <algorithm>

#include "analysis/result_files.h"
#include "analysis/variants.h"
#include "report/comparison_text.h"
#include "report/markdown.h"
#include "report/markdown_paper.h"
#include "report/sweep_text.h"
#include "verbs/cache_bench.h"
#include "verbs/compare.h"
#include "verbs/make_plan.h"
#include "verbs/verify_durability.h"

namespace levelfield {
namespace {

Answer OneOf(const std::string& directory, const Settings& settings) {
  if (HasDurability(directory)) {
    Answer page = DurabilityPage({directory});
    page.exit_code = ReportDurability(directory).exit_code;
    return page;
  }
  const StatusOr<Result> result = ReadResultDirectory(directory);
  if (!result.ok()) return Failure(result.status());
  if (result->runs.empty() && result->name == "cache_bench") {
    Answer caches = ReportCacheBench(directory);
    caches.text = CodeBlock(caches.text);
    return caches;
  }
  if (const Status status = CheckBaseline(*result, settings); !status.ok()) return Failure(status);
  Answer page{.text = "", .exit_code = ExitCodeOf(*result)};
  const Variants parts = VariantsOf(*result);
  for (const Result& part : parts) {
    // Of one engine there is nothing to compare.
    const auto comparisons = ComparisonsAsItRan(part, settings);
    page.text += RenderMarkdown(part, comparisons.ok() ? *comparisons : std::vector<Comparison>(),
                                settings.margin);
  }
  if (parts.size() == 1) return page;
  page.text += RenderSweep(*result, MarkdownPaper());
  const auto of_variants = ComparisonsOf(*result, settings);
  if (of_variants.ok()) page.text += CodeBlock(RenderComparisons(*of_variants, settings.margin));
  return page;
}

}  // namespace

Answer ReportMarkdown(const Settings& settings) {
  Answer all;
  for (const std::string& directory : settings.arguments) {
    const Answer one = OneOf(directory, settings);
    if (!one.status.ok()) return one;
    all.text += (all.text.empty() ? "" : "\n") + one.text;
    all.exit_code = std::max(all.exit_code, one.exit_code);
  }
  return all;
}

}  // namespace levelfield
