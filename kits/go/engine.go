// Package engine makes plug-ins of engines for Levelfield in Go. A plug-in is a package main that
// describes its engine and is built with -buildmode=c-shared:
//
//	func init() { engine.Export(engine.Engine{Name: "mine", ...}) }
//	func main() {}
//
// Keys and values that an engine gets are C's: they are there until it returns. What it hands out is
// copied at once. A panic is an error. Batches pass in one call, and a scan is stepped ahead of what
// is asked for, 1, 2, 4 and up to 64 entries at a time, because a call from C to Go costs about 90 ns.
package engine

// #cgo CFLAGS: -I${SRCDIR}/../../include -I${SRCDIR}/../../../../include -O2
// #cgo LDFLAGS: -ldl
// #include <stdlib.h>
// #include "table.h"
import "C"

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"unsafe"
)

// Levels of durability, capabilities and kinds of options, as engine_abi.h has them.
const (
	None    = C.LF_D0_NONE
	Process = C.LF_D1_PROCESS
	Flushed = C.LF_D2_FLUSHED
	Bounded = C.LF_D3_BOUNDED
	Synced  = C.LF_D4_SYNCED
	Refused = C.LF_REFUSED

	Floor       = C.LF_FLOOR
	Volatile    = C.LF_VOLATILE
	NoAnswers   = C.LF_NO_ANSWERS
	OneWriter   = C.LF_ONE_WRITER
	BatchAtomic = C.LF_BATCH_ATOMIC
	ByName      = C.LF_BY_NAME

	Bytes  = C.LF_BYTES
	Count  = C.LF_COUNT
	Flag   = C.LF_FLAG
	Choice = C.LF_CHOICE
	Absent = C.LF_ABSENT
)

// Option is one that the engine answers; of an absent one Help has the reason.
type Option struct {
	Name    string
	Kind    int
	Default string
	Choices string
	Help    string
}

// WithoutCommonOptions are the common options, none of which an engine has, for that reason.
func WithoutCommonOptions(reason string) (options []Option) {
	for _, name := range []string{"cache_size", "write_buffer_size", "block_size", "bloom_bits", "compression", "max_open_files"} {
		options = append(options, Option{Name: name, Kind: Absent, Help: reason})
	}
	return options
}

// Durability is what a class keeps, and by which native settings.
type Durability struct {
	Level    int
	Settings string
}

// Alternative is a way of setting the engine that its maintainers stand for.
type Alternative struct{ Name, Settings, Classes, Because, Link string }

// Engine is what a plug-in exports. Functions that are nil answer "unsupported".
type Engine struct {
	Name, Summary, License string
	Capabilities           uint32
	Options                []Option
	None, Process, Synced  Durability
	Alternatives           []Alternative
	Describe               func() [][2]string // Facts: {"version", "1.5.0"}, ...
	Check                  func(Settings) error
	Open                   func(directory string, settings Settings) (Store, error)
	Recognize              func(path string) (bool, error)
	Destroy                func(path string) error
}

// Store is one open database. Its further methods are those of Flusher, Teller and Employer.
type Store interface {
	Close() error
	BeginSession() (Session, error)
	Sync() error
	Compact() error
}

// Flusher writes what is buffered in memory to the store's own files.
type Flusher interface{ Flush() error }

// Teller answers properties: "options", "stats", "check".
type Teller interface {
	Property(name string) (string, error)
}

// Employer is a store for which processes work besides this one (engine_abi.h). Closing it ends them.
type Employer interface{ Processes() []int }

// Session is one thread's handle. Its further methods are those of Snapshotter, Transactor and
// RangeEraser.
type Session interface {
	// Get gives the value to `value` and tells whether there is one.
	Get(key []byte, value *Value) (bool, error)
	Put(key, value []byte) error
	Erase(key []byte) error
	Write(batch Batch) error
	NewCursor() (Cursor, error)
	End()
}

// Cursor is a scan of the store as it was when it was made.
type Cursor interface {
	// Seek goes to an entry, and decides the direction: forwards from First and AtOrAfter,
	// backwards from Last and AtOrBefore. It tells whether there is one.
	Seek(how Seek, key []byte) (bool, error)
	// Step goes on in that direction.
	Step() (bool, error)
	// Entry is there until the next step.
	Entry() (key, value []byte, err error)
	Close()
}

// Seek is where a scan begins.
type Seek int

// As lf_seek.
const (
	First      Seek = C.LF_FIRST
	Last       Seek = C.LF_LAST
	AtOrAfter  Seek = C.LF_AT_OR_AFTER
	AtOrBefore Seek = C.LF_AT_OR_BEFORE
)

// Snapshot is the store at one moment.
type Snapshot interface {
	Get(key []byte, value *Value) (bool, error)
	Release()
}

// Snapshotter is a session that takes snapshots.
type Snapshotter interface{ TakeSnapshot() (Snapshot, error) }

// Transactor is a session with transactions. While one is open, Get, Put and Erase are in it.
type Transactor interface {
	BeginTransaction() error
	GetForUpdate(key []byte, value *Value) (bool, error)
	CommitTransaction() error
	RollBackTransaction() error // No error where none is open.
}

// RangeEraser erases from `from` up to, and without, `to` by one write.
type RangeEraser interface{ EraseRange(from, to []byte) error }

type unsupported string

func (reason unsupported) Error() string { return string(reason) }

// Unsupported says that the engine cannot do this, which is an answer and no failure.
func Unsupported(reason string) error { return unsupported(reason) }

// ErrConflict is a transaction's answer that another one was in the way; wrap it.
var ErrConflict = errors.New("another transaction was in the way")

// ErrDamaged says that something wrong was found in the store's files; wrap it.
var ErrDamaged = errors.New("the store is damaged")

// Settings are those that `open` is given, by name.
type Settings map[string]string

// InRange refuses a number outside of the range, which the library might clip in silence.
func (s Settings) InRange(library, name string, least, most uint64) error {
	if number := s.Number(name, least); number < least || number > most {
		return Unsupported(fmt.Sprintf("%s takes a %s from %d to %d, not %d", library, name, least, most, number))
	}
	return nil
}

// Number is that of the setting, or `otherwise` where it is not given.
func (s Settings) Number(name string, otherwise uint64) uint64 {
	if number, err := strconv.ParseUint(s[name], 10, 64); err == nil {
		return number
	}
	return otherwise
}

// Flag is that of the setting, or `otherwise` where it is not given.
func (s Settings) Flag(name string, otherwise bool) bool {
	text, given := s[name]
	if !given {
		return otherwise
	}
	return text == "1"
}

// Value takes the value that a Get has found, and copies it.
type Value struct{ session *C.go_session }

// Set copies the bytes to where C reads them.
func (v *Value) Set(bytes []byte) {
	s := v.session
	if C.size_t(len(bytes)) > s.value_capacity && C.go_reserve_value(s, C.size_t(len(bytes))) == 0 {
		panic("no memory for a value")
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(s.value)), len(bytes)), bytes)
	s.value_bytes = C.size_t(len(bytes))
}

// Batch is a list of writes, where C keeps them.
type Batch struct{ entries []C.lf_entry }

// Len is the number of writes.
func (b Batch) Len() int { return len(b.entries) }

// At is one of the writes.
func (b Batch) At(i int) (key, value []byte, isErase bool) {
	entry := &b.entries[i]
	return bytesOf(entry.key.data, entry.key.size), bytesOf(entry.value.data, entry.value.size),
		entry.erase != 0
}

// Each hands the writes on, in their order, until one fails.
func (b Batch) Each(put func(key, value []byte) error, erase func(key []byte) error) error {
	for i := range b.entries {
		key, value, isErase := b.At(i)
		var err error
		if isErase {
			err = erase(key)
		} else {
			err = put(key, value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// RemoveFiles removes the files of a directory that are the engine's by their names, and no others.
func RemoveFiles(directory string, isOwn func(name string) bool) error {
	entries, err := os.ReadDir(directory)
	for _, entry := range entries {
		if isOwn(entry.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(directory, entry.Name())))
		}
	}
	return err
}

func bytesOf(data *C.char, size C.size_t) []byte {
	if size == 0 {
		return []byte{} // Empty is a value, and nil is none.
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(data)), int(size))
}

// What C holds by number.
type handles[T any] struct {
	mutex sync.RWMutex
	all   []T
	free  []int
}

func (h *handles[T]) add(one T) C.uintptr_t {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if n := len(h.free); n > 0 {
		i := h.free[n-1]
		h.free = h.free[:n-1]
		h.all[i] = one
		return C.uintptr_t(i + 1)
	}
	h.all = append(h.all, one)
	return C.uintptr_t(len(h.all))
}

func (h *handles[T]) at(id C.uintptr_t) T {
	h.mutex.RLock()
	one := h.all[id-1]
	h.mutex.RUnlock()
	return one
}

func (h *handles[T]) remove(id C.uintptr_t) T {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	var none T
	one := h.all[id-1]
	h.all[id-1] = none
	h.free = append(h.free, int(id-1))
	return one
}

type openSession struct {
	session Session
	cursor  Cursor
	isOver  bool // The cursor has come to the end in its direction, and is not stepped again.
}

var (
	exported  *Engine
	table     *C.lf_engine
	stores    handles[Store]
	sessions  handles[*openSession]
	snapshots handles[Snapshot]
)

// Export makes the table of the plug-in's engine. Call it once, in an init function.
func Export(e Engine) {
	exported = &e
	t := C.go_new_table()
	t.name, t.summary, t.license = C.CString(e.Name), C.CString(e.Summary), C.CString(e.License)
	t.capabilities = C.uint32_t(e.Capabilities)
	options := C.go_new_options(C.size_t(len(e.Options)))
	for i, option := range e.Options {
		row := &unsafe.Slice(options, len(e.Options))[i]
		row.name, row.kind, row.help = C.CString(option.Name), C.lf_option_kind(option.Kind), C.CString(option.Help)
		if option.Kind != Absent {
			row.default_value = C.CString(option.Default)
		}
		if option.Kind == Choice {
			row.choices = C.CString(option.Choices)
		}
	}
	t.options = options
	durabilities := C.go_new_durabilities()
	for i, of := range []Durability{e.None, e.Process, e.Synced} {
		row := &unsafe.Slice(durabilities, 3)[i]
		row.name = C.CString([]string{"none", "process", "synced"}[i])
		row.level, row.settings = C.lf_level(of.Level), C.CString(of.Settings)
	}
	t.durabilities = durabilities
	alternatives := C.go_new_alternatives(C.size_t(len(e.Alternatives)))
	for i, of := range e.Alternatives {
		row := &unsafe.Slice(alternatives, len(e.Alternatives))[i]
		row.name, row.settings, row.classes = C.CString(of.Name), C.CString(of.Settings), C.CString(of.Classes)
		row.because, row.link = C.CString(of.Because), C.CString(of.Link)
	}
	t.alternatives = alternatives
	table = t
}

//export levelfield_engine
func levelfield_engine() *C.lf_engine { return table }

// Keeps the text of an error for `last_error`.
func codeOf(err error) C.lf_code {
	text := err.Error()
	damaged := 0
	if errors.Is(err, ErrDamaged) {
		damaged = 1
	}
	C.go_set_error((*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.size_t(len(text)), C.int(damaged))
	var reason unsupported
	switch {
	case errors.As(err, &reason):
		return C.LF_UNSUPPORTED
	case errors.Is(err, ErrConflict):
		return C.LF_CONFLICT
	}
	return C.LF_FAILED
}

func done(err error) C.lf_code {
	if err != nil {
		return codeOf(err)
	}
	return C.LF_OK
}

func found(is bool, err error) C.lf_code {
	if err != nil {
		return codeOf(err)
	}
	if !is {
		return C.LF_NOT_FOUND
	}
	return C.LF_OK
}

// A panic must not cross into C.
func recovered(code *C.lf_code) {
	if panic := recover(); panic != nil {
		*code = codeOf(fmt.Errorf("panicked: %v", panic))
	}
}

//export lfgo_describe
func lfgo_describe(context unsafe.Pointer, sink unsafe.Pointer) {
	var code C.lf_code
	defer recovered(&code)
	for _, fact := range exported.Describe() {
		name, value := C.CString(fact[0]), C.CString(fact[1])
		C.go_tell((C.lf_fact_sink)(sink), context, name, value)
		C.free(unsafe.Pointer(name))
		C.free(unsafe.Pointer(value))
	}
}

//export lfgo_processes
func lfgo_processes(id C.uintptr_t, context unsafe.Pointer, sink unsafe.Pointer) {
	var code C.lf_code
	defer recovered(&code)
	if employer, ok := stores.at(id).(Employer); ok {
		for _, process := range employer.Processes() {
			C.go_tell_process(sink, context, C.int64_t(process))
		}
	}
}

//export lfgo_open
func lfgo_open(directory *C.char, given *C.lf_setting, count C.size_t, id *C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	settings := Settings{}
	for _, setting := range unsafe.Slice(given, int(count)) {
		settings[C.GoString(setting.name)] = C.GoString(setting.value)
	}
	if exported.Check != nil {
		if err := exported.Check(settings); err != nil {
			return codeOf(err)
		}
	}
	if directory == nil {
		return C.LF_OK
	}
	store, err := exported.Open(C.GoString(directory), settings)
	if err != nil {
		return codeOf(err)
	}
	*id = stores.add(store)
	return C.LF_OK
}

//export lfgo_close
func lfgo_close(id C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	return done(stores.remove(id).Close())
}

//export lfgo_begin_session
func lfgo_begin_session(store C.uintptr_t, session *C.go_session) (code C.lf_code) {
	defer recovered(&code)
	begun, err := stores.at(store).BeginSession()
	if err != nil {
		return codeOf(err)
	}
	session.id = sessions.add(&openSession{session: begun})
	return C.LF_OK
}

//export lfgo_end_session
func lfgo_end_session(id C.uintptr_t) {
	var code C.lf_code
	defer recovered(&code)
	sessions.remove(id).session.End()
}

//export lfgo_get
func lfgo_get(session *C.go_session, key *C.char, size C.size_t) (code C.lf_code) {
	defer recovered(&code)
	return found(sessions.at(session.id).session.Get(bytesOf(key, size), &Value{session}))
}

//export lfgo_put
func lfgo_put(id C.uintptr_t, key *C.char, size C.size_t, value *C.char, bytes C.size_t) (code C.lf_code) {
	defer recovered(&code)
	return done(sessions.at(id).session.Put(bytesOf(key, size), bytesOf(value, bytes)))
}

//export lfgo_erase
func lfgo_erase(id C.uintptr_t, key *C.char, size C.size_t) (code C.lf_code) {
	defer recovered(&code)
	return done(sessions.at(id).session.Erase(bytesOf(key, size)))
}

//export lfgo_write
func lfgo_write(id C.uintptr_t, entries *C.lf_entry, count C.size_t) (code C.lf_code) {
	defer recovered(&code)
	return done(sessions.at(id).session.Write(Batch{unsafe.Slice(entries, int(count))}))
}

//export lfgo_delete_range
func lfgo_delete_range(id C.uintptr_t, from *C.char, fromSize C.size_t, to *C.char, toSize C.size_t) (code C.lf_code) {
	defer recovered(&code)
	if eraser, ok := sessions.at(id).session.(RangeEraser); ok {
		return done(eraser.EraseRange(bytesOf(from, fromSize), bytesOf(to, toSize)))
	}
	return codeOf(Unsupported("the library erases no range by one write"))
}

// Appends the cursor's entry to what C reads.
func appendEntry(session *C.go_session, cursor Cursor) error {
	key, value, err := cursor.Entry()
	if err != nil {
		return err
	}
	at := int(session.ahead_bytes)
	end := at + 8 + len(key) + len(value)
	if C.size_t(end) > session.ahead_capacity && C.go_reserve_ahead(session, C.size_t(end)) == 0 {
		return errors.New("no memory for a scan")
	}
	entry := unsafe.Slice((*byte)(unsafe.Pointer(session.ahead)), end)[at:]
	binary.NativeEndian.PutUint32(entry, uint32(len(key)))
	binary.NativeEndian.PutUint32(entry[4:], uint32(len(value)))
	copy(entry[8:], key)
	copy(entry[8+len(key):], value)
	session.ahead_bytes = C.size_t(end)
	return nil
}

// As the first of what C reads.
func (s *openSession) seekTo(session *C.go_session, how Seek, key []byte) error {
	session.ahead_bytes, session.ahead_at = 0, 0
	is, err := s.cursor.Seek(how, key)
	s.isOver = !is
	if err != nil || !is {
		return err
	}
	return appendEntry(session, s.cursor)
}

//export lfgo_seek
func lfgo_seek(session *C.go_session, how C.int, key *C.char, size C.size_t) (code C.lf_code) {
	defer recovered(&code)
	open := sessions.at(session.id)
	cursor, err := open.session.NewCursor()
	if err != nil {
		return codeOf(err)
	}
	open.cursor = cursor
	if err := open.seekTo(session, Seek(how), bytesOf(key, size)); err != nil {
		open.endScan()
		return codeOf(err)
	}
	return C.LF_OK
}

const mostAheadBytes = 64 << 10

//export lfgo_step
func lfgo_step(session *C.go_session, steps C.uint32_t) (code C.lf_code) {
	defer recovered(&code)
	open := sessions.at(session.id)
	session.ahead_bytes, session.ahead_at = 0, 0
	for i := C.uint32_t(0); i < steps && session.ahead_bytes < mostAheadBytes && !open.isOver; i++ {
		is, err := open.cursor.Step()
		if err != nil {
			return codeOf(err)
		}
		if open.isOver = !is; open.isOver {
			break
		}
		if err := appendEntry(session, open.cursor); err != nil {
			return codeOf(err)
		}
	}
	return C.LF_OK
}

// Turns round at the key: seeks it the other way, and steps over it.
//
//export lfgo_turn
func lfgo_turn(session *C.go_session, forwards C.int, key *C.char, size C.size_t) (code C.lf_code) {
	defer recovered(&code)
	open := sessions.at(session.id)
	cursor := open.cursor
	at := append([]byte(nil), bytesOf(key, size)...) // What C has of it is written over.
	how := AtOrBefore
	if forwards != 0 {
		how = AtOrAfter
	}
	session.ahead_bytes, session.ahead_at = 0, 0
	is, err := cursor.Seek(how, at)
	if err != nil {
		return codeOf(err)
	}
	if is {
		here, _, err := cursor.Entry()
		if err != nil {
			return codeOf(err)
		}
		if string(here) == string(at) {
			if is, err = cursor.Step(); err != nil {
				return codeOf(err)
			}
		}
	}
	if open.isOver = !is; open.isOver {
		return C.LF_OK
	}
	return done(appendEntry(session, cursor))
}

func (s *openSession) endScan() {
	if s.cursor != nil {
		s.cursor.Close()
		s.cursor = nil
	}
}

//export lfgo_end_scan
func lfgo_end_scan(id C.uintptr_t) {
	var code C.lf_code
	defer recovered(&code)
	sessions.at(id).endScan()
}

//export lfgo_new_iterator
func lfgo_new_iterator(id C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	cursor, err := sessions.at(id).session.NewCursor()
	if err == nil {
		cursor.Close()
	}
	return done(err)
}

//export lfgo_take_snapshot
func lfgo_take_snapshot(id C.uintptr_t, snapshot *C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	snapshotter, ok := sessions.at(id).session.(Snapshotter)
	if !ok {
		return codeOf(Unsupported("the library has no snapshots"))
	}
	taken, err := snapshotter.TakeSnapshot()
	if err != nil {
		return codeOf(err)
	}
	*snapshot = snapshots.add(taken)
	return C.LF_OK
}

//export lfgo_release_snapshot
func lfgo_release_snapshot(id C.uintptr_t) {
	var code C.lf_code
	defer recovered(&code)
	snapshots.remove(id).Release()
}

//export lfgo_get_at
func lfgo_get_at(session *C.go_session, snapshot C.uintptr_t, key *C.char, size C.size_t) (code C.lf_code) {
	defer recovered(&code)
	return found(snapshots.at(snapshot).Get(bytesOf(key, size), &Value{session}))
}

func transactor(id C.uintptr_t) (Transactor, error) {
	if one, ok := sessions.at(id).session.(Transactor); ok {
		return one, nil
	}
	return nil, Unsupported("the library has no transactions")
}

func inTransactor(id C.uintptr_t, work func(Transactor) error) C.lf_code {
	one, err := transactor(id)
	if err == nil {
		err = work(one)
	}
	return done(err)
}

//export lfgo_begin_transaction
func lfgo_begin_transaction(id C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	return inTransactor(id, Transactor.BeginTransaction)
}

//export lfgo_commit_transaction
func lfgo_commit_transaction(id C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	return inTransactor(id, Transactor.CommitTransaction)
}

//export lfgo_roll_back_transaction
func lfgo_roll_back_transaction(id C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	return inTransactor(id, Transactor.RollBackTransaction)
}

//export lfgo_get_for_update
func lfgo_get_for_update(session *C.go_session, key *C.char, size C.size_t) (code C.lf_code) {
	defer recovered(&code)
	one, err := transactor(session.id)
	if err != nil {
		return codeOf(err)
	}
	return found(one.GetForUpdate(bytesOf(key, size), &Value{session}))
}

//export lfgo_sync
func lfgo_sync(id C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	return done(stores.at(id).Sync())
}

//export lfgo_compact
func lfgo_compact(id C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	return done(stores.at(id).Compact())
}

//export lfgo_flush
func lfgo_flush(id C.uintptr_t) (code C.lf_code) {
	defer recovered(&code)
	if flusher, ok := stores.at(id).(Flusher); ok {
		return done(flusher.Flush())
	}
	return codeOf(Unsupported("the library has no call that writes its buffers to its files"))
}

//export lfgo_property
func lfgo_property(id C.uintptr_t, name *C.char, text **C.char) (code C.lf_code) {
	defer recovered(&code)
	asked := C.GoString(name)
	teller, ok := stores.at(id).(Teller)
	if !ok {
		return codeOf(Unsupported("there is no property " + asked))
	}
	answer, err := teller.Property(asked)
	if err != nil {
		return codeOf(err)
	}
	*text = C.CString(answer)
	return C.LF_OK
}

//export lfgo_recognize
func lfgo_recognize(path *C.char) (code C.lf_code) {
	defer recovered(&code)
	if exported.Recognize == nil {
		return codeOf(Unsupported("it does not know its stores by their files"))
	}
	return found(exported.Recognize(C.GoString(path)))
}

//export lfgo_destroy
func lfgo_destroy(path *C.char) (code C.lf_code) {
	defer recovered(&code)
	if exported.Destroy == nil {
		return codeOf(Unsupported("the library has no call that removes a store"))
	}
	return done(exported.Destroy(C.GoString(path)))
}
