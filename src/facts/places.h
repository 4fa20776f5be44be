// What lies at paths that somebody typed: directories, our stores, and those that engines
// recognize. Changes nothing. Any thread may call.
#ifndef LEVELFIELD_FACTS_PLACES_H_
#define LEVELFIELD_FACTS_PLACES_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "engine/probe_request.h"
#include "plan/facts.h"

namespace levelfield {

PlaceFacts LookAt(const std::string& path);

// See EnclosingStore. One of ours is found at any height above it. Another is looked for in the two
// directories that are nearest, where engines are asked if there are files beside it; not in the
// working directory and above, which all runs would have to wait for.
EnclosingStore FindStoreAround(const std::string& path, bool may_be_one,
                               const std::vector<std::string>& plugins);

// An error names who has the store open, ours or another, if somebody has. If one of ours is
// locked, opening it says so.
Status CheckNobodyUsesStore(const std::string& path);

// Asks an engine whether it recognizes what lies there.
ProbeRequest RecognitionOf(const std::string& path, const std::string& engine);

// The plug-ins that recognize the path as their store.
std::vector<std::string> EnginesThatRecognize(const std::string& path,
                                              const std::vector<std::string>& plugins);

}  // namespace levelfield

#endif  // LEVELFIELD_FACTS_PLACES_H_
