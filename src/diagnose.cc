#include "diagnose.h"

#include "base/bounded_json.h"
#include "base/whole_file.h"
#include "report/diagnosis_text.h"
#include "result/diagnosis.h"
#include "result/result_json.h"
#include "settings/settings.h"

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
  const auto manifest = ParseBoundedJson(ReadAll(directory + "/manifest.json"));
  const EngineOptions options = manifest.ok() ? EngineOptionsIn(*manifest) : EngineOptions();
  return {.text = RenderFindings(Diagnose(*result, options))};
}

}  // namespace levelfield
