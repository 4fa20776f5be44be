#include "verbs/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/version.h"
#include "settings/flag_text.h"

namespace levelfield {
namespace {

// A text as roff prints it, character for character: what stands in backquotes is bold; a line that
// begins with a point or a quote is no request.
std::string Roff(std::string_view text) {
  std::string roff;
  bool is_bold = false;
  for (const char c : text) {
    switch (c) {
      case '`':
        roff += is_bold ? "\\fR" : "\\fB";
        is_bold = !is_bold;
        break;
      case '\\':
        roff += "\\(rs";
        break;
      case '-':
        roff += "\\-";
        break;
      case '\'':
        roff += "\\(aq";
        break;
      case ',':  // Long lists of names break behind it.
        roff += ",\\:";
        break;
      case '^':
        roff += "\\(ha";
        break;
      case '~':
        roff += "\\(ti";
        break;
      default:
        roff += c;
    }
  }
  if (is_bold) roff += "\\fR";
  return (roff.starts_with('.') ? "\\&" : "") + roff;
}

// A line each, so that sentences end where lines do.
std::string Sentences(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const size_t end = text.find(". ");
    lines += Roff(text.substr(0, end == text.npos ? end : end + 1)) + "\n";
    text.remove_prefix(end == text.npos ? text.size() : end + 2);
  }
  return lines;
}

std::string Item(const std::string& title, std::string_view text) {
  return ".TP\n" + title + "\n" + Sentences(text);
}

std::string FlagItems() {
  return ByGroup(
      AllFlags(), [](std::string_view group) { return fmt::format(".SS {}\n", Roff(group)); },
      [](const Flag& flag) {
        std::string item = Item(
            fmt::format("\\fB\\-\\-{}\\fR=\\fI{}\\fR", flag.name, Roff(UnitOf(flag))), flag.help);
        if (flag.is_closed()) {
          item += Roff(fmt::format("One of: {}.", fmt::join(ChoicesOf(flag), ", "))) + "\n";
        }
        const std::string value = DefaultOf(flag);
        return item + (value.empty() ? "" : fmt::format("Default: {}\n", Roff(value)));
      });
}

}  // namespace

std::string ManPage(std::span<const Verb> verbs) {
  std::string page = fmt::format(
      ".\\\" Made by `levelfield docs man`.\n"
      ".TH LEVELFIELD 1 \"\" \"Levelfield {}\" \"User Commands\"\n"
      ".ad l\n"
      ".SH NAME\nlevelfield \\- measures embedded key\\-value stores fairly\n"
      ".SH SYNOPSIS\n.B levelfield\n.I VERB\n.RI [ FLAGS ]\n"
      ".SH DESCRIPTION\n"
      "Runs the same workloads on embedded key\\-value stores, each in a process of its own, "
      "checks "
      "what they answer,\nand says how fast they were, and how sure that is.\n"
      ".SH VERBS\n",
      Roff(kVersion));
  for (const Verb& verb : verbs) {
    page += Item(fmt::format("\\fB{}\\fR {}", Roff(verb.name), Roff(verb.synopsis)), verb.summary);
  }
  page += ".SH FLAGS\n" + FlagItems();
  page +=
      ".SS Options of one engine\n" +
      Sentences(
          "`--<engine>.<option>=value`, as in `--rocksdb.max_background_jobs=4`. `levelfield docs "
          "engines` lists them.");
  page +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nDone.\n"
      ".TP\n1\nAn engine failed, or gave a wrong answer; of a comparison: something is slower.\n"
      ".TP\n2\nA mistake on the command line; of a comparison: something is unresolved.\n"
      ".TP\n3\nA measurement is void; of a comparison: something is invalid.\n"
      ".TP\n130\nInterrupted; what was measured is kept.\n"
      ".SH ENVIRONMENT\n"
      ".TP\n.B LEVELFIELD_ENGINES\nThe directory that engines are in.\n"
      ".SH EXAMPLES\n.nf\n"
      "levelfield run\n"
      "levelfield run \\-\\-engine=leveldb,lmdb \\-\\-num=100k \\-\\-repeat=6\n"
      "levelfield report \\-\\-format=markdown results/...\n"
      "levelfield help memory\n"
      ".fi\n";
  return page;
}

}  // namespace levelfield
