// A connection to a PostgreSQL server, with results and parameters in binary form. One thread at a
// time.
#ifndef LEVELFIELD_ENGINES_POSTGRESQL_CONNECTION_H_
#define LEVELFIELD_ENGINES_POSTGRESQL_CONNECTION_H_

#include <libpq-fe.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

#include "levelfield/engine.h"

namespace levelfield {

struct ClearResult {
  void operator()(PGresult* result) const { PQclear(result); }
};
using PgResult = std::unique_ptr<PGresult, ClearResult>;

inline bool IsOk(const PgResult& result) {
  const ExecStatusType status = PQresultStatus(result.get());
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

// A value of a row, as it lies in the result.
inline lf_bytes ValueAt(const PgResult& result, int row, int column) {
  return {PQgetvalue(result.get(), row, column),
          static_cast<size_t>(PQgetlength(result.get(), row, column))};
}

class PgConnection {
 public:
  PgConnection() = default;
  ~PgConnection() { Disconnect(); }
  PgConnection(const PgConnection&) = delete;
  PgConnection& operator=(const PgConnection&) = delete;

  // `conninfo`: what libpq takes, key=value words or a postgresql:// address.
  bool Connect(const std::string& conninfo) {
    Disconnect();
    connection_ = PQconnectdb(conninfo.c_str());
    PQsetNoticeReceiver(
        connection_, [](void*, const PGresult*) {}, nullptr);
    return PQstatus(connection_) == CONNECTION_OK;
  }
  void Disconnect() {
    if (connection_ != nullptr) PQfinish(connection_);
    connection_ = nullptr;
  }
  PGconn* get() { return connection_; }

  PgResult Run(const std::string& sql) { return PgResult(PQexec(connection_, sql.c_str())); }
  PgResult Prepare(const char* name, const std::string& sql) {
    return PgResult(PQprepare(connection_, name, sql.c_str(), 0, nullptr));
  }

  // Carries out what was prepared under that name, and waits for it.
  PgResult Execute(const char* name, std::initializer_list<lf_bytes> values) {
    Bind(values);
    return PgResult(PQexecPrepared(connection_, name, static_cast<int>(values.size()),
                                   texts_.data(), sizes_.data(), kBinary.data(), 1));
  }
  // The same in pipeline mode: its result comes later.
  bool Send(const char* name, std::initializer_list<lf_bytes> values) {
    Bind(values);
    return PQsendQueryPrepared(connection_, name, static_cast<int>(values.size()), texts_.data(),
                               sizes_.data(), kBinary.data(), 1) == 1;
  }

  // Text of the one value that the statement gives. Empty: none.
  std::string TextFrom(const std::string& sql) {
    const PgResult result = Run(sql);
    if (PQresultStatus(result.get()) != PGRES_TUPLES_OK || PQntuples(result.get()) == 0) return "";
    return PQgetvalue(result.get(), 0, 0);
  }

  // What went wrong, in a line for people.
  std::string WhyNot(const PGresult* result) const {
    std::string text = result != nullptr ? PQresultErrorMessage(result) : "";
    if (text.empty()) text = PQerrorMessage(connection_);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.empty() ? "the server does not answer" : text;
  }
  // A conflict, damage, or what this engine cannot do are answers of their own.
  lf_code FailedTo(const std::string& what, const PGresult* result) const {
    const char* const told =
        result != nullptr ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
    const std::string_view state = told != nullptr ? told : "";
    const std::string text = "PostgreSQL: cannot " + what + ": " + WhyNot(result);
    // serialization_failure, deadlock_detected, lock_not_available
    if (state == "40001" || state == "40P01" || state == "55P03") return Conflict(text);
    if (state == "XX001" || state == "XX002") return Damaged(text);  // data_ and index_corrupted
    if (state == "54000") return Unsupported(text);                  // program_limit_exceeded
    return Failed(text);
  }

 private:
  static constexpr size_t kMostValues = 3;
  static constexpr std::array<int, kMostValues> kBinary = {1, 1, 1};

  // An empty value is no null.
  void Bind(std::initializer_list<lf_bytes> values) {
    size_t i = 0;
    for (const lf_bytes& value : values) {
      texts_[i] = value.data != nullptr ? value.data : "";
      sizes_[i] = static_cast<int>(value.size);
      ++i;
    }
  }

  PGconn* connection_ = nullptr;
  std::array<const char*, kMostValues> texts_{};
  std::array<int, kMostValues> sizes_{};
};

}  // namespace levelfield

#endif  // LEVELFIELD_ENGINES_POSTGRESQL_CONNECTION_H_
