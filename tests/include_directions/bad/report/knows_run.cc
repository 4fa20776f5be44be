// A fixture of include_directions_test.cc; never compiled.
#include "base/status.h"
  #  include <run/driver.h>  // Spelled oddly.
