#include "durability/acknowledgements.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace levelfield {

StatusOr<Acknowledgements> Acknowledgements::Make(uint32_t threads) {
  Acknowledgements made(UniqueFd(memfd_create("levelfield_acknowledgements", MFD_CLOEXEC)),
                        threads);
  if (!made.fd_.ok() || ftruncate(made.fd_.get(), static_cast<off_t>(made.Bytes())) != 0) {
    return Status::Failed(
        fmt::format("cannot make memory for acknowledgements: {}", std::strerror(errno)));
  }
  RETURN_IF_ERROR(made.Map());
  return made;
}

StatusOr<Acknowledgements> Acknowledgements::Open(const std::string& path, uint32_t threads) {
  Acknowledgements opened(UniqueFd(open(path.c_str(), O_RDWR | O_CLOEXEC)), threads);
  if (!opened.fd_.ok()) {
    return Status::Failed(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  }
  RETURN_IF_ERROR(opened.Map());
  return opened;
}

Acknowledgements::Acknowledgements(Acknowledgements&& other) noexcept
    : fd_(std::move(other.fd_)),
      threads_(other.threads_),
      shared_(std::exchange(other.shared_, nullptr)),
      slots_(std::exchange(other.slots_, nullptr)) {}

Acknowledgements::~Acknowledgements() {
  if (shared_ != nullptr) munmap(shared_, Bytes());
}

// Pages of it exist where something was written only.
Status Acknowledgements::Map() {
  void* const pages =
      mmap(nullptr, Bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_.get(), 0);
  if (pages == MAP_FAILED) {
    return Status::Failed(
        fmt::format("cannot map the memory for acknowledgements: {}", std::strerror(errno)));
  }
  shared_ = static_cast<Shared*>(pages);
  slots_ = reinterpret_cast<Slot*>(shared_ + 1);
  return Status::Ok();
}

std::string Acknowledgements::path() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), fd_.get());
}

std::vector<uint64_t> Acknowledgements::Issued() const {
  std::vector<uint64_t> counts;
  for (uint32_t i = 0; i < threads_; ++i) counts.push_back(slots_[i].issued);
  return counts;
}

std::vector<uint64_t> Acknowledgements::Acked() const {
  std::vector<uint64_t> counts;
  for (uint32_t i = 0; i < threads_; ++i) counts.push_back(slots_[i].acked);
  return counts;
}

uint64_t Acknowledgements::AckedNs(uint32_t thread, uint64_t commit) const {
  return slots_[thread].acked_ns[commit];
}

}  // namespace levelfield
