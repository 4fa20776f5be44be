#include "base/status.h"

#include <cstdlib>

#include "base/print.h"

namespace levelfield {

void EndForWantOfAValue(const Status& status) {
  PrintNote("levelfield: internal error: a value was used that is not there: " + status.message() +
            "; please report it");
  std::abort();
}

}  // namespace levelfield
