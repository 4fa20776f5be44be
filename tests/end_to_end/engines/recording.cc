// Another engine, which writes down what its sessions are asked for. Put as levelfield_<engine>.so
// among the plug-ins it hands every call on to the one of that name in $LEVELFIELD_RECORDED, and
// leaves a file for each session that made a hundred calls or more in $LEVELFIELD_RECORDS: a line
// with the call and the key for each of the first thousand.
#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string>

#include "levelfield/engine_abi.h"

namespace {

constexpr size_t kLeast = 100;
constexpr size_t kMost = 1000;

const lf_engine* real = nullptr;
lf_engine table;

// A session is used by the thread that begins it.
struct Record {
  size_t calls = 0;
  std::string text;

  void Add(const char* call, lf_bytes key) {
    if (++calls > kMost) return;
    text += std::string(call) + ' ' + std::string(key.data, key.size) + '\n';
  }
};
thread_local Record record;

lf_code BeginSession(lf_store* store, lf_session** session) {
  record = {};
  return real->begin_session(store, session);
}

void EndSession(lf_session* session) {
  static std::atomic<int> sessions{1000};
  const char* const directory = std::getenv("LEVELFIELD_RECORDS");
  if (directory != nullptr && record.calls >= kLeast) {
    std::ofstream(directory + ("/" + std::to_string(sessions++))) << record.text;
  }
  record = {};
  real->end_session(session);
}

lf_code Get(lf_session* session, lf_bytes key, lf_bytes* value) {
  record.Add("get", key);
  return real->get(session, key, value);
}

lf_code Put(lf_session* session, lf_bytes key, lf_bytes value) {
  record.Add("put", key);
  return real->put(session, key, value);
}

lf_code Erase(lf_session* session, lf_bytes key) {
  record.Add("erase", key);
  return real->erase(session, key);
}

lf_code Write(lf_session* session, const lf_entry* entries, size_t count) {
  for (size_t i = 0; i < count; ++i) record.Add("write", entries[i].key);
  return real->write(session, entries, count);
}

lf_code Seek(lf_session* session, lf_seek how, lf_bytes key, lf_bytes* found, lf_bytes* value) {
  record.Add("seek", key);
  return real->seek(session, how, key, found, value);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const lf_engine* levelfield_engine() {
  Dl_info here;
  if (dladdr(reinterpret_cast<void*>(&Get), &here) == 0) return nullptr;
  const std::string path = here.dli_fname;
  const char* const directory = std::getenv("LEVELFIELD_RECORDED");
  if (directory == nullptr) return nullptr;
  void* const library =
      dlopen((directory + path.substr(path.rfind('/'))).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto entry =
      reinterpret_cast<levelfield_engine_function>(dlsym(library, "levelfield_engine"));
  if (entry == nullptr) return nullptr;
  real = entry();
  table = *real;
  table.begin_session = BeginSession;
  table.end_session = EndSession;
  table.get = Get;
  table.put = Put;
  table.erase = Erase;
  table.write = Write;
  table.seek = Seek;
  // Otherwise each has a way past the calls above.
  table.multi_get = nullptr;
  table.merge = nullptr;
  return &table;
}
