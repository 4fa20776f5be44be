// What can be found out about a library that is loaded, from the library itself: where it lies,
// which names it holds, and whether its code has hardware CRC32. Engines tell it in `describe`, so
// that no number is printed under the name of a build that was not the one measured.
//
// Cold code: it reads the whole file. Any thread.
#ifndef LEVELFIELD_ENGINES_LIBRARY_FACTS_H_
#define LEVELFIELD_ENGINES_LIBRARY_FACTS_H_

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace levelfield {

// The absolute path of the file whose code `function` is; empty if there is none.
inline std::string LibraryPath(const void* function) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return "";
  char* const real = realpath(info.dli_fname, nullptr);
  const std::string path = real != nullptr ? real : info.dli_fname;
  std::free(real);
  return path;
}

inline std::string ReadLibrary(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Whether the library imports the symbol: `__assert_fail` where assertions are compiled in. Asked
// of the symbol table and not of the bytes, since a plug-in holds these very names as literals.
inline bool ImportsSymbol(std::string_view library, std::string_view name) {
  ElfW(Ehdr) header;
  if (library.size() < sizeof header) return false;
  std::memcpy(&header, library.data(), sizeof header);
  const auto section = [&](size_t index) {
    ElfW(Shdr) read{};
    const size_t at = header.e_shoff + index * sizeof read;
    if (at + sizeof read <= library.size()) std::memcpy(&read, library.data() + at, sizeof read);
    return read;
  };
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const ElfW(Shdr) symbols = section(i);
    if (symbols.sh_type != SHT_DYNSYM) continue;
    const ElfW(Shdr) strings = section(symbols.sh_link);
    for (size_t at = symbols.sh_offset; at < symbols.sh_offset + symbols.sh_size;
         at += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      if (at + sizeof symbol > library.size()) return false;
      std::memcpy(&symbol, library.data() + at, sizeof symbol);
      const size_t text = strings.sh_offset + symbol.st_name;
      if (symbol.st_shndx == SHN_UNDEF && text + name.size() < library.size() &&
          library.substr(text, name.size()) == name && library[text + name.size()] == '\0') {
        return true;
      }
    }
  }
  return false;
}

// What the fact "assertions" says of a library whose bytes were looked at; it may say more than
// "on". No bytes: the file could not be read, and then nobody knows that they are off.
inline const char* Assertions(std::string_view library, bool has_assertions,
                              const char* on = "on") {
  if (has_assertions) return on;
  return library.empty() ? "unknown: cannot read the library" : "off";
}

// Whether the file holds `name` as a whole C string. Not for the library that asks: it holds what
// it asks for.
inline bool HoldsLiteral(std::string_view library, std::string_view name) {
  const std::string whole = '\0' + std::string(name) + '\0';
  return library.find(whole) != std::string_view::npos;
}

// How the library that `function` is in computes CRC32: "hardware" where there are CRC32
// instructions in its code, "software" where there are none. A match by chance needs 4 given bytes
// in a row: less than one in a hundred for 20 MB of code.
inline const char* Crc32Kind([[maybe_unused]] const void* function) {
#if defined(__x86_64__)
  uint64_t count = 0;
  struct Search {
    uintptr_t address;
    uint64_t* count;
  } search{reinterpret_cast<uintptr_t>(function), &count};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* context) {
        const Search& wanted = *static_cast<Search*>(context);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 ||
              wanted.address < begin || wanted.address >= begin + segment.p_memsz) {
            continue;
          }
          // F2 [REX] 0F 38 F0|F1
          const auto* code = reinterpret_cast<const uint8_t*>(begin);
          for (size_t at = 1; at + 5 <= segment.p_memsz; ++at) {
            if (code[at] != 0x0f || code[at + 1] != 0x38 || (code[at + 2] & 0xfe) != 0xf0) continue;
            const bool rex = (code[at - 1] & 0xf0) == 0x40;
            if (code[at - 1] == 0xf2 || (rex && at > 1 && code[at - 2] == 0xf2)) ++*wanted.count;
          }
          return 1;
        }
        return 0;
      },
      &search);
  return count > 0 ? "hardware" : "software";
#else
  return "unknown";
#endif
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_LIBRARY_FACTS_H_
