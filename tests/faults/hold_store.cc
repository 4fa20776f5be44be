// A program that is not Levelfield and has a store open by the engine's own library, without our
// marker or lock: hold_store <engine> <directory> <pipe>. Says "open"; for each line `read` in the
// pipe it reads the whole store by a scan and says how many entries it has; at the line `close` it
// closes the store and ends. All that on standard error, and what the engine refuses, which ends it
// with 3.
#include <cstdio>
#include <fstream>
#include <string>

#include "engine/engine.h"
#include "engine/loader.h"

namespace levelfield {
namespace {

int Refused(const Status& status) {
  std::fprintf(stderr, "%s\n", status.message().c_str());
  return 3;
}

int Hold(const std::string& name, const std::string& directory, const std::string& pipe) {
  const StatusOr<EngineSpec> spec = ParseEngineSpec(name);
  const StatusOr<Engine> engine = LoadEngine(*spec, EnginePlaces());
  if (!engine.ok()) return Refused(engine.status());
  StatusOr<Store> store = Store::Open(*engine, directory, {{"durability", "process"}});
  if (!store.ok()) return Refused(store.status());
  StatusOr<Session> session = store->BeginSession();
  if (!session.ok()) return Refused(session.status());
  std::fprintf(stderr, "open\n");
  std::fstream asked(pipe);  // Also for writing, so that it has no end.
  const lf_engine& table = engine->table();
  for (std::string line; std::getline(asked, line) && line == "read";) {
    lf_bytes key;
    lf_bytes value;
    size_t entries = 0;
    lf_code code = table.seek(session->get(), LF_FIRST, {}, &key, &value);
    for (; code == LF_OK; code = table.next(session->get(), &key, &value)) ++entries;
    if (code != LF_NOT_FOUND) return Refused(Status::Failed(table.last_error()));
    std::fprintf(stderr, "%zu entries\n", entries);
  }
  session->End();
  const Status closed = store->Close();
  return closed.ok() ? 0 : Refused(closed);
}

}  // namespace
}  // namespace levelfield

int main(int count, char** words) {
  return count == 4 ? levelfield::Hold(words[1], words[2], words[3]) : 2;
}
