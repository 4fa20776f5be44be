#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "engine/engine.h"
#include "plan/load_settings.h"
#include "settings/dialects/cache_bench.h"
#include "settings/dialects/dialect.h"
#include "settings/settings.h"
#include "targets.h"

namespace levelfield::fuzz {
namespace {

void Read(const std::vector<std::string>& words) {
  const StatusOr<Settings> settings = ParseSettings(words);
  if (!settings.ok()) return;
  // What a worker is told comes to the same again.
  std::vector<std::string> again;
  for (const Flag& flag : levelfield::Flags()) {
    if (!settings->given.contains(std::string(flag.name))) continue;
    again.push_back("--" + std::string(flag.name) + "=" + TextOf(flag, *settings));
  }
  const StatusOr<Settings> read = ParseSettings(again);
  if (!read.ok()) {
    std::fprintf(stderr, "accepted, and then refused: %s\n", read.status().message().c_str());
    std::abort();
  }
  const StatusOr<LoadAsked> load = LoadOf(*settings);
  if (load.ok()) MustBePlain(PlanWords(*load));
}

}  // namespace

void Flags(std::string_view bytes) {
  const std::vector<std::string> words = LinesOf(bytes);
  Read(words);
  for (const Dialect* const dialect : Dialects()) {
    const auto translated = TranslateWords(DialectOfWords(*dialect, words), words, "/tmp/db", {});
    if (translated.ok()) Read(translated->words);
  }
  const StatusOr<CacheBenchWords> split = SplitCacheBenchWords(words);
  if (split.ok()) (void)ParseCacheBench(*split, {"clock", "lru"});
  for (const std::string& word : words) {
    (void)ParseEngineSpec(word);
  }
}

}  // namespace levelfield::fuzz
