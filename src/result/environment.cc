#include "result/environment.h"

#include <fmt/format.h>

#include <span>

#include "base/json_text.h"
#include "base/text.h"
#include "base/utc.h"
#include "result/environment/machine.h"

namespace levelfield {
namespace {

Reading Started(const Machine& machine, const char*) {
  return machine.started.empty() ? UtcNow() : machine.started;
}

Reading StorePathAsTyped(const Machine& machine, const char*) { return machine.store_path; }

constexpr EnvironmentField kRunFields[] = {
    {"started", kMoment, Started, ""},
    {"store_path", kMoment, StorePathAsTyped, ""},
};

// In the order of the record and of the fingerprint.
std::vector<EnvironmentField> AllFields() {
  using Group = std::span<const EnvironmentField>;
  std::vector<EnvironmentField> fields;
  for (const Group group :
       {Group(kRunFields), ProcessorFields(), KernelFields(), ControlGroupFields(),
        StoreMediumFields(), ProcessFields(), ActivityFields()}) {
    fields.insert(fields.end(), group.begin(), group.end());
  }
  return fields;
}

// A fuller flash drive has so little room to move data that it writes each page several times, and
// its file system looks for free blocks in many places (Didona et al., VLDB 2021).
constexpr double kMostFillPercent = 80;

// The reason why a value is unknown is no property of the machine.
std::string ValueOf(const Json& environment, const EnvironmentField& field) {
  const auto found = environment.find(field.name);
  const bool is_unknown = found == environment.end() ||
                          (found->is_string() && IsUnknown(found->get_ref<const std::string&>()));
  return is_unknown ? "unknown" : JsonText(*found);
}

}  // namespace

Json CaptureEnvironment(const std::string& store_path, const EnvironmentSource& source) {
  const Machine machine(store_path, source);
  Json environment = Json::object();
  for (const EnvironmentField& field : AllFields()) {
    environment[field.name] = field.value(machine, field.argument).json;
  }
  return environment;
}

std::vector<std::pair<std::string, std::string>> LastingConditions(const Json& environment) {
  std::vector<std::pair<std::string, std::string>> conditions;
  for (const EnvironmentField& field : AllFields()) {
    if (field.part != kPlace) continue;
    conditions.emplace_back(field.name, ValueOf(environment, field));
  }
  return conditions;
}

std::string Fingerprint(const Json& environment) {
  std::string text;
  for (const EnvironmentField& field : AllFields()) {
    if (field.part != kHardware) continue;
    text += fmt::format("{}={}\n", field.name, ValueOf(environment, field));
  }
  return TextHash(text);
}

std::vector<std::string> DriveWarnings(const Json& environment) {
  std::vector<std::string> warnings;
  const auto fill = environment.find("filesystem_fill_percent");
  if (fill != environment.end() && fill->is_number() && fill->get<double>() > kMostFillPercent) {
    warnings.push_back(fmt::format(
        "the file system of the stores was {:.1f} % full before the run; above {:.0f} % drives and "
        "file systems slow down by themselves: free some of it, or give --db another one",
        fill->get<double>(), kMostFillPercent));
  }
  return warnings;
}

}  // namespace levelfield
