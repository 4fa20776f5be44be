// How the parts of a result are taken out of JSON, and pairs put into it. For the files that know
// the format (result_json.cc, circumstances_json.cc); values in, values out.
#ifndef LEVELFIELD_RESULT_JSON_READER_H_
#define LEVELFIELD_RESULT_JSON_READER_H_

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/status.h"
#include "result/outcome_name.h"

namespace levelfield {

using Json = nlohmann::ordered_json;

inline Json PairsJson(const std::vector<std::pair<std::string, std::string>>& pairs) {
  Json json = Json::object();
  for (const auto& [name, value] : pairs) json[name] = value;
  return json;
}

// Takes members out of an object by name; the first one that is absent or of another type is
// remembered, and `status` tells it. A reader then needs one check at its end.
class Reader {
 public:
  Reader(const Json& json, std::string what) : json_(json), what_(std::move(what)) {
    if (!json.is_object()) Fail("is not an object");
  }

  template <class T>
  T Get(const char* name) {
    const auto it = json_.is_object() ? json_.find(name) : json_.end();
    if (it == json_.end()) {
      Fail(fmt::format("has no \"{}\"", name));
      return T{};
    }
    if (!HasType<T>(*it)) {
      Fail(fmt::format("has a \"{}\" of another type", name));
      return T{};
    }
    return it->template get<T>();
  }

  const Json& Member(const char* name, bool is_array) {
    static const Json kNothing = Json::array();
    const auto it = json_.is_object() ? json_.find(name) : json_.end();
    if (it == json_.end() || (is_array ? !it->is_array() : !it->is_object())) {
      Fail(fmt::format("has no {} \"{}\"", is_array ? "list" : "object", name));
      return kNothing;
    }
    return *it;
  }

  std::vector<std::string> Texts(const char* name) {
    std::vector<std::string> texts;
    for (const Json& text : Member(name, true)) {
      if (text.is_string()) {
        texts.push_back(text.get<std::string>());
      } else {
        Fail(fmt::format("has a \"{}\" that is no list of texts", name));
      }
    }
    return texts;
  }

  std::vector<uint64_t> Numbers(const char* name) {
    std::vector<uint64_t> numbers;
    for (const Json& number : Member(name, true)) {
      if (number.is_number_unsigned()) {
        numbers.push_back(number.get<uint64_t>());
      } else {
        Fail(fmt::format("has a \"{}\" that is no list of counts", name));
      }
    }
    return numbers;
  }

  std::vector<std::pair<std::string, std::string>> Pairs(const char* name) {
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const auto& [key, value] : Member(name, false).items()) {
      if (value.is_string()) {
        pairs.emplace_back(key, value.get<std::string>());
      } else {
        Fail(fmt::format("has a \"{}\" that is no object of texts", name));
      }
    }
    return pairs;
  }

  std::vector<std::pair<std::string, uint64_t>> Counts(const char* name) {
    std::vector<std::pair<std::string, uint64_t>> counts;
    for (const auto& [key, value] : Member(name, false).items()) {
      if (value.is_number_unsigned()) {
        counts.emplace_back(key, value.get<uint64_t>());
      } else {
        Fail(fmt::format("has a \"{}\" that is no object of counts", name));
      }
    }
    return counts;
  }

  Outcome GetOutcome() {
    const auto name = Get<std::string>("outcome");
    const std::optional<Outcome> outcome = OutcomeOf(name);
    if (!outcome) Fail(fmt::format("has an unknown outcome \"{}\"", name));
    return outcome.value_or(Outcome::kFailed);
  }

  void Fail(const std::string& why) {
    if (error_.empty()) error_ = fmt::format("{} {}", what_, why);
  }
  void Fail(const Status& status) {
    if (!status.ok() && error_.empty()) error_ = status.message();
  }
  Status status() const { return error_.empty() ? Status::Ok() : Status::Failed(error_); }

 private:
  template <class T>
  static bool HasType(const Json& json) {
    if constexpr (std::is_same_v<T, bool>) {
      return json.is_boolean();
    } else if constexpr (std::is_same_v<T, uint64_t>) {
      return json.is_number_unsigned();
    } else if constexpr (std::is_same_v<T, double>) {
      return json.is_number();
    } else {
      return json.is_string();
    }
  }

  const Json& json_;
  std::string what_;
  std::string error_;
};

inline Json CountsJson(const std::vector<std::pair<std::string, uint64_t>>& counts) {
  Json json = Json::object();
  for (const auto& [name, count] : counts) json[name] = count;
  return json;
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_JSON_READER_H_
