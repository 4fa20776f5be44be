// The page of what each engine is given, from the tables of the engines and from a file of measured
// effects, which benchmarks/settings_effects.py writes. `levelfield docs settings` lists for it
// what is to be measured.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>

#include "base/quote.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "engine/engine_probe.h"
#include "engine/places.h"
#include "facts/ask_engines.h"
#include "report/markdown.h"
#include "settings/flag_text.h"
#include "verbs/verbs.h"

namespace levelfield {
namespace {

// One option of a row that is not tried but given or left out, without and with it.
struct SettingStep {
  std::string option;
  std::string without;
  std::string with;
};

// A line of the file: columns with tabs between them.
struct MeasuredEffect {
  std::string engine, option, without, with, terms, workload, ratio, low, high;
  std::string version, crc32, when, load;
};

bool IsStore(const ProbeReply& engine) {
  return engine.is_loaded && !engine.description.Has(LF_FLOOR) &&
         !engine.description.Has(LF_BY_NAME) && engine.engine.find('@') == std::string::npos;
}

// What the option is where no row gives it: the value of all engines, or else the plug-in's, which
// may be followed by words.
std::string Otherwise(const EngineDescription& engine, const std::string& option) {
  const OptionDescription* const known = engine.FindOption(option);
  const std::string own = known != nullptr ? known->default_value : "";
  return own.substr(0, own.find_first_of(" ,:"));
}

std::string OfAllEngines(const EngineDescription& engine, const std::string& option) {
  for (const Flag& flag : Flags()) {
    if (!flag.engine_option || flag.name != option) continue;
    if (std::string text = TextOf(flag, Settings()); !text.empty()) return text;
  }
  return Otherwise(engine, option);
}

// What is measured of a row. Nothing of one that --settings=best tries.
std::vector<SettingStep> StepsOf(const EngineDescription& engine,
                                 const AlternativeDescription& row) {
  std::vector<SettingStep> steps;
  if (row.IsToTry()) return steps;
  for (const auto& [option, value] : row.Options()) {
    if (row.name == "own") {
      steps.push_back({option, value, OfAllEngines(engine, option)});
    } else if (row.name == "unchecked") {
      steps.push_back({option, value, Otherwise(engine, option)});
    } else {
      steps.push_back({option, Otherwise(engine, option), value});
    }
  }
  return steps;
}

StatusOr<std::vector<MeasuredEffect>> ReadEffects(const std::string& path) {
  const std::string text = ReadAll(path);
  if (text.empty()) {
    return Status::Usage(fmt::format(
        "{}: cannot be read, or is empty; benchmarks/settings_effects.py writes it", Quote(path)));
  }
  std::vector<MeasuredEffect> effects;
  for (const std::string& line : Split(text, '\n')) {
    if (line.empty() || line.starts_with('#')) continue;
    std::vector<std::string> cells;
    std::istringstream columns(line);
    for (std::string cell; std::getline(columns, cell, '\t');) cells.push_back(cell);
    if (cells.size() != 13) {
      return Status::Usage(fmt::format("{}: a line has {} columns, not 13: {}", Quote(path),
                                       cells.size(), Printable(line.substr(0, 80))));
    }
    effects.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6],
                       cells[7], cells[8], cells[9], cells[10], cells[11], cells[12]});
  }
  return effects;
}

// "readrandom 0.486 [0.472, 0.501], fillrandom 1.000 [0.974, 1.026]".
std::string Figures(const std::vector<MeasuredEffect>& effects, const std::string& engine,
                    const SettingStep& step) {
  std::vector<std::string> figures;
  for (const MeasuredEffect& effect : effects) {
    if (effect.engine != engine || effect.option != step.option || effect.without != step.without ||
        effect.with != step.with) {
      continue;
    }
    figures.push_back(
        fmt::format("{} {} [{}, {}]", effect.workload, effect.ratio, effect.low, effect.high));
  }
  return figures.empty() ? "not measured" : fmt::format("{}", fmt::join(figures, ", "));
}

std::string EffectCell(const std::vector<MeasuredEffect>& effects, const EngineDescription& engine,
                       const AlternativeDescription& row) {
  std::vector<std::string> parts;
  for (const SettingStep& step : StepsOf(engine, row)) {
    parts.push_back(fmt::format("`{}` {} → {}: {}", step.option, step.without, step.with,
                                Figures(effects, engine.name, step)));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string ChecksumsTable(const std::vector<ProbeReply>& engines,
                           const std::vector<MeasuredEffect>& effects) {
  std::string table = PageHead({"engine", "has a checksum", "a read compares", "CRC32 of the build "
                                "that was measured", "what comparing does to the rate"});
  for (const ProbeReply& engine : engines) {
    const EngineDescription& description = engine.description;
    if (!IsStore(engine)) continue;
    std::string effect, computed;
    for (const AlternativeDescription& row : description.alternatives) {
      // Of two rows the one that leaves out what is compared by default.
      const bool is_of_checks = row.name == kChecked || row.name == "unchecked";
      if (is_of_checks) effect = EffectCell(effects, description, row);
    }
    for (const MeasuredEffect& one : effects) {
      if (one.engine == description.name && one.option != "library") {
        computed = one.crc32 == "-" ? "" : fmt::format("{} ({})", one.crc32, one.version);
      }
    }
    table += PageRow({description.name, std::string(description.Fact("checksums")),
                      std::string(description.Fact("compared")), computed, effect});
  }
  return table;
}

// What another build of the same version does.
std::string LibraryRows(const std::vector<MeasuredEffect>& effects, const std::string& engine) {
  std::vector<SettingStep> steps;
  for (const MeasuredEffect& effect : effects) {
    const bool is_known = std::ranges::any_of(steps, [&](const SettingStep& step) {
      return step.without == effect.without && step.with == effect.with;
    });
    if (effect.engine == engine && effect.option == "library" && !is_known) {
      steps.push_back({effect.option, effect.without, effect.with});
    }
  }
  std::string rows;
  for (const SettingStep& step : steps) {
    rows += PageRow({"library", "",
                     fmt::format("{} → {}: {}", step.without, step.with,
                                 Figures(effects, engine, step)),
                     "", "The release computes CRC32 in software, the build of `make rocksdb` by "
                     "the CPU's instruction."});
  }
  return rows;
}

// How they were measured, and which options with which flags.
std::string HowMeasured(const std::vector<MeasuredEffect>& effects) {
  if (effects.empty()) return "";
  std::map<std::string, std::set<std::string>> options_of_terms;
  std::set<std::string> days;
  std::set<double> loads;
  for (const MeasuredEffect& effect : effects) {
    options_of_terms[effect.terms].insert(effect.engine + "." + effect.option);
    days.insert(effect.when);
    loads.insert(std::strtod(effect.load.c_str(), nullptr));
  }
  const auto range = [](const auto& values) {
    return values.size() == 1 ? fmt::format("{}", *values.begin())
                              : fmt::format("{} to {}", *values.begin(), *values.rbegin());
  };
  std::string text = fmt::format(
      "Effects: the rate with the setting over the rate without it, with the interval that holds "
      "with 95 %, of one engine whose two variants take turns, round by round. By "
      "`benchmarks/settings_effects.py`, {}, on a machine whose load was {}.\n\n",
      range(days), range(loads));
  for (const auto& [terms, options] : options_of_terms) {
    text += fmt::format("- `{}`: {}\n", terms, fmt::join(options, ", "));
  }
  return text;
}

std::string FairnessMarkdown(const std::vector<ProbeReply>& engines,
                             const std::vector<MeasuredEffect>& effects) {
  std::string page =
      "# What each engine is given\n\nFor maintainers of an engine. Made by `levelfield docs "
      "fairness benchmarks/settings_effects.tsv` from the table `alternatives` in `engines/*.cc`; "
      "a test fails when it is stale. [fairness.md](../fairness.md) says how to object. Rows "
      "called `equal` are what `--settings=equal` gives beside the common options, and `checked` "
      "what `--settings=checked` gives besides. `own` is the library's own default where `equal` "
      "or the plug-in has another, and `unchecked` leaves out what the library compares by "
      "default: both are only measured. The others are what `--settings=best` tries.\n\n";
  page += HowMeasured(effects);
  page += "\n## Checksums\n\n" + ChecksumsTable(engines, effects);
  for (const ProbeReply& engine : engines) {
    const EngineDescription& description = engine.description;
    if (!IsStore(engine)) continue;
    page += fmt::format("\n## {}\n\n", description.name);
    page += PageHead({"row", "settings", "measured effect", "keeps the promise of", "why"});
    for (const AlternativeDescription& row : description.alternatives) {
      page += PageRow({row.name, "`" + row.settings + "`", EffectCell(effects, description, row),
                       row.classes, fmt::format("{} [{}]({})", row.because, "source", row.link)});
    }
    page += LibraryRows(effects, description.name);
  }
  return page;
}

}  // namespace

Answer FairnessPage(const Words& files) {
  if (files.size() > 1) return Status::Usage("docs fairness: one file of effects is accepted");
  std::vector<MeasuredEffect> effects;
  if (!files.empty()) {
    ASSIGN_OR_RETURN(effects, ReadEffects(files.front()));
  }
  return FairnessMarkdown(Probe(FindEngines(EnginePlaces()), nullptr), effects);
}

// A line for each: engine, row, option, value without, value with, and the other settings of an
// `equal` row, which gives way whole.
std::string SettingsToMeasure() {
  std::string lines;
  for (const ProbeReply& engine : Probe(FindEngines(EnginePlaces()), nullptr)) {
    if (!IsStore(engine)) continue;
    for (const AlternativeDescription& row : engine.description.alternatives) {
      for (const SettingStep& step : StepsOf(engine.description, row)) {
        std::vector<std::string> others;
        for (const auto& [option, value] : row.Options()) {
          if (row.name == kEqual && option != step.option) {
            others.push_back(fmt::format("--{}.{}={}", engine.description.name, option, value));
          }
        }
        lines += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", engine.description.name, row.name,
                             step.option, step.without, step.with, fmt::join(others, " "));
      }
    }
  }
  return lines;
}

}  // namespace levelfield
