// The C functions of each library, as its own header declares them.
#include "operations/libraries.h"

#include <fmt/format.h>

#include <memory>

namespace levelfield {

SharedLibrary::SharedLibrary(const char* name, std::string_view package)
    : name_(name), package_(package), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ == nullptr) Complain();
}

void* SharedLibrary::FindSymbol(const char* symbol) {
  if (!error_.empty()) return nullptr;
  void* const found = dlsym(handle_, symbol);
  if (found == nullptr) Complain();
  Dl_info info{};
  if (found != nullptr && dladdr(found, &info) != 0) path_ = info.dli_fname;
  return found;
}

void SharedLibrary::Complain() {
  const char* const reason = dlerror();
  error_ = fmt::format("{} cannot be loaded: {}", name_, reason != nullptr ? reason : "unknown");
  if (!package_.empty()) error_ += fmt::format(" (apt-get install {})", package_);
}

namespace {

// https://github.com/google/snappy/blob/main/snappy-c.h: 0 is SNAPPY_OK.
StatusOr<CompressionCodec> LoadSnappy() {
  using Convert = int(const char*, size_t, char*, size_t*);
  SharedLibrary library("libsnappy.so.1", "libsnappy1v5");
  auto* const bound = library.Find<size_t(size_t)>("snappy_max_compressed_length");
  auto* const compress = library.Find<Convert>("snappy_compress");
  auto* const uncompress = library.Find<Convert>("snappy_uncompress");
  RETURN_IF_ERROR(library.status());
  const auto with = [](Convert* convert) {
    return [convert](std::string_view in, char* out, size_t capacity) {
      return convert(in.data(), in.size(), out, &capacity) == 0 ? capacity : size_t{0};
    };
  };
  return CompressionCodec{library.path(), bound, with(compress), with(uncompress)};
}

// https://facebook.github.io/zstd/zstd_manual.html
StatusOr<CompressionCodec> LoadZstd() {
  constexpr int kLevel = 1;
  using Free = size_t(void*);
  SharedLibrary library("libzstd.so.1", "libzstd1");
  auto* const bound = library.Find<size_t(size_t)>("ZSTD_compressBound");
  auto* const is_error = library.Find<unsigned(size_t)>("ZSTD_isError");
  auto* const create_compressor = library.Find<void*()>("ZSTD_createCCtx");
  auto* const free_compressor = library.Find<Free>("ZSTD_freeCCtx");
  auto* const compress =
      library.Find<size_t(void*, void*, size_t, const void*, size_t, int)>("ZSTD_compressCCtx");
  auto* const create_uncompressor = library.Find<void*()>("ZSTD_createDCtx");
  auto* const free_uncompressor = library.Find<Free>("ZSTD_freeDCtx");
  auto* const uncompress =
      library.Find<size_t(void*, void*, size_t, const void*, size_t)>("ZSTD_decompressDCtx");
  RETURN_IF_ERROR(library.status());
  const std::shared_ptr<void> compressor(create_compressor(), free_compressor);
  const std::shared_ptr<void> uncompressor(create_uncompressor(), free_uncompressor);
  if (!compressor || !uncompressor) return Status::Usage("libzstd.so.1 made no context");
  const auto written = [is_error](size_t result) { return is_error(result) == 0 ? result : 0; };
  return CompressionCodec{
      library.path(), bound,
      [=](std::string_view in, char* out, size_t capacity) {
        return written(compress(compressor.get(), out, capacity, in.data(), in.size(), kLevel));
      },
      [=](std::string_view in, char* out, size_t capacity) {
        return written(uncompress(uncompressor.get(), out, capacity, in.data(), in.size()));
      }};
}

// https://github.com/lz4/lz4/blob/dev/lib/lz4.h: what is not above 0 is an error.
StatusOr<CompressionCodec> LoadLz4() {
  using Convert = int(const char*, char*, int, int);
  SharedLibrary library("liblz4.so.1", "liblz4-1");
  auto* const bound = library.Find<int(int)>("LZ4_compressBound");
  auto* const compress = library.Find<Convert>("LZ4_compress_default");
  auto* const uncompress = library.Find<Convert>("LZ4_decompress_safe");
  RETURN_IF_ERROR(library.status());
  const auto with = [](Convert* convert) {
    return [convert](std::string_view in, char* out, size_t capacity) {
      const int written =
          convert(in.data(), out, static_cast<int>(in.size()), static_cast<int>(capacity));
      return written > 0 ? static_cast<size_t>(written) : size_t{0};
    };
  };
  return CompressionCodec{
      library.path(),
      [bound](size_t size) { return static_cast<size_t>(bound(static_cast<int>(size))); },
      with(compress), with(uncompress)};
}

const unsigned char* BytesOf(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// https://github.com/Cyan4973/xxHash/blob/dev/xxhash.h; the seed is last.
std::function<uint64_t(std::string_view)> FindXxHash(SharedLibrary& library,
                                                     std::string_view name) {
  if (name == "xxhash") {
    return [of = library.Find<unsigned(const void*, size_t, unsigned)>("XXH32")](
               std::string_view bytes) { return of(bytes.data(), bytes.size(), 0); };
  }
  if (name == "xxhash64") {
    return [of = library.Find<uint64_t(const void*, size_t, uint64_t)>("XXH64")](
               std::string_view bytes) { return of(bytes.data(), bytes.size(), 0); };
  }
  return [of = library.Find<uint64_t(const void*, size_t)>("XXH3_64bits")](std::string_view bytes) {
    return of(bytes.data(), bytes.size());
  };
}

}  // namespace

StatusOr<CompressionCodec> LoadCodec(std::string_view name) {
  if (name == "snappy") return LoadSnappy();
  if (name == "zstd") return LoadZstd();
  if (name == "lz4") return LoadLz4();
  return Status::Usage(fmt::format("no compressor is called {}", name));
}

StatusOr<Checksum> LoadCrc32c() {
  // https://github.com/google/crc32c/blob/main/include/crc32c/crc32c.h
  SharedLibrary own("libcrc32c.so.1", "");
  auto* const value = own.Find<uint32_t(const unsigned char*, size_t)>("crc32c_value");
  if (own.status().ok()) {
    return Checksum{own.path(), [value](std::string_view bytes) {
                      return value(BytesOf(bytes), bytes.size());
                    }};
  }
  // https://github.com/intel/isa-l/blob/master/include/crc.h: without the inversions.
  SharedLibrary isal("libisal.so.2", "libisal2");
  auto* const iscsi = isal.Find<unsigned(const unsigned char*, int, unsigned)>("crc32_iscsi");
  if (isal.status().ok()) {
    return Checksum{isal.path(), [iscsi](std::string_view bytes) {
                      return ~iscsi(BytesOf(bytes), static_cast<int>(bytes.size()), ~uint32_t{0});
                    }};
  }
  return Status::Usage(isal.status().message() + "; " + own.status().message());
}

StatusOr<Checksum> LoadXxHash(std::string_view name) {
  // For the empty text and "abc", with the seed 0.
  struct Published {
    std::string_view name;
    uint64_t of_nothing;
    uint64_t of_abc;
  };
  constexpr Published kPublished[] = {
      {"xxhash", 0x02cc5d05, 0x32d153ff},
      {"xxhash64", 0xef46db3751d8e999, 0x44bc2cf5ad770999},
      {"xxh3", 0x2d06800538d394c2, 0x78af5f94892f3950},
  };
  SharedLibrary library("libxxhash.so.0", "libxxhash0");
  Checksum hash{"", FindXxHash(library, name)};
  RETURN_IF_ERROR(library.status());
  hash.library = library.path();
  for (const Published& known : kPublished) {
    if (known.name != name) continue;
    if (hash.of("") == known.of_nothing && hash.of("abc") == known.of_abc) return hash;
  }
  return Status::Usage(
      fmt::format("{}: its {} of \"abc\" is not the one that is published", hash.library, name));
}

}  // namespace levelfield
