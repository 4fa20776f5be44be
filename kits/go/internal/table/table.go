// Package table calls the table that a plug-in exports, as Levelfield does: for the tests of the kit, which may hold no C
// of their own. Codes are those of lf_code.
package table

// #cgo CFLAGS: -I${SRCDIR}/../../../../include -I${SRCDIR}/../../../../../../include
// #include <stdlib.h>
// #include "levelfield/engine_abi.h"
//
// lf_engine* levelfield_engine(void);
//
// static lf_bytes make_bytes(const char* data, size_t size) { lf_bytes it = {data, size}; return it; }
// static lf_code open_store(const char* directory, lf_store** store) {
//   return levelfield_engine()->open(directory, NULL, 0, store);
// }
// static lf_code close_store(lf_store* store) { return levelfield_engine()->close(store); }
// static lf_code sync_store(lf_store* store) { return levelfield_engine()->sync(store); }
// static lf_code begin(lf_store* store, lf_session** session) {
//   return levelfield_engine()->begin_session(store, session);
// }
// static void end(lf_session* session) { levelfield_engine()->end_session(session); }
// static lf_code put(lf_session* s, lf_bytes key, lf_bytes value) { return levelfield_engine()->put(s, key, value); }
// static lf_code erase(lf_session* s, lf_bytes key) { return levelfield_engine()->erase(s, key); }
// static lf_code get(lf_session* s, lf_bytes key, lf_bytes* value) { return levelfield_engine()->get(s, key, value); }
// static lf_code seek(lf_session* s, int how, lf_bytes key, lf_bytes* found, lf_bytes* value) {
//   return levelfield_engine()->seek(s, (lf_seek)how, key, found, value);
// }
// static lf_code step(lf_session* s, int forwards, lf_bytes* key, lf_bytes* value) {
//   return forwards ? levelfield_engine()->next(s, key, value) : levelfield_engine()->prev(s, key, value);
// }
// static lf_code snapshot(lf_session* s) {
//   lf_snapshot* taken = NULL;
//   return levelfield_engine()->take_snapshot(s, &taken);
// }
// static const char* last_error(void) { return levelfield_engine()->last_error(); }
// static int is_damage(void) { return levelfield_engine()->last_error_is_damage(); }
// typedef struct told { int64_t processes[8]; int count; char facts[4096]; } told;
// static void tell_process(void* context, int64_t process) {
//   told* const to = context;
//   if (to->count < 8) to->processes[to->count++] = process;
// }
// static void processes(lf_store* store, told* to) { levelfield_engine()->processes(store, to, tell_process); }
// static size_t size_of_table(void) { return levelfield_engine()->struct_bytes; }
// static size_t known_bytes(void) { return sizeof(lf_engine); }
import "C"

import "unsafe"

// Codes.
const (
	OK          = C.LF_OK
	NotFound    = C.LF_NOT_FOUND
	Unsupported = C.LF_UNSUPPORTED
	Failed      = C.LF_FAILED
	Conflict    = C.LF_CONFLICT
)

// Store is an open one.
type Store struct{ store *C.lf_store }

// Session is one of a store.
type Session struct{ session *C.lf_session }

// IsWhole tells whether the table has all members of the header.
func IsWhole() bool { return C.size_of_table() == C.known_bytes() }

// Open opens the exported engine.
func Open(directory string) (Store, int) {
	path := C.CString(directory)
	defer C.free(unsafe.Pointer(path))
	var store *C.lf_store
	code := C.open_store(path, &store)
	return Store{store}, int(code)
}

// LastError is its text, and whether it was damage. It is the calling thread's: lock that.
func LastError() (string, bool) { return C.GoString(C.last_error()), C.is_damage() != 0 }

// Close closes it.
func (s Store) Close() int { return int(C.close_store(s.store)) }

// Sync syncs it.
func (s Store) Sync() int { return int(C.sync_store(s.store)) }

// Processes are those that work for it.
func (s Store) Processes() (all []int) {
	var told C.told
	C.processes(s.store, &told)
	for _, process := range told.processes[:told.count] {
		all = append(all, int(process))
	}
	return all
}

// Begin begins a session.
func (s Store) Begin() Session {
	var session *C.lf_session
	C.begin(s.store, &session)
	return Session{session}
}

// C may be given no memory of Go's that points to some: so texts are copied.
func with(text string, call func(C.lf_bytes) C.lf_code) int {
	data := C.CString(text)
	defer C.free(unsafe.Pointer(data))
	return int(call(C.make_bytes(data, C.size_t(len(text)))))
}

func text(of C.lf_bytes) string { return C.GoStringN(of.data, C.int(of.size)) }

// End ends it.
func (s Session) End() { C.end(s.session) }

// Put writes.
func (s Session) Put(key, value string) int {
	return with(key, func(k C.lf_bytes) C.lf_code {
		return C.lf_code(with(value, func(v C.lf_bytes) C.lf_code { return C.put(s.session, k, v) }))
	})
}

// Erase erases.
func (s Session) Erase(key string) int {
	return with(key, func(k C.lf_bytes) C.lf_code { return C.erase(s.session, k) })
}

// Get reads.
func (s Session) Get(key string) (string, int) {
	var value C.lf_bytes
	code := with(key, func(k C.lf_bytes) C.lf_code { return C.get(s.session, k, &value) })
	return text(value), code
}

// Seek begins a scan.
func (s Session) Seek(how int, key string) (string, int) {
	var found, value C.lf_bytes
	code := with(key, func(k C.lf_bytes) C.lf_code { return C.seek(s.session, C.int(how), k, &found, &value) })
	return text(found), code
}

// Step goes on.
func (s Session) Step(forwards bool) (string, int) {
	var key, value C.lf_bytes
	direction := C.int(0)
	if forwards {
		direction = 1
	}
	code := C.step(s.session, direction, &key, &value)
	return text(key), int(code)
}

// Snapshot takes one.
func (s Session) Snapshot() int { return int(C.snapshot(s.session)) }
