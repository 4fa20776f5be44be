// The engines that `make build` leaves out, because their compilers or the time that they take are
// not everybody's, and the target of the Makefile that builds each. Constants; any thread.
#ifndef LEVELFIELD_ENGINE_MORE_ENGINES_H_
#define LEVELFIELD_ENGINE_MORE_ENGINES_H_

#include <string_view>

namespace levelfield {

struct MoreEngines {
  std::string_view name;
  std::string_view target;
};

inline constexpr MoreEngines kMoreEngines[] = {
    {"libmdbx", "engines-cpp"}, {"tidesdb", "engines-cpp"},        {"redb", "engines-rust"},
    {"fjall", "engines-rust"},  {"bbolt", "engines-go"},           {"pebble", "engines-go"},
    {"badger", "engines-go"},   {"postgresql", "engines-servers"},
};

// Empty: it is none of these.
constexpr std::string_view TargetThatBuilds(std::string_view name) {
  for (const MoreEngines& one : kMoreEngines) {
    if (one.name == name) return one.target;
  }
  return {};
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_MORE_ENGINES_H_
