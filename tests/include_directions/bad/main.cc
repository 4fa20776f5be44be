// A fixture of include_directions_test.cc; never compiled.
#include "driver/driver.h"
#include "report/table.h"
