// Reads and writes structs with a table of fields (fields.h) as JSON. Reading checks everything,
// because somebody else wrote the result. It reports the first member that is absent or has another
// type. For the files that know a format (result_json.cc, analysis/crash_state.cc). Pure.
#ifndef LEVELFIELD_RESULT_FIELDS_JSON_H_
#define LEVELFIELD_RESULT_FIELDS_JSON_H_

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/boxed.h"
#include "base/enum_names.h"
#include "base/status.h"
#include "result/fields.h"

namespace levelfield {

using Json = nlohmann::ordered_json;

// How a value of a type is written and read: one specialization for each kind of field.
template <class T>
struct Codec;

// Takes members out of an object by name and remembers the first error, so that the caller needs
// one check at the end.
class Reader {
 public:
  Reader(const Json& json, std::string what) : json_(json), what_(std::move(what)) {
    if (!json.is_object()) Fail("is not an object");
  }

  bool Has(const char* name) const { return Find(name) != nullptr; }
  template <class T>
  void Read(const char* name, T& value) {
    const Json* const member = Find(name);
    if (member == nullptr && Codec<T>::kIsScalar) return Fail(fmt::format("has no \"{}\"", name));
    static const Json kNothing;
    Codec<T>::Read(member != nullptr ? *member : kNothing, name, value, *this);
  }
  template <class T>
  T Get(const char* name) {
    T value{};
    Read(name, value);
    return value;
  }

  void Fail(const std::string& why) {
    if (error_.empty()) error_ = fmt::format("{} {}", what_, why);
  }
  void Fail(const Status& status) {
    if (!status.ok() && error_.empty()) error_ = status.message();
  }
  Status status() const { return error_.empty() ? Status::Ok() : Status::Failed(error_); }

 private:
  const Json* Find(const char* name) const {
    if (!json_.is_object()) return nullptr;
    const auto it = json_.find(name);
    return it == json_.end() ? nullptr : &*it;
  }

  const Json& json_;
  std::string what_;
  std::string error_;
};

template <class T>
concept HasFields = requires {
  T::kFields.rows;
};

template <class T>
concept IsScalarField = std::is_same_v<T, bool> || std::is_same_v<T, uint64_t> ||
    std::is_same_v<T, double> || std::is_same_v<T, std::string>;

// `kPlural` names several of them in errors.
template <IsScalarField T>
struct Codec<T> {
  static constexpr bool kIsScalar = true;
  static constexpr const char* kPlural = std::is_same_v<T, bool>       ? "flags"
                                         : std::is_same_v<T, uint64_t> ? "counts"
                                         : std::is_same_v<T, double>   ? "numbers"
                                                                       : "texts";
  static Json Write(const T& value) { return value; }
  static bool Take(const Json& json, T& value) {
    bool is_one = json.is_string();
    if constexpr (std::is_same_v<T, bool>) is_one = json.is_boolean();
    if constexpr (std::is_same_v<T, uint64_t>) is_one = json.is_number_unsigned();
    if constexpr (std::is_same_v<T, double>) is_one = json.is_number();
    if (is_one) value = json.get<T>();
    return is_one;
  }
  static void Read(const Json& json, const char* name, T& value, Reader& reader) {
    if (!Take(json, value)) reader.Fail(fmt::format("has a \"{}\" of another type", name));
  }
};

// By its name (base/enum_names.h).
template <NamedEnum T>
struct Codec<T> {
  static constexpr bool kIsScalar = true;
  static Json Write(T value) { return NameOf(value); }
  static void Read(const Json& json, const char* field, T& value, Reader& reader) {
    std::string name;
    Codec<std::string>::Read(json, field, name, reader);
    const std::optional<T> known = FromName<T>(name);
    if (!known) reader.Fail(fmt::format("has the unknown {} \"{}\"", field, name));
    value = known.value_or(T{});
  }
};

// A pair of counts: begin and end.
template <>
struct Codec<std::pair<uint64_t, uint64_t>> {
  static constexpr const char* kPlural = "pairs of counts";
  static Json Write(const std::pair<uint64_t, uint64_t>& value) {
    return Json::array({value.first, value.second});
  }
  static bool Take(const Json& json, std::pair<uint64_t, uint64_t>& value) {
    return json.is_array() && json.size() == 2 && Codec<uint64_t>::Take(json[0], value.first) &&
           Codec<uint64_t>::Take(json[1], value.second);
  }
};

template <class T, class Maybe>
struct CodecOfMaybe {
  static constexpr bool kIsScalar = Codec<T>::kIsScalar;
  static Json Write(const Maybe& value) { return Codec<T>::Write(*value); }
  static void Read(const Json& json, const char* name, Maybe& value, Reader& reader) {
    Codec<T>::Read(json, name, value.emplace(T{}), reader);
  }
};
template <class T>
struct Codec<std::optional<T>> : CodecOfMaybe<T, std::optional<T>> {};
template <class T>
struct Codec<Boxed<T>> : CodecOfMaybe<T, Boxed<T>> {};

template <class T>
struct Codec<std::vector<T>> {
  static constexpr bool kIsScalar = false;
  static constexpr const char* kPlural = "lists";
  static Json Write(const std::vector<T>& values) {
    Json json = Json::array();
    auto& elements = json.get_ref<Json::array_t&>();
    elements.reserve(values.size());
    for (const T& value : values) elements.push_back(Codec<T>::Write(value));
    return json;
  }
  static bool Take(const Json& json, std::vector<T>& values) {
    if (!json.is_array()) return false;
    values.reserve(json.size());
    for (const Json& element : json) {
      if (!Codec<T>::Take(element, values.emplace_back())) return false;
    }
    return true;
  }
  static void Read(const Json& json, const char* name, std::vector<T>& values, Reader& reader) {
    if (!json.is_array()) return reader.Fail(fmt::format("has no list \"{}\"", name));
    if constexpr (requires(T & value) { Codec<T>::Take(json, value); }) {
      if (Take(json, values)) return;
      reader.Fail(fmt::format("has a \"{}\" that is no list of {}", name, Codec<T>::kPlural));
    } else {
      for (const Json& element : json) {
        Codec<T>::Read(element, name, values.emplace_back(), reader);
      }
    }
  }
};

// Pairs of a name and a value become the members of an object.
template <class T>
struct Codec<std::vector<std::pair<std::string, T>>> {
  static constexpr bool kIsScalar = false;
  static Json Write(const std::vector<std::pair<std::string, T>>& pairs) {
    Json json = Json::object();
    for (const auto& [name, value] : pairs) json[name] = Codec<T>::Write(value);
    return json;
  }
  static void Read(const Json& json, const char* name,
                   std::vector<std::pair<std::string, T>>& pairs, Reader& reader) {
    if (!json.is_object()) return reader.Fail(fmt::format("has no object \"{}\"", name));
    for (const auto& [key, value] : json.items()) {
      if (Codec<T>::Take(value, pairs.emplace_back(key, T()).second)) continue;
      reader.Fail(fmt::format("has a \"{}\" that is no object of {}", name, Codec<T>::kPlural));
    }
  }
};

// Counts the members of an aggregate: tries how many values of any type initialize it.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};
template <class T, class... Members>
consteval size_t CountMembers() {
  if constexpr (requires { T{Members()..., AnyMember()}; }) {
    return CountMembers<T, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

template <HasFields T>
struct Codec<T> {
  static_assert(CountMembers<T>() == T::kFields.size() + kOtherMembers<T>,
                "each member has a row in kFields");
  static constexpr bool kIsScalar = false;

  static Json Write(const T& from) {
    Json json = Json::object();
    auto& members = json.get_ref<Json::object_t&>();
    members.reserve(T::kFields.size());
    T::kFields.ForEach([&](const auto row) {
      if (!IsWritten(from, row)) return;
      if constexpr (std::is_same_v<decltype(from.*row.member), const uint64_t&>) {
        if (row.is_hexadecimal) {
          members.emplace_back(row.name, fmt::format("{:016x}", from.*row.member));
          return;
        }
      }
      using Value = std::remove_cvref_t<decltype(from.*row.member)>;
      members.emplace_back(row.name, Codec<Value>::Write(from.*row.member));
    });
    return json;
  }

  static Status Read(const Json& json, T& into) {
    Reader reader(json, T::kFields.what);
    T::kFields.ForEach([&](const auto row) { ReadField(row, into, reader); });
    if constexpr (requires { into.Contradiction(); }) {
      const std::string contradiction = reader.status().ok() ? into.Contradiction() : "";
      if (!contradiction.empty()) reader.Fail(contradiction);
    }
    return reader.status();
  }
  static void Read(const Json& json, const char*, T& into, Reader& reader) {
    reader.Fail(Read(json, into));
  }

 private:
  template <class Value>
  static bool IsEmpty(const Value& value) {
    if constexpr (requires { value.empty(); }) {
      return value.empty();
    } else if constexpr (requires { value == value; }) {
      return value == Value();
    } else {
      return false;
    }
  }
  template <class Value>
  static bool IsWritten(const T& from, const Field<T, Value>& row) {
    if (row.with != nullptr) return IsWritten(from, std::string_view(row.with));
    if constexpr (requires { (from.*row.member).has_value(); }) {
      return (from.*row.member).has_value();
    } else {
      return !row.is_left_out_if_empty || !IsEmpty(from.*row.member);
    }
  }
  static bool IsWritten(const T& from, std::string_view name) {
    bool is_written = false;
    T::kFields.ForEach([&](const auto row) {
      if (row.name == name) is_written = IsWritten(from, row);
    });
    return is_written;
  }

  template <class Value>
  static void ReadField(const Field<T, Value>& row, T& into, Reader& reader) {
    constexpr bool kIsOptional = requires { (into.*row.member).has_value(); };
    const bool may_be_absent =
        row.with == nullptr ? row.may_be_absent || kIsOptional : !reader.Has(row.with);
    if (may_be_absent && !reader.Has(row.name)) return;
    if constexpr (std::is_same_v<Value, uint64_t>) {
      if (row.is_hexadecimal) {
        into.*row.member = TakeHexadecimal(reader.Get<std::string>(row.name), row.name, reader);
        return;
      }
    }
    reader.Read(row.name, into.*row.member);
  }
  static uint64_t TakeHexadecimal(const std::string& digits, const char* name, Reader& reader) {
    if (digits.size() == 16 && digits.find_first_not_of("0123456789abcdef") == std::string::npos) {
      return std::stoull(digits, nullptr, 16);
    }
    reader.Fail(fmt::format("has a {} that is no 16 hexadecimal digits", name));
    return 0;
  }
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_FIELDS_JSON_H_
