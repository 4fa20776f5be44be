// A fixture of include_directions_test.cc; never compiled.
#include "driver/driver.h"
#include "engine/engine.h"
#include "report/table.h"

const auto began = std::chrono::system_clock::now();
