// Reads the text of a suite (docs/suites.md is the grammar). Pure; any thread.
#ifndef LEVELFIELD_SETTINGS_SUITE_PARSER_H_
#define LEVELFIELD_SETTINGS_SUITE_PARSER_H_

#include <string>
#include <string_view>

#include "base/status.h"
#include "settings/suite.h"

namespace levelfield {

// The first mistake is an error that names its line.
StatusOr<Suite> ParseSuite(const std::string& name, std::string_view text);

}  // namespace levelfield

#endif  // LEVELFIELD_SETTINGS_SUITE_PARSER_H_
