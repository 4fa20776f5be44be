/* What the table in table.c and engine.go share. Go calls nothing while it is measured; C calls Go
 * once an operation, and once for several steps of a scan. */
#ifndef LEVELFIELD_KITS_GO_TABLE_H_
#define LEVELFIELD_KITS_GO_TABLE_H_

#include "levelfield/engine_abi.h"

/* A session's memory of C, which Go writes to: what was handed out stays here until the next call.
 */
typedef struct go_session {
  uintptr_t id; /* Go's. */
  char* value;
  size_t value_bytes;
  size_t value_capacity;

  /* Entries of a scan that Go has stepped ahead to: sizes of key and value, then their bytes. */
  char* ahead;
  size_t ahead_capacity;
  size_t ahead_bytes; /* In use. */
  size_t ahead_at;    /* Where the next entry begins. */
  int is_scanning;
  int forwards;
  uint32_t steps; /* How many to ask for next. */
  /* The entry where the scan stands, in `ahead`. */
  lf_bytes key;
} go_session;

/* Allocates and fills the table's lists; Go gives texts that are never freed. */
lf_engine* go_new_table(void);
lf_option* go_new_options(size_t count);
lf_durability* go_new_durabilities(void);
lf_alternative* go_new_alternatives(size_t count);

void go_set_error(const char* text, size_t bytes, int is_damage);
void go_tell(lf_fact_sink sink, void* context, const char* name, const char* value);

void go_tell_process(void* sink, void* context, int64_t process);

/* Make room; 0 where there is no memory. */
int go_reserve_value(go_session* session, size_t bytes);
int go_reserve_ahead(go_session* session, size_t bytes);

#endif
