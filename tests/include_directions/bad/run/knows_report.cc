// A fixture of include_directions_test.cc; never compiled.
#include "engine/engine.h"
#include "report/table.h"
#include "run/driver.h"

const auto began = std::chrono::system_clock::now();
