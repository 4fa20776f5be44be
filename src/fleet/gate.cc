#include "fleet/gate.h"

#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace levelfield {
namespace {

using Json = nlohmann::ordered_json;

template <class Kind>
Json JsonOf(const Kind& it) {
  Json json = Json::object();
  Kind::kFields.ForEach([&](const auto field) {
    if constexpr (requires { (it.*field.member).kFields; }) {
      json[field.name] = JsonOf(it.*field.member);
    } else {
      json[field.name] = it.*field.member;
    }
  });
  return json;
}

template <class Kind>
void Read(const Json& json, Kind& it) {
  Kind::kFields.ForEach([&](const auto field) {
    auto& member = it.*field.member;
    if constexpr (requires { member.kFields; }) {
      Read(json.at(field.name), member);
    } else {
      member = json.at(field.name).template get<std::decay_t<decltype(member)>>();
    }
  });
}

template <class Kind>
StatusOr<Kind> Parsed(const std::string& line) {
  try {
    Kind it;
    Read(ParseJsonText(line), it);
    return it;
  } catch (const Json::exception& error) {
    return Status::Failed(std::string(Kind::kFields.what) + " cannot be read: " + error.what());
  }
}

}  // namespace

std::string ToText(const GateQuestion& question) { return JsonText(JsonOf(question)); }
std::string ToText(const GateAnswer& answer) { return JsonText(JsonOf(answer)); }
StatusOr<GateQuestion> GateQuestionFromText(const std::string& line) {
  return Parsed<GateQuestion>(line);
}
StatusOr<GateAnswer> GateAnswerFromText(const std::string& line) {
  return Parsed<GateAnswer>(line);
}

}  // namespace levelfield
