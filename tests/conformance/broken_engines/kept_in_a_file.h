// The memory engine, kept in a file that is written when the store is closed and read when it is
// opened: a sound engine that is not volatile.
#ifndef LEVELFIELD_TESTS_CONFORMANCE_BROKEN_ENGINES_KEPT_IN_A_FILE_H_
#define LEVELFIELD_TESTS_CONFORMANCE_BROKEN_ENGINES_KEPT_IN_A_FILE_H_

#include <fstream>
#include <map>
#include <string>

#include "memory_with.h"

namespace {

std::map<lf_store*, std::string>& Files() {
  static std::map<lf_store*, std::string> files;
  return files;
}

std::string ReadText(std::istream& in) {
  size_t size = 0;
  in >> size;
  in.get();
  std::string text(size, '\0');
  in.read(text.data(), static_cast<std::streamsize>(size));
  return text;
}

void WriteText(std::ostream& out, lf_bytes text) {
  out << text.size << ' ';
  out.write(text.data, static_cast<std::streamsize>(text.size));
}

lf_code Open(const char* directory, const lf_setting* settings, size_t count, lf_store** store) {
  const lf_code code = kEngine.open(directory, settings, count, store);
  if (code != LF_OK || directory == nullptr) return code;
  const std::string file = std::string(directory) + "/data";
  Files()[*store] = file;
  lf_session* session = nullptr;
  (void)kEngine.begin_session(*store, &session);
  std::ifstream in(file, std::ios::binary);
  while (in.peek() != std::char_traits<char>::eof() && in) {
    const std::string key = ReadText(in);
    const std::string value = ReadText(in);
    (void)kEngine.put(session, levelfield::Bytes(key), levelfield::Bytes(value));
  }
  kEngine.end_session(session);
  if (!std::ofstream(file, std::ios::binary | std::ios::app)) {
    Files().erase(*store);
    (void)kEngine.close(*store);
    return levelfield::Failed("cannot write " + file);
  }
  return LF_OK;
}

lf_code Close(lf_store* store) {
  std::ofstream out(Files()[store], std::ios::binary | std::ios::trunc);
  Files().erase(store);
  lf_session* session = nullptr;
  (void)kEngine.begin_session(store, &session);
  lf_bytes key{};
  lf_bytes value{};
  for (lf_code code = kEngine.seek(session, LF_FIRST, {}, &key, &value); code == LF_OK;
       code = kEngine.next(session, &key, &value)) {
    WriteText(out, key);
    WriteText(out, value);
  }
  kEngine.end_session(session);
  return kEngine.close(store);
}

void KeepInAFile(lf_engine& table) {
  table.capabilities &= ~uint32_t{LF_VOLATILE};
  table.open = Open;
  table.close = Close;
}

}  // namespace

#endif  // LEVELFIELD_TESTS_CONFORMANCE_BROKEN_ENGINES_KEPT_IN_A_FILE_H_
