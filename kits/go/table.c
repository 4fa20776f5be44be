/* The table of C functions, in front of the functions that engine.go exports. Steps of a scan are
 * answered here, out of what Go has stepped ahead to: a call of Go costs about 90 ns. */
#define _GNU_SOURCE /* dladdr */
#include "table.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "_cgo_export.h"

static __thread char* error_text = NULL;
static __thread int error_is_damage = 0;

void go_set_error(const char* text, size_t bytes, int is_damage) {
  free(error_text);
  error_text = malloc(bytes + 1);
  if (error_text != NULL) {
    memcpy(error_text, text, bytes);
    error_text[bytes] = '\0';
  }
  error_is_damage = is_damage;
}

static const char* last_error(void) { return error_text != NULL ? error_text : ""; }
static int last_error_is_damage(void) { return error_is_damage; }

void go_tell(lf_fact_sink sink, void* context, const char* name, const char* value) {
  sink(context, name, value);
}

void go_tell_process(void* sink, void* context, int64_t process) {
  ((void (*)(void*, int64_t))sink)(context, process);
}

static int reserve(char** memory, size_t* capacity, size_t bytes) {
  size_t wanted = *capacity == 0 ? 4096 : *capacity;
  char* larger;
  if (bytes <= *capacity) return 1;
  while (wanted < bytes) wanted *= 2;
  larger = realloc(*memory, wanted);
  if (larger == NULL) return 0;
  *memory = larger;
  *capacity = wanted;
  return 1;
}

int go_reserve_value(go_session* session, size_t bytes) {
  return reserve(&session->value, &session->value_capacity, bytes);
}
int go_reserve_ahead(go_session* session, size_t bytes) {
  return reserve(&session->ahead, &session->ahead_capacity, bytes);
}

static go_session* of(lf_session* session) { return (go_session*)session; }

/* Any call but a step ends the scan. */
static void end_scan(go_session* session) {
  if (!session->is_scanning) return;
  session->is_scanning = 0;
  lfgo_end_scan(session->id);
}

static lf_code open_store(const char* directory, const lf_setting* settings, size_t count,
                          lf_store** store) {
  uintptr_t id = 0;
  const lf_code code = lfgo_open((char*)directory, (lf_setting*)settings, count, &id);
  if (code == LF_OK && directory != NULL) *store = (lf_store*)id;
  return code;
}
static lf_code close_store(lf_store* store) { return lfgo_close((uintptr_t)store); }

static lf_code begin_session(lf_store* store, lf_session** session) {
  go_session* begun = calloc(1, sizeof(go_session));
  lf_code code;
  if (begun == NULL || !go_reserve_value(begun, 1) || !go_reserve_ahead(begun, 1)) {
    go_set_error("no memory", 9, 0);
    return LF_FAILED;
  }
  code = lfgo_begin_session((uintptr_t)store, begun);
  if (code == LF_OK) {
    *session = (lf_session*)begun;
  } else {
    free(begun->value);
    free(begun->ahead);
    free(begun);
  }
  return code;
}
static void end_session(lf_session* session) {
  go_session* const ends = of(session);
  end_scan(ends);
  lfgo_end_session(ends->id);
  free(ends->value);
  free(ends->ahead);
  free(ends);
}

static lf_code hand_out(go_session* session, lf_code code, lf_bytes* value) {
  if (code == LF_OK) {
    value->data = session->value;
    value->size = session->value_bytes;
  }
  return code;
}

static lf_code get(lf_session* session, lf_bytes key, lf_bytes* value) {
  go_session* const s = of(session);
  end_scan(s);
  return hand_out(s, lfgo_get(s, (char*)key.data, key.size), value);
}
static lf_code get_for_update(lf_session* session, lf_bytes key, lf_bytes* value) {
  go_session* const s = of(session);
  end_scan(s);
  return hand_out(s, lfgo_get_for_update(s, (char*)key.data, key.size), value);
}
static lf_code put(lf_session* session, lf_bytes key, lf_bytes value) {
  end_scan(of(session));
  return lfgo_put(of(session)->id, (char*)key.data, key.size, (char*)value.data, value.size);
}
static lf_code erase(lf_session* session, lf_bytes key) {
  end_scan(of(session));
  return lfgo_erase(of(session)->id, (char*)key.data, key.size);
}
static lf_code write_batch(lf_session* session, const lf_entry* entries, size_t count) {
  end_scan(of(session));
  return lfgo_write(of(session)->id, (lf_entry*)entries, count);
}
static lf_code delete_range(lf_session* session, lf_bytes from, lf_bytes to) {
  end_scan(of(session));
  return lfgo_delete_range(of(session)->id, (char*)from.data, from.size, (char*)to.data, to.size);
}

/* The next entry of `ahead`, if there is one. */
static int take(go_session* session, lf_bytes* key, lf_bytes* value) {
  uint32_t sizes[2];
  const char* entry = session->ahead + session->ahead_at;
  if (session->ahead_at == session->ahead_bytes) return 0;
  memcpy(sizes, entry, sizeof(sizes));
  key->data = entry + sizeof(sizes);
  key->size = sizes[0];
  value->data = key->data + sizes[0];
  value->size = sizes[1];
  session->key = *key;
  session->ahead_at += sizeof(sizes) + sizes[0] + sizes[1];
  return 1;
}

enum { kMostSteps = 64 };

static lf_code fill(go_session* session, lf_bytes* key, lf_bytes* value) {
  const lf_code code = lfgo_step(session, session->steps);
  if (session->steps < kMostSteps) session->steps *= 2;
  if (code == LF_OK && take(session, key, value)) return LF_OK;
  end_scan(session);
  return code == LF_OK ? LF_NOT_FOUND : code;
}

static lf_code seek(lf_session* session, lf_seek how, lf_bytes key, lf_bytes* found_key,
                    lf_bytes* value) {
  go_session* const s = of(session);
  lf_code code;
  end_scan(s);
  s->ahead_bytes = s->ahead_at = 0;
  s->steps = 2;
  s->forwards = how == LF_FIRST || how == LF_AT_OR_AFTER;
  code = lfgo_seek(s, (int)how, (char*)key.data, key.size);
  if (code != LF_OK) return code;
  s->is_scanning = 1;
  if (take(s, found_key, value)) return LF_OK;
  end_scan(s);
  return LF_NOT_FOUND;
}

static lf_code step(go_session* session, int forwards, lf_bytes* key, lf_bytes* value) {
  if (!session->is_scanning) return LF_NOT_FOUND;
  if (session->forwards != forwards) {
    /* Go has stepped ahead the other way: it seeks the entry where the scan stands. */
    const lf_code code =
        lfgo_turn(session, forwards, (char*)session->key.data, session->key.size);
    session->forwards = forwards;
    session->steps = 2;
    if (code == LF_OK && take(session, key, value)) return LF_OK;
    end_scan(session);
    return code == LF_OK ? LF_NOT_FOUND : code;
  }
  if (take(session, key, value)) return LF_OK;
  return fill(session, key, value);
}
static lf_code next(lf_session* session, lf_bytes* key, lf_bytes* value) {
  return step(of(session), 1, key, value);
}
static lf_code prev(lf_session* session, lf_bytes* key, lf_bytes* value) {
  return step(of(session), 0, key, value);
}

static lf_code new_iterator(lf_session* session) {
  end_scan(of(session));
  return lfgo_new_iterator(of(session)->id);
}

static lf_code take_snapshot(lf_session* session, lf_snapshot** snapshot) {
  uintptr_t id = 0;
  lf_code code;
  end_scan(of(session));
  code = lfgo_take_snapshot(of(session)->id, &id);
  if (code == LF_OK) *snapshot = (lf_snapshot*)id;
  return code;
}
static void release_snapshot(lf_session* session, lf_snapshot* snapshot) {
  end_scan(of(session));
  lfgo_release_snapshot((uintptr_t)snapshot);
}
static lf_code get_at(lf_session* session, lf_snapshot* snapshot, lf_bytes key, lf_bytes* value) {
  go_session* const s = of(session);
  end_scan(s);
  return hand_out(s, lfgo_get_at(s, (uintptr_t)snapshot, (char*)key.data, key.size), value);
}

static lf_code begin_transaction(lf_session* session) {
  end_scan(of(session));
  return lfgo_begin_transaction(of(session)->id);
}
static lf_code commit_transaction(lf_session* session) {
  return lfgo_commit_transaction(of(session)->id);
}
static lf_code roll_back_transaction(lf_session* session) {
  return lfgo_roll_back_transaction(of(session)->id);
}

static lf_code sync_store(lf_store* store) { return lfgo_sync((uintptr_t)store); }
static lf_code compact(lf_store* store) { return lfgo_compact((uintptr_t)store); }
static lf_code flush(lf_store* store) { return lfgo_flush((uintptr_t)store); }
static lf_code property(lf_store* store, const char* name, const char** text) {
  static __thread char* kept = NULL;
  char* answer = NULL;
  const lf_code code = lfgo_property((uintptr_t)store, (char*)name, &answer);
  if (code != LF_OK) return code;
  free(kept);
  kept = answer;
  *text = kept;
  return LF_OK;
}
static void processes(lf_store* store, void* context, void (*sink)(void*, int64_t)) {
  lfgo_processes((uintptr_t)store, context, (void*)sink);
}
static lf_code recognize(const char* path) { return lfgo_recognize((char*)path); }
static lf_code destroy(const char* path) { return lfgo_destroy((char*)path); }
static void describe(void* context, lf_fact_sink sink) {
  Dl_info info;
  char* path = NULL;
  if (dladdr((void*)describe, &info) != 0) path = realpath(info.dli_fname, NULL);
  if (path != NULL) sink(context, "library", path);
  free(path);
  sink(context, "language", "Go");
  lfgo_describe(context, (void*)sink);
}

lf_engine* go_new_table(void) {
  lf_engine* const t = calloc(1, sizeof(lf_engine));
  t->struct_bytes = sizeof(lf_engine);
  t->describe = describe;
  t->last_error = last_error;
  t->last_error_is_damage = last_error_is_damage;
  t->open = open_store;
  t->close = close_store;
  t->begin_session = begin_session;
  t->end_session = end_session;
  t->get = get;
  t->put = put;
  t->erase = erase;
  t->write = write_batch;
  t->seek = seek;
  t->next = next;
  t->prev = prev;
  t->sync = sync_store;
  t->compact = compact;
  t->property = property;
  t->recognize = recognize;
  t->destroy = destroy;
  t->take_snapshot = take_snapshot;
  t->release_snapshot = release_snapshot;
  t->get_at = get_at;
  t->delete_range = delete_range;
  t->flush = flush;
  t->begin_transaction = begin_transaction;
  t->get_for_update = get_for_update;
  t->commit_transaction = commit_transaction;
  t->roll_back_transaction = roll_back_transaction;
  t->new_iterator = new_iterator;
  t->processes = processes;
  return t;
}

/* One more than are filled in: the last ends the list. */
lf_option* go_new_options(size_t count) {
  lf_option* const rows = calloc(count + 1, sizeof(lf_option));
  rows[count].kind = LF_ABSENT;
  return rows;
}
lf_durability* go_new_durabilities(void) {
  lf_durability* const rows = calloc(4, sizeof(lf_durability));
  rows[3].level = LF_REFUSED;
  return rows;
}
lf_alternative* go_new_alternatives(size_t count) {
  return calloc(count + 1, sizeof(lf_alternative));
}
