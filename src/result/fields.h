// The fields of a result: one row each, beside the struct that has them. All code that writes,
// reads or lists a result uses these rows (fields_json.h, report/csv.cc). So a new field is a
// member, its row and the place that measures it. Plain data.
//
//   struct Settle {
//     double seconds = 0;
//     std::optional<uint64_t> dirtied_bytes = {};
//     static constexpr Fields kFields{"the settling of a phase", Field("seconds",
//     &Settle::seconds),
//                                     Field("dirtied_bytes", &Settle::dirtied_bytes)};
//   };
//
// The order of the rows is the order in the file. A std::optional is written if it has a value, and
// may be absent when it is read. Renaming a member keeps the field's name
// (docs/reference/result_format.md).
#ifndef LEVELFIELD_RESULT_FIELDS_H_
#define LEVELFIELD_RESULT_FIELDS_H_

#include <cstddef>
#include <utility>

namespace levelfield {

template <class Struct, class Value>
struct Field {
  constexpr Field(const char* its_name, Value Struct::*its_member)
      : name(its_name), member(its_member) {}

  // In the file of details (result_json.h), which may be missing. Then the member keeps its
  // default.
  constexpr Field InDetails() const {
    Field field = *this;
    field.may_be_absent = true;
    return field;
  }
  // Left out if it is 0 or empty.
  constexpr Field UnlessEmpty() const {
    Field field = *this;
    field.may_be_absent = true;
    field.is_left_out_if_empty = true;
    return field;
  }
  // Present if and only if the field of that name is.
  constexpr Field With(const char* other) const {
    Field field = *this;
    field.with = other;
    return field;
  }
  // A count that is written as 16 hexadecimal digits.
  constexpr Field Hexadecimal() const {
    Field field = *this;
    field.is_hexadecimal = true;
    return field;
  }

  const char* name;
  Value Struct::*member;
  const char* with = nullptr;
  bool may_be_absent = false;
  bool is_left_out_if_empty = false;
  bool is_hexadecimal = false;
};

// Rows in their order. A std::tuple of forty costs each file that includes a result two seconds
// more.
template <class Numbers, class... Rows>
struct NumberedRows;
template <size_t kNumber, class Row>
struct NumberedRow {
  Row row;
};
template <size_t... kNumbers, class... Rows>
struct NumberedRows<std::index_sequence<kNumbers...>, Rows...> : NumberedRow<kNumbers, Rows>... {
  template <class Visit>
  constexpr void ForEach([[maybe_unused]] Visit visit) const {
    (visit(NumberedRow<kNumbers, Rows>::row), ...);
  }
};

// `what` names the struct in errors: "a phase's result".
template <class... Rows>
struct Fields {
  constexpr explicit Fields(const char* its_name, Rows... its_rows)
      : what(its_name), rows{{its_rows}...} {}

  template <class Visit>
  constexpr void ForEach(Visit visit) const {
    rows.ForEach(visit);
  }
  static constexpr size_t size() { return sizeof...(Rows); }

  const char* what;
  NumberedRows<std::index_sequence_for<Rows...>, Rows...> rows;
};

// Members of a struct that are not fields: they are written elsewhere, or derived from others.
template <class Struct>
inline constexpr size_t kOtherMembers = 0;

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_FIELDS_H_
