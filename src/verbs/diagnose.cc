#include "verbs/diagnose.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/diagnosis.h"
#include "analysis/result_files.h"
#include "analysis/variants.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/whole_file.h"
#include "report/diagnosis_text.h"
#include "result/completion.h"
#include "settings/settings.h"
#include "verbs/try_change.h"

namespace levelfield {

Answer DiagnoseVerb(const Words& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return Failure(settings.status());
  if (settings->arguments.size() != 1) {
    return Failure(
        Status::Usage("diagnose needs one result directory: levelfield diagnose results/<...>"));
  }
  const std::string& directory = settings->arguments.front();
  const StatusOr<Result> result = ReadResultDirectory(directory);
  if (!result.ok()) return Failure(result.status());
  Answer answer;
  if (IsCutOff(*result)) answer.text = Printable(CutOffWords(*result)) + "\n\n";
  const auto manifest = ParseBoundedJson(ReadAll(directory + "/manifest.json"));
  const EngineOptions options = manifest.ok() ? EngineOptionsIn(*manifest) : EngineOptions();
  for (const Result& part : VariantsOf(*result)) {
    if (VariantOf(part).number != 0) {
      answer.text += fmt::format("== {} ==\n", Printable(VariantOf(part).name));
    }
    const std::vector<Finding> findings = Diagnose(part, options);
    answer.text += RenderFindings(findings, part);
    if (!settings->tries) continue;
    const Answer tried = TryChanges(part, findings, *settings);
    answer.text += "\n" + tried.text;
    answer.exit_code = std::max(answer.exit_code, tried.exit_code);
    if (!tried.status.ok()) {
      answer.status = tried.status;
      break;
    }
  }
  return answer;
}

}  // namespace levelfield
