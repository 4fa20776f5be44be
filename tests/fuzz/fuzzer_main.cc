// One target for libFuzzer, which has the main function: FUZZ_TARGET names it.
#include <cstddef>
#include <cstdint>

#include "targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  levelfield::fuzz::FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
