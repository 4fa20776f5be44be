/* A map in memory, in C: the smallest engine that passes conformance, and what `levelfield new
 * engine --language=c` begins with. Keys are sorted in one array behind one lock. */
#include <levelfield/engine_abi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct buffer {
  char* data;
  size_t size, capacity;
} buffer;

typedef struct pair {
  buffer key, value;
} pair;

struct lf_store { /* In place of it stands a handle of your library. */
  pthread_rwlock_t lock;
  pair* pairs;
  size_t count, capacity;
};

struct lf_session { /* One thread's. What it hands out is a copy, until its next call. */
  lf_store* store;
  buffer key, value;
};

static __thread const char* error_text = "";

static lf_code failed(const char* text) {
  error_text = text;
  return LF_FAILED;
}

static const char* last_error(void) { return error_text; }

static int assign(buffer* to, const char* data, size_t size) {
  if (size > to->capacity || to->data == NULL) {
    char* const larger = realloc(to->data, size + 1);
    if (larger == NULL) return 0;
    to->data = larger;
    to->capacity = size + 1;
  }
  if (size > 0) memcpy(to->data, data, size);
  to->size = size;
  return 1;
}

static int compare(const buffer* one, lf_bytes other) {
  const size_t common = one->size < other.size ? one->size : other.size;
  const int order = common > 0 ? memcmp(one->data, other.data, common) : 0;
  return order != 0 ? order : (one->size > other.size) - (one->size < other.size);
}

/* The first place whose key is at or behind `key`; or, with `above`, behind it. */
static size_t find(const lf_store* store, lf_bytes key, int above) {
  size_t low = 0, high = store->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const int order = compare(&store->pairs[middle].key, key);
    if (order < 0 || (above && order == 0)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static int is_at(const lf_store* store, size_t place, lf_bytes key) {
  return place < store->count && compare(&store->pairs[place].key, key) == 0;
}

static void drop(pair* one) {
  free(one->key.data);
  free(one->value.data);
}

static lf_code open_store(const char* directory, const lf_setting* settings, size_t count,
                          lf_store** store) {
  (void)settings, (void)count;
  if (directory == NULL) return LF_OK; /* Only asks whether the settings can be honoured. */
  if ((*store = calloc(1, sizeof(lf_store))) == NULL) return failed("map_c: no memory");
  pthread_rwlock_init(&(*store)->lock, NULL);
  return LF_OK;
}

static lf_code close_store(lf_store* store) {
  size_t i;
  for (i = 0; i < store->count; ++i) drop(&store->pairs[i]);
  pthread_rwlock_destroy(&store->lock);
  free(store->pairs);
  free(store);
  return LF_OK;
}

static lf_code begin_session(lf_store* store, lf_session** session) {
  if ((*session = calloc(1, sizeof(lf_session))) == NULL) return failed("map_c: no memory");
  (*session)->store = store;
  return LF_OK;
}

static void end_session(lf_session* session) {
  free(session->key.data);
  free(session->value.data);
  free(session);
}

/* Under the lock: copies the entry of that place, and lets go of the lock. */
static lf_code take(lf_session* s, size_t place, lf_bytes* key, lf_bytes* value) {
  const pair* const one = place < s->store->count ? &s->store->pairs[place] : NULL;
  const int is_copied = one != NULL && assign(&s->key, one->key.data, one->key.size) &&
                        assign(&s->value, one->value.data, one->value.size);
  pthread_rwlock_unlock(&s->store->lock);
  if (one == NULL) return LF_NOT_FOUND;
  if (!is_copied) return failed("map_c: no memory");
  if (key != NULL) *key = (lf_bytes){s->key.data, s->key.size};
  *value = (lf_bytes){s->value.data, s->value.size};
  return LF_OK;
}

static lf_code get(lf_session* s, lf_bytes key, lf_bytes* value) {
  size_t place;
  pthread_rwlock_rdlock(&s->store->lock);
  place = find(s->store, key, 0);
  return take(s, is_at(s->store, place, key) ? place : s->store->count, NULL, value);
}

static void erase_one(lf_store* store, lf_bytes key) {
  const size_t place = find(store, key, 0);
  if (!is_at(store, place, key)) return;
  drop(&store->pairs[place]);
  --store->count;
  memmove(&store->pairs[place], &store->pairs[place + 1], (store->count - place) * sizeof(pair));
}

static int put_one(lf_store* store, lf_bytes key, lf_bytes value) {
  const size_t place = find(store, key, 0);
  pair made = {{NULL, 0, 0}, {NULL, 0, 0}};
  if (is_at(store, place, key)) {
    return assign(&store->pairs[place].value, value.data, value.size);
  }
  if (store->count == store->capacity) {
    const size_t capacity = store->capacity == 0 ? 64 : 2 * store->capacity;
    pair* const larger = realloc(store->pairs, capacity * sizeof(pair));
    if (larger == NULL) return 0;
    store->pairs = larger;
    store->capacity = capacity;
  }
  if (!assign(&made.key, key.data, key.size) || !assign(&made.value, value.data, value.size)) {
    drop(&made);
    return 0;
  }
  memmove(&store->pairs[place + 1], &store->pairs[place], (store->count - place) * sizeof(pair));
  store->pairs[place] = made;
  ++store->count;
  return 1;
}

static lf_code write_batch(lf_session* s, const lf_entry* entries, size_t count) {
  int is_done = 1;
  size_t i;
  pthread_rwlock_wrlock(&s->store->lock);
  for (i = 0; i < count && is_done; ++i) {
    if (entries[i].erase) {
      erase_one(s->store, entries[i].key);
    } else {
      is_done = put_one(s->store, entries[i].key, entries[i].value);
    }
  }
  pthread_rwlock_unlock(&s->store->lock);
  return is_done ? LF_OK : failed("map_c: no memory");
}

static lf_code put(lf_session* s, lf_bytes key, lf_bytes value) {
  const lf_entry entry = {key, value, 0};
  return write_batch(s, &entry, 1);
}

static lf_code erase(lf_session* s, lf_bytes key) {
  const lf_entry entry = {key, {NULL, 0}, 1};
  return write_batch(s, &entry, 1);
}

/* A scan looks up each entry from the key where it stands. Before the first is no place. */
static lf_code seek(lf_session* s, lf_seek how, lf_bytes key, lf_bytes* found, lf_bytes* value) {
  size_t place;
  pthread_rwlock_rdlock(&s->store->lock);
  switch (how) {
    case LF_FIRST:
      place = 0;
      break;
    case LF_LAST:
      place = s->store->count - 1;
      break;
    case LF_AT_OR_AFTER:
      place = find(s->store, key, 0);
      break;
    default:
      place = find(s->store, key, 1) - 1;
  }
  return take(s, place, found, value);
}

static lf_code next(lf_session* s, lf_bytes* key, lf_bytes* value) {
  const lf_bytes at = {s->key.data, s->key.size};
  pthread_rwlock_rdlock(&s->store->lock);
  return take(s, find(s->store, at, 1), key, value);
}

static lf_code prev(lf_session* s, lf_bytes* key, lf_bytes* value) {
  const lf_bytes at = {s->key.data, s->key.size};
  pthread_rwlock_rdlock(&s->store->lock);
  return take(s, find(s->store, at, 0) - 1, key, value);
}

static lf_code nothing_to_do(lf_store* store) {
  (void)store;
  return LF_OK;
}

static void describe(void* context, lf_fact_sink sink) { sink(context, "version", "1"); }

/* Each of these is answered. What other options it has stands beside them. */
#define ABSENT(name) \
  { name, LF_ABSENT, NULL, NULL, "Everything is in memory." }
static const lf_option options[] = {
    ABSENT("cache_size"),
    ABSENT("write_buffer_size"),
    ABSENT("block_size"),
    ABSENT("bloom_bits"),
    ABSENT("compression"),
    ABSENT("max_open_files"),
    {NULL, LF_ABSENT, NULL, NULL, NULL},
};

static const lf_durability durabilities[] = {
    {"none", LF_D0_NONE, "keeps everything in memory"},
    {"process", LF_D0_NONE, "a baseline: accepted, and kept in memory"},
    {"synced", LF_D0_NONE, "a baseline: accepted, and kept in memory"},
    {NULL, LF_REFUSED, NULL},
};

static const lf_engine engine = {
    .struct_bytes = sizeof(lf_engine),
    .name = "map_c",
    .summary = "a map in memory, in C",
    .license = "BSD-3-Clause",
    /* A store that keeps its entries has LF_BATCH_ATOMIC alone, or nothing. */
    .capabilities = LF_FLOOR | LF_VOLATILE | LF_BATCH_ATOMIC | LF_BY_NAME,
    .options = options,
    .durabilities = durabilities,
    .describe = describe,
    .last_error = last_error,
    .open = open_store,
    .close = close_store,
    .begin_session = begin_session,
    .end_session = end_session,
    .get = get,
    .put = put,
    .erase = erase,
    .write = write_batch,
    .seek = seek,
    .next = next,
    .prev = prev,
    .sync = nothing_to_do,
    .compact = nothing_to_do,
};

__attribute__((visibility("default"))) const lf_engine* levelfield_engine(void) { return &engine; }
