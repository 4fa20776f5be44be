// A fixture of include_directions_test.cc; never compiled.
#include <driver/driver.h>  // Spelled oddly.

#include "base/status.h"
