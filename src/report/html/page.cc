#include "report/html/page.h"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <utility>

#include "analysis/series.h"
#include "base/gzip.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/text.h"
#include "base/version.h"
#include "report/heading.h"

// Files that are compiled in unchanged (scripts/build_report_page.sh makes them). The assembler
// reads them. A string of 400 KB in the source would exceed the limits of a compiler that follows
// the standard.
#define LEVELFIELD_EMBED(name, file)                                                        \
  asm(".pushsection .rodata\n.global levelfield_" #name "_begin\n.global levelfield_" #name \
      "_end\nlevelfield_" #name "_begin:\n.incbin \"" LEVELFIELD_PAGE "/" file              \
      "\"\nlevelfield_" #name "_end:\n.popsection\n");                                      \
  extern "C" const char levelfield_##name##_begin[];                                        \
  extern "C" const char levelfield_##name##_end[];                                          \
  static const std::string_view name(                                                       \
      levelfield_##name##_begin,                                                            \
      static_cast<size_t>(levelfield_##name##_end - levelfield_##name##_begin));

LEVELFIELD_EMBED(page_loader, "loader.js")
LEVELFIELD_EMBED(page_program, "program.base64")  // Packed like AddPacked's data.
LEVELFIELD_EMBED(page_allowed, "allowed.txt")     // The hashes of both scripts, for the policy.
LEVELFIELD_EMBED(page_style, "style.css")
LEVELFIELD_EMBED(page_licences, "licences.txt")

namespace levelfield {
namespace {

// An element that the page's scripts unpack. `attributes` identify it.
void AddPacked(const std::string& attributes, std::string_view base64, std::string& page) {
  page += fmt::format("<script type=\"application/gzip\" {}>{}</script>\n", attributes, base64);
}

// The first part of each result that was split into variants.
std::vector<const ShownResult*> WholeOf(const std::vector<ShownResult>& results) {
  std::vector<const ShownResult*> whole;
  for (const ShownResult& shown : results) {
    if (VariantOf(*shown.result).number <= 1) whole.push_back(&shown);
  }
  return whole;
}

std::string TitleOf(const std::vector<ShownResult>& results) {
  std::string title = "Levelfield";
  const char* between = ": ";
  for (const ShownResult* const shown : WholeOf(results)) {
    title += std::exchange(between, " and ") + shown->result->name;
  }
  return title;
}

std::string HeadOf(const ShownResult& shown) {
  const Result& result = *shown.result;
  const std::string cut_off = CutOffWords(result);
  return fmt::format(
      "<details class=\"head\"><summary>{}{}, {}, on {}{}{}</summary><code>{}</code></details>\n",
      shown.letter.empty() ? "" : HtmlEscaped(shown.letter + ": "), HtmlEscaped(result.name),
      HtmlEscaped(result.started),
      HtmlEscaped(result.cpu.empty() ? "an unknown processor" : result.cpu),
      HtmlEscaped(AfterSemicolon(ConditionsLine(result))),
      cut_off.empty() ? "" : ": " + HtmlEscaped(cut_off), HtmlEscaped(result.command));
}

// Here and not in the script, so that the answer stands there whatever the browser can do.
std::string AnswerTo(const ShownResult& shown) {
  if (!shown.answer) return "";
  return fmt::format("<p class=\"answer\">{}</p>\n<p class=\"asked\">{}</p>\n",
                     HtmlEscaped(shown.answer->answer), HtmlEscaped(shown.answer->asked));
}

// Why each engine was chosen or not, and what would change that.
std::string ReasonsAsText(const ChoiceAnswer& answer) {
  std::string text;
  for (const AnsweredEngine& engine : answer.engines) {
    text += fmt::format("{}: {}\n", engine.engine, engine.why);
  }
  if (!answer.changes.empty()) text += "\nWhat would change the answer, by one round each:\n";
  for (const AnsweredChange& change : answer.changes) {
    text += fmt::format("{}: {}{}\n", change.question, change.is_tried ? "" : "not tried: ",
                        change.answer + (change.is_doubtful      ? " (the machine was busy)"
                                         : change.changes_answer ? " (changes it)"
                                                                 : ""));
  }
  return text + "\n";
}

}  // namespace

std::string HtmlEscaped(std::string_view text) {
  constexpr std::pair<char, std::string_view> kRows[] = {
      {'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  return Escaped(PrintableLines(text), kRows);
}

std::string BeginPage(const std::vector<ShownResult>& results) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src {}; style-src 'unsafe-inline'; img-src data: blob:\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n"
      "<a class=\"skip\" href=\"#drawn-here\">To the figures</a>\n<header>\n<h1>{}</h1>\n",
      page_allowed, HtmlEscaped(TitleOf(results)), page_style, HtmlEscaped(TitleOf(results)));
  for (const ShownResult* const shown : WholeOf(results)) page += AnswerTo(*shown) + HeadOf(*shown);
  page +=
      "</header>\n<main>\n<noscript><p class=\"warning\">The charts are drawn by a script, which "
      "is off; the tables below have all of it.</p></noscript>\n<div id=\"drawn-here\"></div>\n"
      "<section id=\"as-text\"><details><summary><h2>As text</h2></summary>\n";
  for (const ShownResult& shown : results) {
    const std::string variant = VariantOf(*shown.result).name;
    if (!variant.empty()) page += fmt::format("<h3>{}</h3>\n", HtmlEscaped(variant));
    page += fmt::format("<pre tabindex=\"0\">{}{}</pre>\n",
                        shown.answer ? HtmlEscaped(ReasonsAsText(*shown.answer)) : "",
                        HtmlEscaped(shown.text));
  }
  page += fmt::format(
      "</details></section>\n</main>\n<footer>\n<details><summary>Made by Levelfield {}; what else "
      "is in this page, and its licences</summary>\n<pre>{}</pre></details>\n</footer>\n",
      kVersion, HtmlEscaped(page_licences));
  std::istringstream data(JsonText(PageData(results), -1, Letters::kAscii));
  AddPacked("id=\"data\"", Base64(Gzipped(data)), page);
  return page;
}

void AddFile(const std::string& name, std::istream& content, std::string& page) {
  AddPacked(fmt::format("data-name=\"{}\"", HtmlEscaped(name)), Base64(Gzipped(content)), page);
}

void EndPage(std::string& page) {
  AddPacked("id=\"program\"", page_program, page);
  page += fmt::format("<script>{}</script>\n</body>\n</html>\n", page_loader);
}

}  // namespace levelfield
