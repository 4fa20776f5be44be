// Facts about a loaded library, found in the library itself: its path, which names it contains, and
// whether its code has hardware CRC32. Engines report them in `describe`, so that no number appears
// under the name of a build that was not measured.
//
// Cold code: it reads the whole file. Any thread.
#ifndef LEVELFIELD_ENGINES_LIBRARY_FACTS_H_
#define LEVELFIELD_ENGINES_LIBRARY_FACTS_H_

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "levelfield/engine_abi.h"

// The fact "build": the words of build.txt of a library that we have built and that is inside the
// plug-in (engines/CMakeLists.txt), or else that it is the distribution's.
#ifndef LEVELFIELD_BUILD
#define LEVELFIELD_BUILD "the distribution's"
#endif

// How each engine's fact "space_factor" was found.
#define LEVELFIELD_SPACE_MEASURED \
  "(the most of fillrandom and overwrite, values of 100 to 4000 bytes, scripts/space_factors.sh)"

namespace levelfield {

// The absolute path of the file that contains the code of `function`. Empty if there is none.
inline std::string LibraryPath(const void* function) {
  Dl_info info{};
  if (dladdr(function, &info) == 0 || info.dli_fname == nullptr) return "";
  char* const real = realpath(info.dli_fname, nullptr);
  const std::string path = real != nullptr ? real : info.dli_fname;
  std::free(real);
  return path;
}

// The bytes of a library's file, mapped and not copied: they are in the page cache already, and
// copying RocksDB's 17 MB took longer than all searches in them.
class LibraryFile {
 public:
  explicit LibraryFile(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat file {};
    if (fd >= 0 && fstat(fd, &file) == 0 && file.st_size > 0) {
      size_ = static_cast<size_t>(file.st_size);
      data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0) close(fd);
  }
  ~LibraryFile() {
    if (data_ != MAP_FAILED) munmap(data_, size_);
  }
  LibraryFile(const LibraryFile&) = delete;
  LibraryFile& operator=(const LibraryFile&) = delete;

  // Empty if the file cannot be read.
  std::string_view bytes() const {
    return data_ != MAP_FAILED ? std::string_view(static_cast<const char*>(data_), size_)
                               : std::string_view();
  }

 private:
  void* data_ = MAP_FAILED;
  size_t size_ = 0;
};

// The headers of the library's sections, up to one that lies beyond the file.
inline std::vector<ElfW(Shdr)> SectionsOf(std::string_view library) {
  ElfW(Ehdr) header;
  std::vector<ElfW(Shdr)> sections;
  if (library.size() < sizeof header) return sections;
  std::memcpy(&header, library.data(), sizeof header);
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const size_t at = header.e_shoff + i * sizeof(ElfW(Shdr));
    if (at + sizeof(ElfW(Shdr)) > library.size()) break;
    std::memcpy(&sections.emplace_back(), library.data() + at, sizeof(ElfW(Shdr)));
  }
  return sections;
}

// Whether the library imports the symbol: `__assert_fail` if assertions are compiled in. Looks at
// the symbol table and not at the bytes, since a plug-in holds these very names as literals.
inline bool ImportsSymbol(std::string_view library, std::string_view name) {
  const std::vector<ElfW(Shdr)> sections = SectionsOf(library);
  for (const ElfW(Shdr) & symbols : sections) {
    if (symbols.sh_type != SHT_DYNSYM || symbols.sh_link >= sections.size()) continue;
    const ElfW(Shdr)& strings = sections[symbols.sh_link];
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

inline std::string VersionText(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

// The fact "released": the last year that the library's own words about its version tell, as in
// "LMDB 1.0.2: (Aug 6, 2026)". Empty if they tell none.
inline std::string YearOf(std::string_view words) {
  constexpr size_t kDigits = 4;
  for (size_t end = words.size(); end >= kDigits; --end) {
    const std::string_view year = words.substr(end - kDigits, kDigits);
    if (year.find_first_not_of("0123456789") == year.npos && year.starts_with("20")) {
      return std::string(year);
    }
  }
  return "";
}

// The fact "assertions" for a library with these bytes; it may say more than "on". Without bytes
// the file could not be read, so nobody knows that they are off.
inline const char* Assertions(std::string_view library, bool has_assertions,
                              const char* on = "on") {
  if (has_assertions) return on;
  return library.empty() ? "unknown: cannot read the library" : "off";
}

// The fact "assertions" of the loaded library at `path`, and a warning if they are on. A library
// built with --enable-diagnostic has the function `name`, which its assertions call.
inline void TellOfAssertions(void* context, lf_fact_sink sink, const std::string& path,
                             const char* name, const std::string& engine) {
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  const bool has_assertions = library != nullptr && dlsym(library, name) != nullptr;
  if (library != nullptr) dlclose(library);
  sink(context, "assertions", has_assertions ? "on" : "off");
  if (!has_assertions) return;
  const std::string warning = "this " + engine + " is a diagnostic build; its speed tells nothing";
  sink(context, "warning", warning.c_str());
}

// Whether the library's constants hold `name` as a whole C string. They are loaded but neither code
// nor writable: a fiftieth of RocksDB's file. Not for the library that asks, because it holds the
// name itself.
inline bool HoldsLiteral(std::string_view library, std::string_view name) {
  const std::string literal = '\0' + std::string(name) + '\0';
  for (const ElfW(Shdr) & section : SectionsOf(library)) {
    if (section.sh_type != SHT_PROGBITS || section.sh_flags & (SHF_EXECINSTR | SHF_WRITE) ||
        (section.sh_flags & SHF_ALLOC) == 0 || section.sh_offset > library.size()) {
      continue;
    }
    const std::string_view constants = library.substr(section.sh_offset, section.sh_size);
    if (constants.find(literal) != std::string_view::npos ||
        constants.starts_with(std::string_view(literal).substr(1))) {
      return true;
    }
  }
  return false;
}

// Whether x86 code has CRC32 instructions, F2 [REX] 0F 38 F0|F1. A match by chance needs 4 given
// bytes in a row: less than one in a hundred for 20 MB of code.
inline bool HasCrc32OfX86(std::string_view code) {
  // Searches for 38, which is rarer in code than 0F.
  const std::string_view before_last = code.substr(0, code.size() - (code.empty() ? 0 : 1));
  for (size_t at = before_last.find('\x38', 3); at != std::string_view::npos;
       at = before_last.find('\x38', at + 1)) {
    const auto byte = [&](size_t back) { return static_cast<uint8_t>(code[at - back]); };
    const bool is_rex = (byte(2) & 0xf0) == 0x40;
    if (byte(1) == 0x0f && (static_cast<uint8_t>(code[at + 1]) & 0xfe) == 0xf0 &&
        (byte(2) == 0xf2 || (is_rex && byte(3) == 0xf2))) {
      return true;
    }
  }
  return false;
}

// Whether ARM's 64-bit code has CRC32C instructions (CRC32CB, CRC32CH, CRC32CW, CRC32CX).
inline bool HasCrc32OfArm(std::string_view code) {
  for (size_t at = 0; at + 4 <= code.size(); at += 4) {
    uint32_t word = 0;
    std::memcpy(&word, code.data() + at, 4);
    if ((word & 0x7fe0f000) == 0x1ac05000) return true;
  }
  return false;
}

// The loaded code around `function`. Empty if there is none.
inline std::string_view CodeAround(const void* function) {
  struct Search {
    uintptr_t address;
    std::string_view code = {};
  } search{reinterpret_cast<uintptr_t>(function)};
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* context) {
        Search& wanted = *static_cast<Search*>(context);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0 ||
              wanted.address < begin || wanted.address >= begin + segment.p_memsz) {
            continue;
          }
          wanted.code = {reinterpret_cast<const char*>(begin), segment.p_memsz};
          return 1;
        }
        return 0;
      },
      &search);
  return search.code;
}

// How the library of `function` computes CRC32: "hardware" if its code has CRC32 instructions and
// this CPU has them too, else "software".
inline const char* Crc32Kind([[maybe_unused]] const void* function) {
#if defined(__x86_64__)
  const bool is_hardware =
      __builtin_cpu_supports("sse4.2") != 0 && HasCrc32OfX86(CodeAround(function));
  return is_hardware ? "hardware" : "software";
#elif defined(__aarch64__)
  const bool is_hardware =
      (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0 && HasCrc32OfArm(CodeAround(function));
  return is_hardware ? "hardware" : "software";
#else
  return "unknown";
#endif
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_LIBRARY_FACTS_H_
