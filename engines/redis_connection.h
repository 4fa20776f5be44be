// A connection to a Redis server: commands go out together in one write, and their answers come
// back in order. One thread at a time.
#ifndef LEVELFIELD_ENGINES_REDIS_CONNECTION_H_
#define LEVELFIELD_ENGINES_REDIS_CONNECTION_H_

#include <hiredis/hiredis.h>

#include <array>
#include <charconv>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "levelfield/engine.h"
#include "wait_for_input.h"

namespace levelfield {

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using RedisReply = std::unique_ptr<redisReply, FreeReply>;

inline std::string_view TextOf(const redisReply& reply) {
  return reply.str != nullptr ? std::string_view(reply.str, reply.len) : std::string_view();
}

// `host:port`, or the path of a Unix socket, which has a slash.
struct RedisAddress {
  std::string host;  // Empty: `path` is a socket.
  int port = 0;
  std::string path;

  // False if it is neither.
  static bool Parse(std::string_view text, RedisAddress* address) {
    if (text.find('/') != text.npos) {
      address->path = text;
      return true;
    }
    const size_t colon = text.rfind(':');
    if (colon == text.npos || colon == 0) return false;
    address->host = text.substr(0, colon);
    if (address->host.front() == '[' && address->host.back() == ']') {  // IPv6.
      address->host = address->host.substr(1, address->host.size() - 2);
    }
    const std::string_view port = text.substr(colon + 1);
    const auto [end, error] =
        std::from_chars(port.data(), port.data() + port.size(), address->port);
    return error == std::errc() && end == port.data() + port.size() && address->port > 0 &&
           address->port < 65536;
  }
};

class RedisConnection {
 public:
  RedisConnection() = default;
  ~RedisConnection() { Disconnect(); }
  RedisConnection(const RedisConnection&) = delete;
  RedisConnection& operator=(const RedisConnection&) = delete;

  bool Connect(const RedisAddress& address) {
    Disconnect();
    constexpr timeval kPatience = {.tv_sec = 10, .tv_usec = 0};
    name_ = address.host.empty() ? address.path : address.host + ":" + std::to_string(address.port);
    context_ = address.host.empty()
                   ? redisConnectUnixWithTimeout(address.path.c_str(), kPatience)
                   : redisConnectWithTimeout(address.host.c_str(), address.port, kPatience);
    if (context_ == nullptr || context_->err != 0) return false;
    // The patience was for the connection. A command takes as long as it takes.
    (void)redisSetTimeout(context_, {.tv_sec = 0, .tv_usec = 0});
    return true;
  }
  void Disconnect() {
    if (context_ != nullptr) redisFree(context_);
    context_ = nullptr;
  }

  void Append(const std::string_view* words, size_t count) {
    sizes_.resize(count);
    texts_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      texts_[i] = words[i].data() != nullptr ? words[i].data() : "";
      sizes_[i] = words[i].size();
    }
    redisAppendCommandArgv(context_, static_cast<int>(count), texts_.data(), sizes_.data());
  }
  void Append(std::initializer_list<std::string_view> words) {
    Append(words.begin(), words.size());
  }

  // The answer of the oldest command that has none yet. Null: the connection is lost. An answer
  // that is an error is one of Redis's own.
  RedisReply Take() {
    void* reply = nullptr;
    if (context_ == nullptr || redisGetReply(context_, &reply) != REDIS_OK) return nullptr;
    return RedisReply(static_cast<redisReply*>(reply));
  }
  // The same, but waits for `most_ns` at the longest. `is_pending`: it is not there yet.
  RedisReply TakeWithin(uint64_t most_ns, bool* is_pending) {
    *is_pending = false;
    while (true) {
      void* reply = nullptr;
      if (redisGetReplyFromReader(context_, &reply) != REDIS_OK) return nullptr;
      if (reply != nullptr) return RedisReply(static_cast<redisReply*>(reply));
      for (int is_sent = 0; is_sent == 0;) {
        if (redisBufferWrite(context_, &is_sent) != REDIS_OK) return nullptr;
      }
      *is_pending = !HasInput(context_->fd, most_ns);
      if (*is_pending) return nullptr;
      if (redisBufferRead(context_) != REDIS_OK) return nullptr;
    }
  }
  RedisReply Ask(std::initializer_list<std::string_view> words) {
    Append(words);
    return Take();
  }

  // What went wrong, for people: the answer's own words, or how the connection ended.
  std::string WhyNot(const redisReply* reply) const {
    if (reply != nullptr && reply->type == REDIS_REPLY_ERROR) return std::string(TextOf(*reply));
    if (reply != nullptr) return "an answer of another kind than expected";
    return "the server at " + name_ + " does not answer" +
           (context_ != nullptr && context_->err != 0 ? std::string(": ") + context_->errstr : "");
  }
  lf_code FailedTo(const std::string& what, const redisReply* reply) const {
    return Failed("Redis: cannot " + what + ": " + WhyNot(reply));
  }

 private:
  redisContext* context_ = nullptr;
  std::string name_;
  std::vector<const char*> texts_;
  std::vector<size_t> sizes_;
};

inline bool IsOk(const RedisReply& reply) {
  return reply != nullptr && reply->type != REDIS_REPLY_ERROR;
}

// The value of a line `name:value` of INFO. Empty: there is none.
inline std::string_view InfoValue(std::string_view info, std::string_view name) {
  for (size_t at = 0; at < info.size();) {
    const size_t end = std::min(info.find("\r\n", at), info.size());
    const std::string_view line = info.substr(at, end - at);
    if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == ':') {
      return line.substr(name.size() + 1);
    }
    at = end + 2;
  }
  return {};
}

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_REDIS_CONNECTION_H_
