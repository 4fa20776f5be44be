// Goes through the tables of fields of a struct and of all structs in it. For tests.
#ifndef LEVELFIELD_RESULT_FIELDS_FOR_TEST_H_
#define LEVELFIELD_RESULT_FIELDS_FOR_TEST_H_

#include <string>
#include <type_traits>

#include "result/fields.h"

namespace levelfield {

// Calls visit(part) for the struct and for each struct in it.
template <class T, class Visit>
void ForEachStruct(const T& part, const Visit& visit) {
  if constexpr (requires { T::kFields; }) {
    visit(part);
    T::kFields.ForEach([&](const auto row) { ForEachStruct(part.*row.member, visit); });
  } else if constexpr (requires { typename T::value_type; } && !std::is_same_v<T, std::string>) {
    ForEachStruct(typename T::value_type(), visit);
  }
}

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_FIELDS_FOR_TEST_H_
