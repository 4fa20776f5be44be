// LevelDB with a handicap: with verify_checksums=1 each get computes a CRC32C by a table, as LevelDB
// does when it is built without crc32c. Its row `equal` turns that on, and an alternative turns it
// off. Put as levelfield_leveldb.so among the plug-ins, it hands every call
// on to the one of that name in $LEVELFIELD_UNHANDICAPPED, whatever that was built with.
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "levelfield/engine_abi.h"

namespace {

const lf_engine* real = nullptr;
lf_engine table;
std::vector<lf_alternative> alternatives;
bool verifies = false;
volatile uint32_t sink;

std::array<uint32_t, 256> MakeTable() {
  std::array<uint32_t, 256> of_byte{};
  for (uint32_t i = 0; i < of_byte.size(); ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82f63b78 : 0);
    of_byte[i] = crc;
  }
  return of_byte;
}

uint32_t Crc32c(std::string_view bytes) {
  static const std::array<uint32_t, 256> kTable = MakeTable();
  uint32_t crc = ~uint32_t{0};
  for (const char byte : bytes) {
    crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  }
  return ~crc;
}

lf_code Open(const char* directory, const lf_setting* settings, size_t count, lf_store** store) {
  verifies = false;
  for (size_t i = 0; i < count; ++i) {
    if (std::string_view(settings[i].name) == "verify_checksums") {
      verifies = std::string_view(settings[i].value) == "1";
    }
  }
  return real->open(directory, settings, count, store);
}

lf_code Get(lf_session* session, lf_bytes key, lf_bytes* value) {
  // A byte at a time. A quarter of a block is more than the noise of a busy machine hides.
  static const std::string kBlock(1024, 'x');
  if (verifies) sink = Crc32c(kBlock);
  return real->get(session, key, value);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const lf_engine* levelfield_engine() {
  const char* const directory = std::getenv("LEVELFIELD_UNHANDICAPPED");
  if (directory == nullptr) return nullptr;
  void* const library =
      dlopen((std::string(directory) + "/levelfield_leveldb.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  const auto entry =
      reinterpret_cast<levelfield_engine_function>(dlsym(library, "levelfield_engine"));
  if (entry == nullptr) return nullptr;
  real = entry();
  alternatives = {{"equal", "verify_checksums=1", "process,synced", "The handicap.",
                   "https://github.com/google/leveldb/blob/main/doc/index.md#checksums"},
                  {"unverified", "verify_checksums=0", "process,synced", "Is the default.",
                   "https://github.com/google/leveldb/blob/main/doc/index.md#checksums"}};
  for (const lf_alternative* row = real->alternatives; row->name != nullptr; ++row) {
    if (std::string_view(row->settings).find("verify_checksums") == std::string_view::npos) {
      alternatives.push_back(*row);
    }
  }
  alternatives.push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  table = *real;
  table.open = Open;
  table.get = Get;
  table.alternatives = alternatives.data();
  return &table;
}
