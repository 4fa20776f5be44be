// What an open store is really configured as, as its engine tells it (the property `options`).
// Asked by the worker between phases.
#ifndef LEVELFIELD_ENGINE_CONFIGURATION_H_
#define LEVELFIELD_ENGINE_CONFIGURATION_H_

#include <string>

#include "engine/engine.h"

namespace levelfield {

// The text, with `<store>` for the store's directory, so that one configuration has one text
// wherever its store is; "unknown: <reason>" where the engine does not tell.
std::string ConfigurationOf(Store& store, const std::string& directory);

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINE_CONFIGURATION_H_
