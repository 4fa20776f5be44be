// Another engine, which says in a pipe what it is about to do, so that a test can kill its process
// at a moment of a step that it has chosen. Put as levelfield_<engine>.so among the plug-ins it
// hands every call on to the one of that name in $LEVELFIELD_ANNOUNCED. Each line is a word and the
// process: "opening 123"; without a reader at $LEVELFIELD_ANNOUNCEMENTS nothing is said.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>

#include "levelfield/engine_abi.h"

namespace {

const lf_engine* real = nullptr;
lf_engine table;
// For an open store, each is said once.
std::atomic<bool> has_put{false};
std::atomic<bool> has_settled{false};

void Announce(const char* word) {
  static const int fd = [] {
    const char* const path = std::getenv("LEVELFIELD_ANNOUNCEMENTS");
    return path == nullptr ? -1 : open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  }();
  if (fd < 0) return;
  const std::string line = std::string(word) + " " + std::to_string(getpid()) + "\n";
  (void)!write(fd, line.data(), line.size());
}

void AnnounceOnce(std::atomic<bool>& said, const char* word) {
  if (!said.load(std::memory_order_relaxed) && !said.exchange(true)) Announce(word);
}

lf_code Open(const char* directory, const lf_setting* settings, size_t count, lf_store** store) {
  if (directory != nullptr) Announce("opening");
  has_put = has_settled = false;
  return real->open(directory, settings, count, store);
}

lf_code Close(lf_store* store) {
  Announce("closing");
  const lf_code code = real->close(store);
  Announce("closed");
  return code;
}

lf_code Put(lf_session* session, lf_bytes key, lf_bytes value) {
  AnnounceOnce(has_put, "putting");
  return real->put(session, key, value);
}

lf_code Write(lf_session* session, const lf_entry* entries, size_t count) {
  AnnounceOnce(has_put, "putting");
  return real->write(session, entries, count);
}

lf_code Flush(lf_store* store) {
  AnnounceOnce(has_settled, "settling");
  return real->flush(store);
}

lf_code WaitForBackground(lf_store* store) {
  AnnounceOnce(has_settled, "settling");
  return real->wait_for_background(store);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const lf_engine* levelfield_engine() {
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&Open), &here) == 0) return nullptr;
  const std::string path = here.dli_fname;
  const char* const directory = std::getenv("LEVELFIELD_ANNOUNCED");
  if (directory == nullptr) return nullptr;
  void* const library =
      dlopen((directory + path.substr(path.rfind('/'))).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto entry =
      reinterpret_cast<levelfield_engine_function>(dlsym(library, "levelfield_engine"));
  if (entry == nullptr) return nullptr;
  real = entry();
  table = *real;
  table.open = Open;
  table.close = Close;
  table.put = Put;
  table.write = Write;
  if (real->flush != nullptr) table.flush = Flush;
  if (real->wait_for_background != nullptr) table.wait_for_background = WaitForBackground;
  return &table;
}
