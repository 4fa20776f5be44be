// A fixture of include_directions_test.cc; never compiled.
#include "result/result.h"
#include "levelfield/engine_abi.h"
