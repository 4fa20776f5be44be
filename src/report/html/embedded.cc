#include "report/html/embedded.h"

// The assembler reads the file; a string of 400 KB in the source would be too long for a compiler
// that keeps to the standard.
#define LEVELFIELD_EMBED(name, file)                 \
  asm(".pushsection .rodata\n"                       \
      ".global levelfield_" #name                    \
      "_begin\n"                                     \
      ".global levelfield_" #name                    \
      "_end\n"                                       \
      "levelfield_" #name                            \
      "_begin:\n"                                    \
      ".incbin \"" LEVELFIELD_PAGE "/" file          \
      "\"\n"                                         \
      "levelfield_" #name                            \
      "_end:\n"                                      \
      ".popsection\n");                              \
  extern "C" const char levelfield_##name##_begin[]; \
  extern "C" const char levelfield_##name##_end[];

LEVELFIELD_EMBED(page_script, "script.js")
LEVELFIELD_EMBED(page_script_sha256, "script.sha256")
LEVELFIELD_EMBED(page_style, "style.css")
LEVELFIELD_EMBED(page_licences, "licences.txt")

namespace levelfield {
namespace {

std::string_view Between(const char* begin, const char* end) {
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

std::string_view PageScript() {
  return Between(levelfield_page_script_begin, levelfield_page_script_end);
}
std::string_view PageScriptSha256() {
  return Between(levelfield_page_script_sha256_begin, levelfield_page_script_sha256_end);
}
std::string_view PageStyle() {
  return Between(levelfield_page_style_begin, levelfield_page_style_end);
}
std::string_view PageLicences() {
  return Between(levelfield_page_licences_begin, levelfield_page_licences_end);
}

}  // namespace levelfield
