/* The whole contract between Levelfield and a storage engine, in C, so that an engine may be
 * written in any language. A plug-in is one shared library `levelfield_<name>.so` that exports one
 * symbol, `levelfield_engine`. docs/adding_an_engine.md is the tour; include/levelfield/engine.h is
 * the C++ comfort on top of this.
 *
 * Evolution: every struct that the plug-in hands over begins with its own size and is append-only,
 * so a plug-in built for an older header keeps working: a member beyond its size reads as absent.
 *
 * Threads: `open`, `close`, `begin_session`, `end_session` are called by one thread at a time. A
 * session belongs to one thread from begin to end. Everything else may run on many sessions of one
 * store at once.
 *
 * One operation is one transaction: when `put`, `erase` or `write` returns LF_OK it is committed to
 * the durability class that the store was opened with, and every later `get` or `seek` on any
 * session sees it. */
#ifndef LEVELFIELD_ENGINE_ABI_H_
#define LEVELFIELD_ENGINE_ABI_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes with a length; may hold NULs, may be empty. Handed out by an engine, they stay valid until
 * the next call on the same session. */
typedef struct lf_bytes {
  const char* data;
  size_t size;
} lf_bytes;

/* What a call came to. "Not found" is an answer. LF_UNSUPPORTED is an answer with a reason (in
 * `last_error`): this engine cannot do that, and says so rather than emulating it in silence.
 * LF_FAILED is an error of the engine; the harness ends the phase at the first one. LF_CONFLICT is
 * the answer of a transaction that cannot be carried out because of another one; the calls of an
 * open transaction alone, and the one that begins it, give it. */
typedef enum lf_code {
  LF_OK = 0,
  LF_NOT_FOUND = 1,
  LF_UNSUPPORTED = 2,
  LF_FAILED = 3,
  LF_CONFLICT = 4,
  LF_PENDING = 5 /* Of `poll` alone: no answer yet. */
} lf_code;

/* How the text of an option is to be read. The harness parses what people type ("64M", "yes"),
 * checks it, and hands the engine the canonical text: LF_BYTES and LF_COUNT as decimal digits,
 * LF_FLAG as "0" or "1", LF_CHOICE as one of the choices, LF_TEXT as typed. */
typedef enum lf_option_kind {
  LF_BYTES = 0,
  LF_COUNT = 1,
  LF_FLAG = 2,
  LF_CHOICE = 3,
  LF_TEXT = 4,
  /* The engine has no such part at all (a cache size, for a store that reads through the page
   * cache). `help` says so in one sentence. The run goes on and the report shows the sentence. */
  LF_ABSENT = 5
} lf_option_kind;

/* One option that the engine answers. Options common to all engines (`cache_size`,
 * `write_buffer_size`, `block_size`, `bloom_bits`, `compression`, `max_open_files`) stand in every
 * engine's table, if need be as LF_ABSENT; the others are the engine's own and are spelled
 * `--<engine>.<name>=`. What is not in the table is refused, never ignored. */
typedef struct lf_option {
  const char* name; /* A table of options ends with a null name. */
  lf_option_kind kind;
  const char* default_value; /* What applies when the option is not given, for people to read. */
  const char* choices;       /* LF_CHOICE: "none|snappy|zstd"; else null. */
  const char* help;          /* One sentence; for LF_ABSENT the reason. */
} lf_option;

/* What an acknowledged write survives, by evidence (docs/reference/measuring.md). A user asks for a class
 * (`--durability=none|process|synced`), the engine maps it to its settings and states the level. */
typedef enum lf_level {
  LF_D0_NONE = 0,    /* May be lost by kill -9. */
  LF_D1_PROCESS = 1, /* Survives kill -9. */
  LF_D2_FLUSHED = 2, /* Flushed, but a power cut can break the store. */
  LF_D3_BOUNDED = 3, /* Always opens; a stated tail may go. */
  LF_D4_SYNCED = 4,  /* Every acknowledged commit survives a power cut. */
  LF_REFUSED = 5     /* This engine has no such class; `settings` gives the reason. */
} lf_level;

typedef struct lf_durability {
  const char* name; /* "none", "process", "synced"; a table ends with a null name. */
  lf_level level;
  const char* settings; /* The native settings, for people: "WriteOptions::sync = true". */
} lf_durability;

/* A way of setting the engine that its maintainers stand for. A row called "equal" is what
 * --settings=equal gives beside the common options, so that all engines run on the same terms:
 * there may be several. One called "checked" is what --settings=checked gives besides, so that each
 * read is compared with a checksum. Two kinds are given by no --settings, but measured for the page
 * fairness.md: "own" is the library's own default where equal runs, or the option's default here,
 * are something else, and "unchecked" leaves out what the library compares by default. Every other
 * row is an alternative, which --settings=best tries on the workload; one called "no_readahead" is
 * besides what reports advise where the kernel's read-ahead of a memory map decides a figure. A row
 * gives way, whole, where anything in it has been decided otherwise. */
typedef struct lf_alternative {
  const char* name;     /* "writemap"; a table ends with a null name. */
  const char* settings; /* "block_size=16384 rowids=1": options of the table, as they are typed. */
  const char* classes;  /* "process,synced": the durability classes whose promise it keeps. */
  const char* because;  /* What the maintainers say of it, in one short sentence. */
  const char* link;     /* Where they say it. */
} lf_alternative;

/* Capability bits, of the engine as a whole. */
enum {
  LF_FLOOR = 1u << 0, /* Not a store to rank but something to compare with: memory, null, stub. */
  LF_VOLATILE = 1u << 1, /* Closing the store loses it; it is verified without being reopened. */
  LF_NO_ANSWERS =
      1u << 2, /* Keeps nothing at all; its answers cannot be checked (the null engine). */
  LF_ONE_WRITER =
      1u << 3, /* Writers take turns inside the engine (for people; nothing is refused). */
  /* A batch is all or nothing for readers too, who never see half of one; without this bit it is so
   * only for what is left after a failure or a crash. */
  LF_BATCH_ATOMIC = 1u << 4,
  /* Opened with the setting `integer_keys=1`, a store takes keys of 4 or 8 bytes that are unsigned
   * integers in the machine's byte order, and keeps them in numeric order. */
  LF_INTEGER_KEYS = 1u << 5,
  /* Beside those of its table the engine takes all options of its library by the library's own
   * names, each as LF_TEXT, and refuses in `open` what the library does not know. */
  LF_MORE_OPTIONS = 1u << 6,
  LF_BY_NAME = 1u << 7, /* Runs where it is named only: `--engine=all` leaves it out. */
  /* The store is in a server, of its own or one that runs: each call is a round trip, which
   * `round_trip` makes alone. */
  LF_SERVER = 1u << 8
};

/* A fact about what was really loaded: "version", "library" (absolute path of the file that holds
 * the engine's code), "released" (the year of that version, "2026"), "build", "assertions",
 * "crc32", "compressors", "allocator", "warning" (shown on every row), "language" (in which the
 * engine's library is written, "C++"), ...
 *
 * Six are read by the harness. "deviation_<class>" says that a class was seen to keep less than
 * its level claims: the level seen, a colon, what happened and where that is written ("D2: after
 * ..."); shown beside every durability of it. "space_factor" is the most bytes of disk that were
 * seen to be taken for a byte of keys and values, a decimal number, a blank, and how it was
 * measured; without it the harness takes the worst it knows. "memory" is what the library takes
 * beside its cache and write buffers, and what each session adds: "12M 500K (how measured)".
 * "files_per_session" is how many files each session has open for itself, where that is any.
 * "papers" are patterns of those files of a store that people read (its log, its options), with
 * blanks between them: "LOG* OPTIONS-*". Links to them lie where a user has named the store.
 * "read_only" says by which call of its library a store is opened without a change to a byte of
 * its files or to their names, where `open` gets the setting `read_only=1`; a store that cannot be
 * opened so (it needs a recovery first) is LF_UNSUPPORTED with the reason. Without this fact the
 * setting is never given, and a copy is measured of a store that has to stay as it is. */
typedef void (*lf_fact_sink)(void* context, const char* name, const char* value);

typedef struct lf_setting {
  const char* name;
  const char* value;
} lf_setting;

typedef struct lf_store lf_store;       /* One open database, shared by every thread. */
typedef struct lf_session lf_session;   /* One thread's handle: its buffers, transaction, cursor. */
typedef struct lf_snapshot lf_snapshot; /* The store as it was at one moment. */

/* Where a scan begins. LF_AT_OR_AFTER and LF_AT_OR_BEFORE take a key; the others ignore it. */
typedef enum lf_seek { LF_FIRST = 0, LF_LAST = 1, LF_AT_OR_AFTER = 2, LF_AT_OR_BEFORE = 3 } lf_seek;

/* What is submitted. LF_NOTHING is what `round_trip` asks. */
typedef enum lf_call { LF_GET = 0, LF_PUT = 1, LF_ERASE = 2, LF_NOTHING = 3 } lf_call;

typedef struct lf_entry { /* One write of a batch. */
  lf_bytes key;
  lf_bytes value; /* Ignored where `erase` is set. */
  int erase;
} lf_entry;

typedef struct lf_engine {
  size_t struct_bytes; /* sizeof(lf_engine) as the plug-in was compiled. */
  const char* name;
  const char* summary; /* One line: what it is. */
  const char* license; /* Of the engine's library. */
  uint32_t capabilities;
  const lf_option* options;
  const lf_durability* durabilities;

  /* Chooses the engine's library before anything else is called: `which` is what stood after the
   * `@` (a version, "system") or after the `:` (a path), or null for the default. May be null
   * where the engine's library is fixed at build time. */
  lf_code (*load)(const char* which);
  /* Tells facts about what is loaded. Called after `load`. */
  void (*describe)(void* context, lf_fact_sink sink);
  /* Text of the calling thread's last LF_FAILED or LF_UNSUPPORTED; never null. */
  const char* (*last_error)(void);

  /* Opens the database in `directory` (which exists), creating it where there is none; or the one
   * in the file of that path, where `recognize` knows it. Settings are those the user gave, plus
   * `durability` and two hints that every engine may use or not, `expected_keys` and
   * `expected_value_bytes` (per value); a setting that cannot be honoured is LF_UNSUPPORTED with
   * the reason. Called once with directory == null before any directory is made: the engine then
   * only checks the settings, leaves *store alone, and answers as the real open would. */
  lf_code (*open)(const char* directory, const lf_setting* settings, size_t count,
                  lf_store** store);
  lf_code (*close)(lf_store*); /* Ends the store whatever it returns; sessions have ended before. */
  lf_code (*begin_session)(lf_store*, lf_session**);
  void (*end_session)(lf_session*);

  /* The measured calls. Any call on a session ends the scan that was open on it, but `next` and
   * `prev`. */
  lf_code (*get)(lf_session*, lf_bytes key, lf_bytes* value);
  lf_code (*put)(lf_session*, lf_bytes key, lf_bytes value);
  /* LF_OK also for a key that is absent: blind erasure is the operation that all engines have. */
  lf_code (*erase)(lf_session*, lf_bytes key);
  lf_code (*write)(lf_session*, const lf_entry* entries, size_t count);
  /* Begins a scan that sees every write acknowledged before it. LF_NOT_FOUND: no such entry. */
  lf_code (*seek)(lf_session*, lf_seek how, lf_bytes key, lf_bytes* found_key, lf_bytes* value);
  /* Steps the scan. LF_NOT_FOUND: the end; the scan is over then. */
  lf_code (*next)(lf_session*, lf_bytes* key, lf_bytes* value);
  lf_code (*prev)(lf_session*, lf_bytes* key, lf_bytes* value);

  /* Makes everything acknowledged so far survive a power cut. */
  lf_code (*sync)(lf_store*);
  /* Rewrites the store into its densest form, all of it, and waits until that is done. */
  lf_code (*compact)(lf_store*);
  /* Allocated bytes of the store, as the engine counts them. Null: the harness counts st_blocks. */
  lf_code (*size_on_disk)(lf_store*, uint64_t* bytes);
  /* Text of a property by the engine's own name ("leveldb.stats"), valid until the next call; also,
   * or LF_UNSUPPORTED, "stats", "sstables" (its files, pages or tables), "options" (in force), and
   * "check": its own checker's words about the whole store, LF_FAILED where it is damaged. */
  lf_code (*property)(lf_store*, const char* name, const char** text);
  /* The names that `property` answers, null-terminated; for `levelfield engines`. */
  const char* const* properties;
  /* The engine's counters that a phase owns a difference of, by its own names. One name is common:
   * `written_bytes`, all that the engine has written to its files (log, pages, tables, again and
   * again), for an engine that knows it. */
  void (*counters)(lf_store*, void* context,
                   void (*sink)(void* context, const char* name, uint64_t));

  /* Members from here on came later and may be null, or answer LF_UNSUPPORTED with the reason. */

  /* Whether `path` holds a store of this engine, whoever made it: LF_OK or LF_NOT_FOUND. A path is
   * a directory, or the one file that the store consists of. Reads only: nothing is created,
   * locked, recovered or changed. What it recognizes, `open` opens, by the same path. */
  lf_code (*recognize)(const char* path);
  /* Removes the files of a store that is not open, and nothing else: neither what it does not know
   * nor the directory itself. LF_OK where there is none. */
  lf_code (*destroy)(const char* path);
  /* Makes a damaged store that is not open usable again, as far as the engine can. */
  lf_code (*repair)(const char* path, const lf_setting* settings, size_t count);
  /* As `compact`, for the keys from `from` to `to`; a null `data` is the end on that side. */
  lf_code (*compact_range)(lf_store*, lf_bytes from, lf_bytes to);
  /* About how many bytes of disk the entries from `from` up to `to` take. */
  lf_code (*approximate_bytes)(lf_store*, lf_bytes from, lf_bytes to, uint64_t* bytes);
  /* `get_at` reads what the session would have read when the snapshot was taken. A snapshot belongs
   * to its session and is released before it ends. All three of these, or none. */
  lf_code (*take_snapshot)(lf_session*, lf_snapshot**);
  void (*release_snapshot)(lf_session*, lf_snapshot*);
  lf_code (*get_at)(lf_session*, lf_snapshot*, lf_bytes key, lf_bytes* value);

  /* Has the store itself change the value of the key by the operand, as its merge operator does
   * (put, uint64add, ...), which is the engine's option `merge_operator`. Its default has to be one
   * that makes the operand the value, whatever that was before. Reads see what came of it. */
  lf_code (*merge)(lf_session*, lf_bytes key, lf_bytes operand);
  /* The `get` of `count` keys in one call of the library, which a loop over get is not. codes[i] is
   * LF_OK or LF_NOT_FOUND, and where it is LF_OK, values[i] is set, until the next call. */
  lf_code (*multi_get)(lf_session*, const lf_bytes* keys, size_t count, lf_bytes* values,
                       lf_code* codes);
  /* Erases the keys from `from` up to, and without, `to` by one write. */
  lf_code (*delete_range)(lf_session*, lf_bytes from, lf_bytes to);
  /* Writes what is buffered in memory to the store's own files: a memtable to a table, a log to the
   * pages that it is of. Waits until that is done. */
  lf_code (*flush)(lf_store*);
  /* Waits until the store's own threads have nothing left to do. */
  lf_code (*wait_for_background)(lf_store*);
  /* Copies the store, which stays open, into a directory that exists and is empty. */
  lf_code (*backup)(lf_store*, const char* directory);
  /* Makes a store that can be opened out of a backup, in a directory that exists and is empty. Both
   * or none of the two. */
  lf_code (*restore)(const char* backup, const char* directory);
  /* Reads all that is on the disk and compares it with its checksums; LF_FAILED tells a wrong one.
   */
  lf_code (*verify_checksums)(lf_store*);

  /* A transaction of the session's, in place of one for each operation. While it is open, only
   * `get`, `get_for_update`, `put` and `erase` are called, and are in it: they see what it wrote,
   * and all of it or nothing is there when `commit_transaction` has returned LF_OK, as durable as
   * a write is. `get_for_update` is a get after which nobody else can change the key before the
   * commit, or else the transaction ends in a conflict.
   *
   * LF_CONFLICT, of any of them, says that another transaction was in the way (a deadlock, a lock
   * that was waited for too long, a key that has changed since it was read): nothing of this one
   * is or will be in the store, and the harness rolls it back, though not where
   * `begin_transaction` has answered so. `roll_back_transaction` undoes what was written, and is
   * LF_OK where none is open. A session that ends rolls back. All of these, or none. */
  lf_code (*begin_transaction)(lf_session*);
  lf_code (*get_for_update)(lf_session*, lf_bytes key, lf_bytes* value);
  lf_code (*commit_transaction)(lf_session*);
  lf_code (*roll_back_transaction)(lf_session*);
  /* Makes what a scan needs (an iterator, a cursor and its transaction) and lets go of it again,
   * reading nothing. */
  lf_code (*new_iterator)(lf_session*);
  /* Tells by name what the store's own work is at this moment, and nothing where it rests: "flush"
   * (memory to tables), "compaction", "checkpoint" (a log to the pages that it is of), "write stop"
   * and "write slowdown" (writers are held back), or a word of the engine's own, up to 32
   * characters. Asked about ten times a second while sessions work, by one thread that has none;
   * cheap therefore, and never waiting for what it tells of. Null: the engine does not tell. */
  void (*activities)(lf_store*, void* context, void (*sink)(void* context, const char* name));

  /* An engine with this member gets one hint more in `open`, where there is anything to say: the
   * setting `defaults`, the names, separated by commas, of those settings that nobody has asked
   * for. Where the store that is there, or a file that another setting names, states otherwise,
   * that wins, and the open store tells it here: the setting's name, the value in force, and what
   * has stated it ("the store", "options_file=/tmp/OPTIONS"). A setting that somebody has asked for
   * is refused where it cannot be honoured, as ever. What `in_force` tells needs to be told here
   * only for its cause. */
  void (*overridden)(lf_store*, void* context,
                     void (*sink)(void* context, const char* name, const char* value,
                                  const char* by));
  /* The ways of setting it that its maintainers stand for. An engine with this member gets one hint
   * more in `open`: `expected_sessions`, the most at a time, each snapshot counted as one more.
   * Absent: not known. */
  const lf_alternative* alternatives;
  /* Tells what is in force: for each setting that the library itself can be asked for, by the
   * library's own calls and not from what `open` was given, the name and the value, in the text
   * that `open` is given. A value that is what was asked for is spelled as it was asked for: the
   * engine knows what its library rounds, by its documentation. Called once, after `open`, outside
   * of any measurement. The harness compares: where somebody has asked for another value the store
   * is closed and the open refused; another default is a note. A setting that the library cannot be
   * asked for is left out, never repeated from memory; which are told must not depend on which are
   * given, so that people can see the others listed (`levelfield engines NAME`). */
  void (*in_force)(lf_store*, void* context,
                   void (*sink)(void* context, const char* name, const char* value));

  /* Whether the calling thread's last LF_FAILED came from damage that was found in the store: a
   * wrong checksum, a broken page, a part that is missing. 0: from anything else, a form that the
   * engine cannot read included. Null: the engine does not tell, and LF_FAILED is damage as the
   * answer of "check" only.
   *
   * An engine with this member gets one hint more in `open`, for a copy of a store that is made to
   * be checked and is thrown away then: `check=1`. It makes no store where there is none, verifies
   * all that it reads, passes over nothing and rebuilds nothing, and answers LF_UNSUPPORTED with
   * the reason where it would not read all that the store holds. */
  int (*last_error_is_damage)(void);

  /* Of an engine that keeps its entries in levels: moves all of one level into the next one that
   * holds anything, and waits until that is done. 0 is the newest; 1 is the first behind it that
   * holds anything. LF_OK also where there is nothing to move, or nothing to move it to. */
  lf_code (*compact_level)(lf_store*, uint32_t level);

  /* Tells the ids of the processes besides this one that work for the store: children of it, or its
   * server. With all that they start, they are the engine: what they use of the processor, of
   * memory and of files is the engine's, `--memory` holds them, and whatever ends this process ends
   * them, too. They run on behalf of this store alone. Called after `open` and before and after
   * what is measured, by one thread. `close` ends them. Null: all work is done in this process. */
  void (*processes)(lf_store*, void* context, void (*sink)(void* context, int64_t process));

  /* Of an engine with LF_SERVER: asks the server for nothing (Redis's PING) and waits for the
   * answer. This is what any call costs beside its work; reports show it beside the figures. */
  lf_code (*round_trip)(lf_session*);

  /* Operations in flight (--depth). `submit` begins one and returns without its answer; key and
   * value are read before it returns. It need not be sent before the next `poll`, which gives the
   * answer of the oldest that has none, as `get`, `put` or `erase` would, and waits for it for
   * `most_ns` at the longest: LF_PENDING then. The value lasts until the next call. While there are
   * operations without an answer only these two are called on the session, or it ends. Both or
   * none. */
  lf_code (*submit)(lf_session*, lf_call call, lf_bytes key, lf_bytes value);
  lf_code (*poll)(lf_session*, uint64_t most_ns, lf_bytes* value);
} lf_engine;

/* The one symbol that a plug-in exports: const lf_engine* levelfield_engine(void). */
typedef const lf_engine* (*levelfield_engine_function)(void);

#ifdef __cplusplus
}
#endif
#endif
