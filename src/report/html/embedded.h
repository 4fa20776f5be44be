// Files that are compiled in as they are (scripts/build_report_page.sh makes them).
#ifndef LEVELFIELD_REPORT_HTML_EMBEDDED_H_
#define LEVELFIELD_REPORT_HTML_EMBEDDED_H_

#include <string_view>

namespace levelfield {

std::string_view PageScript();
std::string_view PageScriptSha256();  // In Base64.
std::string_view PageStyle();
std::string_view PageLicences();

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_HTML_EMBEDDED_H_
