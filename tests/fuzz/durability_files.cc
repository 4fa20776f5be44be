#include "analysis/crash_state.h"
#include "base/json_text.h"
#include "base/text.h"
#include "report/durability_page.h"
#include "targets.h"

namespace levelfield::fuzz {

void DurabilityFiles(std::string_view bytes) {
  std::vector<std::string> lines = LinesOf(bytes);
  if (lines.empty()) return;
  const auto manifest = ParseBoundedJson(lines.front());
  lines.erase(lines.begin());
  const StatusOr<CrashStates> states = CrashStatesOf(lines);
  if (!states.ok()) return;
  const std::vector<CrashRow> rows = RowsOf(*states);
  (void)ExitCodeOf(rows);
  MustBePlain(RenderDurabilityTable(rows));
  if (!manifest.ok() || !manifest->is_object()) return;
  const StatusOr<std::string> page = RenderDurabilityPage({*manifest, *manifest}, rows);
  if (page.ok()) MustBePlain(*page);
}

}  // namespace levelfield::fuzz
