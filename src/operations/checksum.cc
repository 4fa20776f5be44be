#include "operations/checksum.h"

#include "operations/shared_library.h"

namespace levelfield {

StatusOr<Checksum> Checksum::Load() {
  Checksum checksum;
  SharedLibrary own("libcrc32c.so.1");
  own.Find("crc32c_value", checksum.value_);
  if (own.status().ok()) {
    checksum.library_ = own.path();
    return checksum;
  }
  SharedLibrary isal("libisal.so.2");
  isal.Find("crc32_iscsi", checksum.iscsi_);
  if (isal.status().ok()) {
    checksum.library_ = isal.path();
    return checksum;
  }
  return Status::Usage(own.status().message() + "; " + isal.status().message());
}

}  // namespace levelfield
