// Takes its time between a get for update and the commit, and does not look whether the key is what
// it was; and commits what is to be rolled back.
#include <chrono>
#include <thread>
#include <utility>

#include "memory_with.h"

namespace {

// The session's, which belongs to one thread.
thread_local bool is_open = false;

void Break(lf_engine& table) {
  table.get_for_update = [](lf_session* session, lf_bytes key, lf_bytes* value) {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    return kEngine.get(session, key, value);
  };
  table.begin_transaction = [](lf_session* session) {
    is_open = true;
    return kEngine.begin_transaction(session);
  };
  table.commit_transaction = [](lf_session* session) {
    is_open = false;
    return kEngine.commit_transaction(session);
  };
  table.roll_back_transaction = [](lf_session* session) {
    return std::exchange(is_open, false) ? kEngine.commit_transaction(session) : LF_OK;
  };
}

}  // namespace

LEVELFIELD_EXPORT_CHANGED_ENGINE("careless", Break)
