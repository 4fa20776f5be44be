// A field of CSV, as RFC 4180 has it. Pure.
#ifndef LEVELFIELD_REPORT_CSV_FIELD_H_
#define LEVELFIELD_REPORT_CSV_FIELD_H_

#include <string>

namespace levelfield {

inline std::string CsvField(const std::string& name) {
  if (name.find_first_of(",\"\n\r") == std::string::npos) return name;
  std::string field = "\"";
  for (const char c : name) field += c == '"' ? std::string("\"\"") : std::string(1, c);
  return field + "\"";
}

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CSV_FIELD_H_
