#include "operations/codec.h"

#include <fmt/format.h>

#include "operations/shared_library.h"

namespace levelfield {
namespace {

// The C functions of each library, as its own header declares them.

// https://github.com/google/snappy/blob/main/snappy-c.h: 0 is SNAPPY_OK.
class Snappy : public Codec {
 public:
  Snappy() {
    library_.Find("snappy_max_compressed_length", bound_);
    library_.Find("snappy_compress", compress_);
    library_.Find("snappy_uncompress", uncompress_);
  }
  Status status() const { return library_.status(); }

  size_t Bound(size_t size) const override { return bound_(size); }
  size_t Compress(std::string_view in, char* out, size_t capacity) override {
    return compress_(in.data(), in.size(), out, &capacity) == 0 ? capacity : 0;
  }
  size_t Uncompress(std::string_view in, char* out, size_t capacity) override {
    return uncompress_(in.data(), in.size(), out, &capacity) == 0 ? capacity : 0;
  }
  const std::string& library() const override { return library_.path(); }

 private:
  SharedLibrary library_{"libsnappy.so.1"};
  size_t (*bound_)(size_t) = nullptr;
  int (*compress_)(const char*, size_t, char*, size_t*) = nullptr;
  int (*uncompress_)(const char*, size_t, char*, size_t*) = nullptr;
};

// https://facebook.github.io/zstd/zstd_manual.html
class Zstd : public Codec {
 public:
  Zstd() {
    library_.Find("ZSTD_compressBound", bound_);
    library_.Find("ZSTD_isError", is_error_);
    library_.Find("ZSTD_createCCtx", create_compressor_);
    library_.Find("ZSTD_freeCCtx", free_compressor_);
    library_.Find("ZSTD_compressCCtx", compress_);
    library_.Find("ZSTD_createDCtx", create_uncompressor_);
    library_.Find("ZSTD_freeDCtx", free_uncompressor_);
    library_.Find("ZSTD_decompressDCtx", uncompress_);
    if (!library_.status().ok()) return;
    compressor_ = create_compressor_();
    uncompressor_ = create_uncompressor_();
  }
  ~Zstd() override {
    if (compressor_ != nullptr) free_compressor_(compressor_);
    if (uncompressor_ != nullptr) free_uncompressor_(uncompressor_);
  }
  Status status() const {
    if (!library_.status().ok()) return library_.status();
    return compressor_ != nullptr && uncompressor_ != nullptr
               ? Status::Ok()
               : Status::Usage("libzstd.so.1 made no context");
  }

  size_t Bound(size_t size) const override { return bound_(size); }
  size_t Compress(std::string_view in, char* out, size_t capacity) override {
    return Written(compress_(compressor_, out, capacity, in.data(), in.size(), kLevel));
  }
  size_t Uncompress(std::string_view in, char* out, size_t capacity) override {
    return Written(uncompress_(uncompressor_, out, capacity, in.data(), in.size()));
  }
  const std::string& library() const override { return library_.path(); }

 private:
  static constexpr int kLevel = 1;
  size_t Written(size_t result) const { return is_error_(result) == 0 ? result : 0; }

  SharedLibrary library_{"libzstd.so.1"};
  size_t (*bound_)(size_t) = nullptr;
  unsigned (*is_error_)(size_t) = nullptr;
  void* (*create_compressor_)() = nullptr;
  size_t (*free_compressor_)(void*) = nullptr;
  size_t (*compress_)(void*, void*, size_t, const void*, size_t, int) = nullptr;
  void* (*create_uncompressor_)() = nullptr;
  size_t (*free_uncompressor_)(void*) = nullptr;
  size_t (*uncompress_)(void*, void*, size_t, const void*, size_t) = nullptr;
  void* compressor_ = nullptr;
  void* uncompressor_ = nullptr;
};

// https://github.com/lz4/lz4/blob/dev/lib/lz4.h: what is not above 0 is an error.
class Lz4 : public Codec {
 public:
  Lz4() {
    library_.Find("LZ4_compressBound", bound_);
    library_.Find("LZ4_compress_default", compress_);
    library_.Find("LZ4_decompress_safe", uncompress_);
  }
  Status status() const { return library_.status(); }

  size_t Bound(size_t size) const override {
    return static_cast<size_t>(bound_(static_cast<int>(size)));
  }
  size_t Compress(std::string_view in, char* out, size_t capacity) override {
    return Written(
        compress_(in.data(), out, static_cast<int>(in.size()), static_cast<int>(capacity)));
  }
  size_t Uncompress(std::string_view in, char* out, size_t capacity) override {
    return Written(
        uncompress_(in.data(), out, static_cast<int>(in.size()), static_cast<int>(capacity)));
  }
  const std::string& library() const override { return library_.path(); }

 private:
  static size_t Written(int result) { return result > 0 ? static_cast<size_t>(result) : 0; }

  SharedLibrary library_{"liblz4.so.1"};
  int (*bound_)(int) = nullptr;
  int (*compress_)(const char*, char*, int, int) = nullptr;
  int (*uncompress_)(const char*, char*, int, int) = nullptr;
};

template <class Library>
StatusOr<std::unique_ptr<Codec>> Load() {
  auto codec = std::make_unique<Library>();
  RETURN_IF_ERROR(codec->status());
  return std::unique_ptr<Codec>(std::move(codec));
}

}  // namespace

StatusOr<std::unique_ptr<Codec>> LoadCodec(std::string_view name) {
  if (name == "snappy") return Load<Snappy>();
  if (name == "zstd") return Load<Zstd>();
  if (name == "lz4") return Load<Lz4>();
  return Status::Usage(fmt::format("no compressor is called {}", name));
}

}  // namespace levelfield
