// A fixture of include_directions_test.cc; never compiled.
#include <vector>
#include "base/status.h"
#include "engine/engine.h"
