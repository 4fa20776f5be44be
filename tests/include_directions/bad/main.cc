// A fixture of include_directions_test.cc; never compiled.
#include "report/table.h"
#include "run/driver.h"
