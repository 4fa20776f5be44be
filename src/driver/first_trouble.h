// The driver's own first error (a directory, a full disk), which ends everything. Errors that
// follow from it are not reported. Used by one thread.
#ifndef LEVELFIELD_DRIVER_FIRST_TROUBLE_H_
#define LEVELFIELD_DRIVER_FIRST_TROUBLE_H_

#include "base/status.h"

namespace levelfield {

class FirstTrouble {
 public:
  void Keep(const Status& status) {
    if (!status.ok() && status_.ok()) status_ = status;
  }
  bool any() const { return !status_.ok(); }
  const Status& status() const { return status_; }

 private:
  Status status_ = Status::Ok();
};

}  // namespace levelfield

#endif  // LEVELFIELD_DRIVER_FIRST_TROUBLE_H_
