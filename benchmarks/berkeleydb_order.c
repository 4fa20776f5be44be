// Berkeley DB alone, with nothing of Levelfield: threads put 20,000 keys in random order, each in a transaction of its
// own, and then a cursor reads them. Says BAD, and exits with 1, if they are out of order.
//   cc -O1 benchmarks/berkeleydb_order.c -o /tmp/order -ldb-5.3 -lpthread
//   for seed in $(seq 100); do /tmp/order 32 $seed || break; done
// What is left in /tmp/order.db then is for db5.3_verify: "last item on page sorted greater than parent entry".
#include <db.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kKeys = 20000, kMostThreads = 256 };

static DB* db;
static int order[kKeys];
static long threads;

static void Must(int code, const char* what) {
  if (code == 0) return;
  fprintf(stderr, "%s: %s\n", what, db_strerror(code));
  exit(2);
}

static void* Put(void* thread) {
  char value[100];
  memset(value, 'v', sizeof(value));
  for (long i = (long)thread; i < kKeys; i += threads) {
    char key[32];
    snprintf(key, sizeof(key), "%016d", order[i]);
    DBT key_dbt = {.data = key, .size = 16};
    DBT value_dbt = {.data = value, .size = sizeof(value)};
    int code;
    do code = db->put(db, NULL, &key_dbt, &value_dbt, 0);
    while (code == DB_LOCK_DEADLOCK);
    Must(code, "put");
  }
  return NULL;
}

int main(int argc, char** argv) {
  threads = argc > 1 ? atol(argv[1]) : 32;
  if (threads < 1 || threads > kMostThreads) return 2;
  srand(argc > 2 ? (unsigned)atol(argv[2]) : 1);
  for (int i = 0; i < kKeys; ++i) order[i] = i;
  for (int i = kKeys - 1; i > 0; --i) {
    const int other = rand() % (i + 1);
    const int moved = order[i];
    order[i] = order[other];
    order[other] = moved;
  }
  if (system("rm -rf /tmp/order.db && mkdir /tmp/order.db") != 0) return 2;
  DB_ENV* env;
  Must(db_env_create(&env, 0), "db_env_create");
  Must(env->set_cachesize(env, 0, 5 << 20, 1), "set_cachesize");
  Must(env->set_lk_detect(env, DB_LOCK_DEFAULT), "set_lk_detect");
  Must(env->set_flags(env, DB_TXN_WRITE_NOSYNC, 1), "set_flags");
  Must(env->open(env, "/tmp/order.db",
                 DB_CREATE | DB_RECOVER | DB_PRIVATE | DB_THREAD | DB_INIT_LOCK | DB_INIT_LOG | DB_INIT_TXN |
                     DB_INIT_MPOOL,
                 0644),
       "open the environment");
  Must(db_create(&db, env, 0), "db_create");
  Must(db->open(db, NULL, "order.db", NULL, DB_BTREE, DB_CREATE | DB_AUTO_COMMIT | DB_THREAD, 0644), "open");
  pthread_t writers[kMostThreads];
  for (long i = 0; i < threads; ++i) Must(pthread_create(&writers[i], NULL, Put, (void*)i), "pthread_create");
  for (long i = 0; i < threads; ++i) pthread_join(writers[i], NULL);
  DBC* cursor;
  Must(db->cursor(db, NULL, &cursor, 0), "cursor");
  char key[32] = "";
  char value[128];
  DBT key_dbt = {.data = key, .ulen = sizeof(key) - 1, .flags = DB_DBT_USERMEM};
  DBT value_dbt = {.data = value, .ulen = sizeof(value), .flags = DB_DBT_USERMEM};
  int entries = 0;
  int is_bad = 0;
  while (cursor->get(cursor, &key_dbt, &value_dbt, DB_NEXT) == 0) is_bad |= atoi(key) != entries++;
  cursor->close(cursor);
  Must(db->close(db, 0), "close");
  Must(env->close(env, 0), "close the environment");
  printf("%s: %d entries\n", is_bad || entries != kKeys ? "BAD" : "in order", entries);
  return is_bad || entries != kKeys;
}
