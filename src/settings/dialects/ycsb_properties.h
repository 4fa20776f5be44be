// The properties of YCSB's client and of its core workload, a row each, and the reading of their
// values. Pure.
#ifndef LEVELFIELD_SETTINGS_DIALECTS_YCSB_PROPERTIES_H_
#define LEVELFIELD_SETTINGS_DIALECTS_YCSB_PROPERTIES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/text.h"
#include "settings/dialects/ycsb_words.h"

namespace levelfield {

// How a property is taken.
enum class Taken {
  kHonoured,
  kAtDefault,  // Only its default is accepted, and `why` says why.
  kNothing     // It changes nothing, and `why` says why.
};

struct YcsbProperty {
  std::string_view name;
  std::string_view value;  // Its default. Empty: none.
  Taken taken = Taken::kHonoured;
  std::string_view why = "";
};

// Null: YCSB has none of that name.
const YcsbProperty* YcsbPropertyNamed(std::string_view name);
std::vector<std::string> YcsbPropertyNames();

// Reads values, or their defaults. What cannot be read becomes a refusal. `given` and `refusals`
// outlive it.
class PropertyReader {
 public:
  PropertyReader(const Properties& given, std::vector<std::string>& refusals)
      : given_(given), refusals_(refusals) {}

  bool Has(std::string_view name) const { return given_.contains(std::string(name)); }
  std::string Text(std::string_view name) const;
  uint64_t Count(std::string_view name, uint64_t least, uint64_t most);
  double Ratio(std::string_view name, double most);
  // As in Java: `true`, in small or capital letters; anything else is false.
  bool Switch(std::string_view name) const;
  // The value of that name, or of the last part of the name.
  template <class Enum>
  Enum Choice(std::string_view name) {
    const std::string text = Text(name);
    const std::optional<Enum> value = FromName<Enum>(text.substr(text.rfind('.') + 1));
    if (value) return *value;
    std::vector<std::string> names;
    for (const auto& [one, its_name] : NamesOf(Enum{})) names.emplace_back(its_name);
    Refuse(name, Listed(names, "or") + " can be had");
    return Enum{};
  }
  void Refuse(std::string_view name, std::string_view why);

 private:
  const Properties& given_;
  std::vector<std::string>& refusals_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_DIALECTS_YCSB_PROPERTIES_H_
