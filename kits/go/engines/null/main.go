// Null does nothing, as fast as possible: what the Go kit costs beside C++ (`make benchmarks`). It
// answers as engines/null.cc does.
package main

import (
	"bytes"

	"levelfield.dev/engine"
)

type store struct{ value []byte }

func (s *store) Close() error                          { return nil }
func (s *store) BeginSession() (engine.Session, error) { return &session{s.value}, nil }
func (s *store) Sync() error                           { return nil }
func (s *store) Compact() error                        { return nil }

type session struct{ value []byte }

func (s *session) Get(_ []byte, value *engine.Value) (bool, error) {
	value.Set(s.value)
	return true, nil
}
func (s *session) Put(_, _ []byte) error                  { return nil }
func (s *session) Erase([]byte) error                     { return nil }
func (s *session) Write(engine.Batch) error               { return nil }
func (s *session) NewCursor() (engine.Cursor, error)      { return s, nil }
func (s *session) End()                                   {}
func (s *session) Seek(engine.Seek, []byte) (bool, error) { return true, nil }
func (s *session) Step() (bool, error)                    { return true, nil }
func (s *session) Entry() (key, value []byte, err error)  { return number, s.value, nil }
func (s *session) Close()                                 {}
func (s *session) BeginTransaction() error                { return nil }
func (s *session) CommitTransaction() error               { return nil }
func (s *session) RollBackTransaction() error             { return nil }
func (s *session) GetForUpdate(key []byte, value *engine.Value) (bool, error) {
	return s.Get(key, value)
}

var number = []byte("0000000000000000")

func init() {
	keeps := engine.Durability{Level: engine.None, Settings: "a baseline: accepted, and nothing is kept"}
	engine.Export(engine.Engine{
		Name:         "null_go",
		Summary:      "does nothing, in Go: the price of the Go kit",
		License:      "BSD-3-Clause",
		Capabilities: engine.Floor | engine.Volatile | engine.NoAnswers | engine.ByName,
		Options: []engine.Option{
			{Name: "cache_size", Kind: engine.Absent, Help: "Keeps nothing, so caches nothing."},
			{Name: "write_buffer_size", Kind: engine.Absent, Help: "Keeps nothing, so buffers nothing."},
			{Name: "block_size", Kind: engine.Absent, Help: "Has no blocks."},
			{Name: "bloom_bits", Kind: engine.Absent, Help: "Has no filter."},
			{Name: "compression", Kind: engine.Absent, Help: "Keeps nothing to compress."},
			{Name: "max_open_files", Kind: engine.Absent, Help: "Opens no files."},
		},
		None: keeps, Process: keeps, Synced: keeps,
		Describe: func() [][2]string { return [][2]string{{"version", "1"}} },
		Open: func(_ string, settings engine.Settings) (engine.Store, error) {
			return &store{bytes.Repeat([]byte("x"), int(settings.Number("expected_value_bytes", 100)))}, nil
		},
	})
}

func main() {}
