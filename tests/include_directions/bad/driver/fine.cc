// A fixture of include_directions_test.cc; never compiled.
#include "levelfield/engine_abi.h"
#include "result/result.h"
