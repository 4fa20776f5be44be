#include "worker/store_text.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <utility>

#include "base/units.h"

namespace levelfield {
namespace {

// Of what an engine says of itself; the event that tells it has to fit its pipe's line.
constexpr size_t kMostTextBytes = 1 << 20;

}  // namespace

void AskForText(RunningPhase& now, Store& store) {
  now.Stage("run", true);
  const Role& role = now.first_role();
  PhaseResult& result = now.result();
  StatusOr<std::string> text = role.operation->text(store, role, now.spec().results_directory);
  if (!now.Keep(text.status())) return;
  result.outcome = Outcome::kOk;
  result.text = std::move(*text);
  if (result.text.size() <= kMostTextBytes) return;
  const size_t all = result.text.size();
  result.text.resize(kMostTextBytes);
  result.text += fmt::format("\n... cut here; {} bytes in all\n", all);
}

void AskForProperty(Store& store, const std::string& name, PhaseResult& result) {
  if (name.empty() || result.outcome != Outcome::kOk) return;
  StatusOr<std::string> text = store.Property(name);
  result.text =
      text.ok() ? std::move(*text) : fmt::format("{}: {}\n", name, text.status().message());
  if (result.text.size() > kMostTextBytes) result.text.resize(kMostTextBytes);
}

void NoteSizes(Store& store, const lf_engine& table, PhaseResult& result) {
  const char* const* known = table.properties;
  for (; known != nullptr && *known != nullptr; ++known) {
    const std::string name = *known;
    if (name != "table_bytes" && name != "blob_bytes") continue;
    const StatusOr<std::string> text = store.Property(name);
    const StatusOr<uint64_t> bytes = text.ok() ? ParseBytes(*text) : text.status();
    if (bytes.ok()) result.sizes.emplace_back(name, *bytes);
  }
}

}  // namespace levelfield
