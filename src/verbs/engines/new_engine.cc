#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/program_path.h"
#include "base/quote.h"
#include "base/removal.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "engine/engine.h"
#include "facts/ask_engines.h"
#include "settings/settings.h"
#include "verbs/engines/kit.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

// `levelfield new engine NAME`: a directory with the kit's map in memory under another name, and a
// Makefile that builds it from the kit alone, on any machine that has `levelfield`.

namespace fs = std::filesystem;

// A file of the new engine, with words to be replaced ("@NAME@").
struct NewFile {
  std::string_view name;
  std::string_view text;
};

struct Language {
  std::string_view name;       // As --language takes it.
  std::string_view directory;  // Of the kit.
  std::string_view map;        // The source of its map, below that.
  std::string_view source;     // What that is called here.
  std::vector<NewFile> files;
  std::string_view needs;
};

// The head of each Makefile. The shell's redirection makes GNU make 4.3 ask a shell.
constexpr std::string_view kHead =
    "# `make` builds levelfield_@NAME@.so, `make test` tests it.@MORE@\n"
    "LEVELFIELD ?= $(or $(shell command -v levelfield 2>/dev/null),@LEVELFIELD@)\n";

constexpr std::string_view kTest =
    "\n.PHONY: test\n"
    "test: levelfield_@NAME@.so\n"
    "\t$(LEVELFIELD) verify conformance --engine=./levelfield_@NAME@.so || "
    "[ $$? = 3 ]  # 3: the claims that can be tested here hold.\n";

constexpr std::string_view kCompile =
    "@FLAGS@ ?= -O2 -g -Wall -Wextra\n"
    "PLUGIN_FLAGS := $(shell $(LEVELFIELD) --plugin-flags)\n"
    "$(if $(PLUGIN_FLAGS),,$(error make LEVELFIELD=/path/to/levelfield))\n"
    "\n"
    "levelfield_@NAME@.so: @SOURCE@\n"
    "\t$(@COMPILER@) @STANDARD@ $(@FLAGS@) $< $(PLUGIN_FLAGS) $(LDLIBS) -o $@\n";

constexpr std::string_view kCargoMake =
    ".PHONY: levelfield_@NAME@.so\n"
    "levelfield_@NAME@.so:\n"
    "\tcargo build --release\n"
    "\tcp target/release/liblevelfield_@NAME@.so $@\n";

constexpr std::string_view kCargo =
    "[package]\nname = \"@NAME@\"\nversion = \"0.1.0\"\nedition = \"2021\"\npublish = false\n\n"
    "[lib]\nname = \"levelfield_@NAME@\"\ncrate-type = [\"cdylib\"]\n\n"
    "[dependencies]\nlevelfield-engine = { path = \"@KITS@/rust\" }\n\n"
    "# Panics must unwind up to the table, so not \"abort\".\n"
    "[profile.release]\nopt-level = 3\nlto = \"thin\"\ncodegen-units = 1\n";

constexpr std::string_view kGoMake =
    ".PHONY: levelfield_@NAME@.so\n"
    "levelfield_@NAME@.so:\n"
    "\tgo build -trimpath -buildmode=c-shared -o $@ .\n"
    "\trm -f levelfield_@NAME@.h\n";

constexpr std::string_view kGoModule =
    "module @NAME@\n\ngo 1.24\n\nrequire levelfield.dev/engine v0.0.0\n\n"
    "replace levelfield.dev/engine => @KITS@/go\n";

const std::vector<Language>& Languages() {
  static const std::vector<Language> kLanguages = {
      {"c", "c", "engines/map/map.c", "@NAME@.c", {{"Makefile", kCompile}}, "a compiler of C"},
      {"c++",
       "cpp",
       "engines/map/map.cc",
       "@NAME@.cc",
       {{"Makefile", kCompile}},
       "a compiler of C++20"},
      {"rust",
       "rust",
       "engines/map/src/lib.rs",
       "src/lib.rs",
       {{"Makefile", kCargoMake}, {"Cargo.toml", kCargo}, {".gitignore", "target\n"}},
       "cargo 1.85 or newer"},
      {"go",
       "go",
       "engines/map/main.go",
       "main.go",
       {{"Makefile", kGoMake}, {"go.mod", kGoModule}},
       "Go 1.24 or newer, and a compiler of C"},
  };
  return kLanguages;
}

Status CheckName(const std::string& name) {
  ASSIGN_OR_RETURN(const EngineSpec spec, ParseEngineSpec(name));
  // The name of a package begins with a letter in each of the languages.
  if (spec.name != name || name.front() < 'a' || name.front() > 'z') {
    return Status::Usage(
        fmt::format("new engine: {}: a name begins with a letter, and is made of "
                    "a-z, 0-9 and _",
                    Quote(name)));
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> found, FindPlugins());
  if (std::ranges::find(found, name) != found.end()) {
    return Status::Usage(fmt::format(
        "new engine: {} is here already (`levelfield engines {}`); call yours otherwise", name,
        name));
  }
  return Status::Ok();
}

using Replacements = std::vector<std::pair<std::string_view, std::string>>;

Replacements WordsFor(const Language& language, const Kit& kit, const std::string& name) {
  const bool is_c = language.name == "c";
  const bool is_compiled_by_make = is_c || language.name == "c++";
  return {{"@SOURCE@", std::string(language.source)},
          {"@NAME@", name},
          {"@KITS@", kit.languages.string()},
          {"@LEVELFIELD@", ProgramPath()},
          {"@MORE@", is_compiled_by_make ? " LDLIBS=-lmine links a library." : ""},
          {"@FLAGS@", is_c ? "CFLAGS" : "CXXFLAGS"},
          {"@COMPILER@", is_c ? "CC" : "CXX"},
          {"@STANDARD@", is_c ? "-std=gnu11" : "-std=c++20"}};
}

std::string Replaced(std::string text, const Replacements& words) {
  for (const auto& [from, to] : words) {
    for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

// The kit's map, called by the new name.
StatusOr<std::string> SourceOf(const Language& language, const Kit& kit, const std::string& name) {
  const fs::path file = kit.languages / language.directory / language.map;
  std::string text = ReadAll(file.string());
  if (text.empty()) return Status::Failed("new engine: cannot read " + file.string());
  return Replaced(std::move(text), {{fmt::format("map_{}", language.directory), name}});
}

Status WriteFiles(const Language& language, const Kit& kit, const std::string& name,
                  const std::string& directory) {
  const Replacements words = WordsFor(language, kit, name);
  const auto write = [&](std::string_view file, const std::string& text) {
    const fs::path path = fs::path(directory) / Replaced(std::string(file), words);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    return WriteFileAtomically(path.string(), text);
  };
  ASSIGN_OR_RETURN(const std::string source, SourceOf(language, kit, name));
  RETURN_IF_ERROR(write(language.source, source));
  for (const NewFile& file : language.files) {
    std::string text(file.text);
    if (file.name == "Makefile") text = fmt::format("{}\n{}{}", kHead, text, kTest);
    RETURN_IF_ERROR(write(file.name, Replaced(std::move(text), words)));
  }
  return Status::Ok();
}

}  // namespace

Answer NewVerb(const Words& words) {
  ASSIGN_OR_RETURN(const Settings settings, ParseSettingsOf("new", words));
  const std::vector<std::string>& asked = settings.arguments;
  if (asked.size() != 2 || asked.front() != "engine") {
    return Status::Usage("new: what? levelfield new engine NAME --language=c++");
  }
  const std::string& name = asked.back();
  RETURN_IF_ERROR(CheckName(name));
  ASSIGN_OR_RETURN(const Kit kit, FindKit());
  const Language& language = *std::ranges::find(
      Languages(), settings.language.empty() ? "c++" : settings.language, &Language::name);
  std::error_code error;
  if (fs::exists(fs::symlink_status(name, error))) {
    return Status::Usage(fmt::format("new engine: there is {} already; nothing was written", name));
  }
  // Whole, or not there: it gets its name last.
  const std::string unfinished = fmt::format(".{}.unfinished", name);
  Status status = WriteFiles(language, kit, name, unfinished);
  if (status.ok()) {
    fs::rename(unfinished, name, error);
    if (error) status = Status::Failed(fmt::format("cannot make {}: {}", name, error.message()));
  }
  if (!status.ok()) {
    (void)RemoveAll(unfinished);
    return Status::Failed("new engine: " + std::string(status.message()));
  }
  return fmt::format(
      "{}/ is an engine in {}, a map in memory that passes. It takes make and {}:\n"
      "  make -C {} test\n"
      "  levelfield run --engine={}/levelfield_{}.so,memory --num=10k\n"
      "It stores nothing. When it does, take LF_FLOOR, LF_VOLATILE and LF_BY_NAME out of its "
      "capabilities, or nothing ranks it.\n"
      "{} says what each function has to keep.\n",
      name, language.name, language.needs, name, name, name,
      (kit.pages / "adding_an_engine.md").string());
}

}  // namespace levelfield
