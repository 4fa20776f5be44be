#include "worker/store_host.h"

#include "base/clock.h"

namespace levelfield {
Status StoreHost::EnsureOpen(const std::string& durability, double* seconds) {
  *seconds = 0;
  // A floor that forgets everything when it is closed takes every class alike.
  if (store_ && (durability_ == durability || engine_.Has(LF_VOLATILE))) return Status::Ok();
  double close_seconds = 0;
  RETURN_IF_ERROR(Close(&close_seconds));
  const SettingList settings = SettingsWith(durability);
  const uint64_t start_ns = MonotonicNs();
  ASSIGN_OR_RETURN(Store store, Store::Open(engine_, directory_, settings));
  *seconds = SecondsSince(start_ns);
  store_ = std::move(store);
  durability_ = durability;
  return Status::Ok();
}

SettingList StoreHost::SettingsWith(const std::string& durability) const {
  SettingList settings = settings_;
  settings.insert(settings.end(), hints_.begin(), hints_.end());
  settings.emplace_back("durability", durability);
  if (has_integer_keys_) settings.emplace_back("integer_keys", "1");
  return settings;
}

Status StoreHost::Empty(bool with_integer_keys) {
  double seconds = 0;
  RETURN_IF_ERROR(Close(&seconds));
  has_integer_keys_ = with_integer_keys;
  return events_.Ask(Request::kEmptyDatabase);
}

Status StoreHost::Close(double* seconds) {
  *seconds = 0;
  if (!store_) return Status::Ok();
  const uint64_t start_ns = MonotonicNs();
  const Status status = store_->Close();
  *seconds = SecondsSince(start_ns);
  store_.reset();
  // What did not close is not as its engine leaves a store, whatever the engine calls that.
  return status.ok() ? status : Status::Failed(status.message());
}

}  // namespace levelfield
