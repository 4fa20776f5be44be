// Bbolt: a copy-on-write B+ tree in one memory-mapped file, `data.db`, in Go.
// https://pkg.go.dev/go.etcd.io/bbolt
//
// A session reads by a read transaction of its own for each get and each scan, as the contract wants
// every acknowledged write to be seen. Writers wait for each other. Keys are those of one bucket.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
	"levelfield.dev/engine"
	"levelfield.dev/engines/facts"
)

var bucket = []byte("levelfield")

// Eight times the expected data. A larger map is made only when no read transaction is open, so a
// writer would wait for a snapshot of its own session for ever.
func mapBytes(settings engine.Settings) uint64 {
	const least, most, overhead = 1 << 30, 32 << 40, 64
	entry := min(settings.Number("expected_value_bytes", 100), most) + overhead
	keys := settings.Number("expected_keys", 0)
	if keys > most/8/entry {
		return most
	}
	return max(least, keys*entry*8)
}

type store struct {
	db      *bolt.DB
	options bolt.Options
}

func fileOf(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, "data.db")
	}
	return path
}

// The magic number behind a page's header of 16 bytes.
func recognize(path string) (bool, error) {
	file, err := os.Open(fileOf(path))
	if err != nil {
		return false, nil
	}
	defer file.Close()
	head := make([]byte, 20)
	n, _ := file.ReadAt(head, 0)
	return n == 20 && bytes.Equal(head[16:], []byte{0xed, 0xda, 0x0c, 0xed}), nil
}

func open(directory string, settings engine.Settings) (engine.Store, error) {
	options := bolt.Options{
		Timeout:         5 * time.Second,
		NoSync:          settings["durability"] != "synced",
		NoFreelistSync:  settings.Flag("no_freelist_sync", false),
		FreelistType:    bolt.FreelistType(settings["freelist"]),
		InitialMmapSize: int(settings.Number("map_size", mapBytes(settings))),
		PageSize:        int(settings.Number("block_size", uint64(os.Getpagesize()))),
	}
	if options.FreelistType == "" {
		options.FreelistType = bolt.FreelistArrayType
	}
	file := fileOf(directory)
	if info, err := os.Stat(file); err == nil && info.Size() > 0 {
		if is, _ := recognize(file); !is {
			return nil, fmt.Errorf("%s is no file of bbolt", file)
		}
	}
	db, err := bolt.Open(file, 0o644, &options)
	if err != nil {
		return nil, wrapped("open "+file, err)
	}
	err = db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	})
	if err != nil {
		return nil, wrapped("make the bucket", err)
	}
	return &store{db, options}, nil
}

func wrapped(what string, err error) error {
	err = fmt.Errorf("bbolt: cannot %s: %w", what, err)
	if errors.Is(err, bolt.ErrChecksum) || errors.Is(err, bolt.ErrInvalid) {
		return fmt.Errorf("%w: %w", engine.ErrDamaged, err)
	}
	return err
}

func (s *store) Close() error                          { return s.db.Close() }
func (s *store) BeginSession() (engine.Session, error) { return &session{db: s.db}, nil }
func (s *store) Sync() error                           { return s.db.Sync() }
func (s *store) Compact() error {
	return engine.Unsupported("bbolt compacts into another file (`bbolt compact`), which does not take the place of an open one")
}

func (s *store) Property(name string) (string, error) {
	switch name {
	case "options":
		return fmt.Sprintf("no_sync=%t\nno_freelist_sync=%t\nfreelist=%s\npage_size=%d\n",
			s.db.NoSync, s.db.NoFreelistSync, s.db.FreelistType, s.db.Info().PageSize), nil
	case "stats":
		stats := s.db.Stats()
		return fmt.Sprintf("free_pages=%d\npending_pages=%d\nopen_transactions=%d\n",
			stats.FreePageN, stats.PendingPageN, stats.OpenTxN), nil
	case "check":
		err := s.db.View(func(tx *bolt.Tx) error {
			var all []string
			for err := range tx.Check() {
				all = append(all, err.Error())
			}
			if len(all) > 0 {
				return fmt.Errorf("%w: %s", engine.ErrDamaged, strings.Join(all, "; "))
			}
			return nil
		})
		return "Tx.Check finds nothing wrong", err
	}
	return "", engine.Unsupported("bbolt has only the properties options, stats and check")
}

type session struct {
	db *bolt.DB
	tx *bolt.Tx // Its open transaction.
}

func (s *session) End() { _ = s.RollBackTransaction() }

func getIn(tx *bolt.Tx, key []byte, value *engine.Value) (bool, error) {
	found := tx.Bucket(bucket).Get(key)
	if found == nil {
		return false, nil
	}
	value.Set(found)
	return true, nil
}

func (s *session) Get(key []byte, value *engine.Value) (is bool, err error) {
	if s.tx != nil {
		return getIn(s.tx, key, value)
	}
	tx, err := s.db.Begin(false)
	if err != nil {
		return false, wrapped("get", err)
	}
	is, err = getIn(tx, key, value)
	return is, errors.Join(err, tx.Rollback())
}

func (s *session) change(what string, work func(*bolt.Bucket) error) error {
	refused := func(err error) error {
		if errors.Is(err, bolt.ErrKeyRequired) || errors.Is(err, bolt.ErrKeyTooLarge) || errors.Is(err, bolt.ErrValueTooLarge) {
			return engine.Unsupported(fmt.Sprintf("bbolt takes keys of 1 to %d bytes: %v", bolt.MaxKeySize, err))
		}
		return wrapped(what, err)
	}
	var err error
	if s.tx != nil {
		err = work(s.tx.Bucket(bucket))
	} else {
		err = s.db.Update(func(tx *bolt.Tx) error { return work(tx.Bucket(bucket)) })
	}
	if err != nil {
		return refused(err)
	}
	return nil
}

func (s *session) put(b *bolt.Bucket, key, value []byte) error {
	if s.tx != nil { // Bbolt keeps the value until the commit, and C does not.
		value = bytes.Clone(value)
	}
	return b.Put(key, value)
}

func (s *session) Put(key, value []byte) error {
	return s.change("put", func(b *bolt.Bucket) error { return s.put(b, key, value) })
}

func (s *session) Erase(key []byte) error {
	return s.change("erase", func(b *bolt.Bucket) error { return b.Delete(key) })
}

func (s *session) Write(batch engine.Batch) error {
	return s.change("write a batch", func(b *bolt.Bucket) error {
		return batch.Each(b.Put, b.Delete)
	})
}

// There is one write transaction at a time, for which others wait: nothing that was read can change.
func (s *session) BeginTransaction() (err error) {
	s.tx, err = s.db.Begin(true)
	return err
}
func (s *session) GetForUpdate(key []byte, value *engine.Value) (bool, error) {
	return getIn(s.tx, key, value)
}
func (s *session) CommitTransaction() error {
	tx := s.tx
	s.tx = nil
	return tx.Commit()
}
func (s *session) RollBackTransaction() error {
	if s.tx == nil {
		return nil
	}
	tx := s.tx
	s.tx = nil
	return tx.Rollback()
}

func (s *session) TakeSnapshot() (engine.Snapshot, error) {
	tx, err := s.db.Begin(false)
	if err != nil {
		return nil, wrapped("take a snapshot", err)
	}
	return snapshot{tx}, nil
}

type snapshot struct{ tx *bolt.Tx }

func (s snapshot) Get(key []byte, value *engine.Value) (bool, error) { return getIn(s.tx, key, value) }
func (s snapshot) Release()                                          { _ = s.tx.Rollback() }

func (s *session) NewCursor() (engine.Cursor, error) {
	tx, err := s.db.Begin(false)
	if err != nil {
		return nil, wrapped("begin a scan", err)
	}
	return &cursor{tx: tx, cursor: tx.Bucket(bucket).Cursor()}, nil
}

type cursor struct {
	tx         *bolt.Tx
	cursor     *bolt.Cursor
	backwards  bool
	key, value []byte
}

func (c *cursor) at(key, value []byte) (bool, error) {
	c.key, c.value = key, value
	return key != nil, nil
}

func (c *cursor) Seek(how engine.Seek, key []byte) (bool, error) {
	c.backwards = how == engine.Last || how == engine.AtOrBefore
	switch how {
	case engine.First:
		return c.at(c.cursor.First())
	case engine.Last:
		return c.at(c.cursor.Last())
	case engine.AtOrAfter:
		return c.at(c.cursor.Seek(key))
	}
	found, value := c.cursor.Seek(key)
	if found == nil {
		return c.at(c.cursor.Last())
	}
	if bytes.Equal(found, key) {
		return c.at(found, value)
	}
	return c.at(c.cursor.Prev())
}

func (c *cursor) Step() (bool, error) {
	if c.backwards {
		return c.at(c.cursor.Prev())
	}
	return c.at(c.cursor.Next())
}

func (c *cursor) Entry() (key, value []byte, err error) { return c.key, c.value, nil }
func (c *cursor) Close()                                { _ = c.tx.Rollback() }

func check(settings engine.Settings) error {
	if settings["durability"] == "none" {
		return engine.Unsupported(noNone)
	}
	page := settings.Number("block_size", 4096)
	if page < 1024 || page > 65536 || page&(page-1) != 0 {
		return engine.Unsupported(fmt.Sprintf("bbolt takes a block_size that is a power of two from 1024 to 65536, not %d", page))
	}
	if size := settings.Number("map_size", 1<<30); size < 1<<20 || size > 1<<46 {
		return engine.Unsupported(fmt.Sprintf("bbolt takes a map_size from 1M to 64T, not %d", size))
	}
	return nil
}

const noNone = "bbolt has nothing weaker than `process`: even without a sync a commit writes its pages " +
	"into the page cache, where kill -9 cannot reach them"

func init() {
	engine.Export(engine.Engine{
		Name:         "bbolt",
		Summary:      "bbolt: a copy-on-write B+ tree in a memory map, in Go",
		License:      "MIT",
		Capabilities: engine.OneWriter | engine.BatchAtomic,
		Options: []engine.Option{
			{Name: "cache_size", Kind: engine.Absent, Help: "Has no cache of its own: it reads through the operating system's page cache."},
			{Name: "write_buffer_size", Kind: engine.Absent, Help: "Has no write buffer: a commit writes its pages to the file."},
			{Name: "block_size", Kind: engine.Bytes, Default: "4k", Help: "Size of a page (Options.PageSize)."},
			{Name: "bloom_bits", Kind: engine.Absent, Help: "Has no filter."},
			{Name: "compression", Kind: engine.Absent, Help: "Keeps values as they are."},
			{Name: "max_open_files", Kind: engine.Absent, Help: "Opens one file."},
			{Name: "map_size", Kind: engine.Bytes, Default: "8 times the expected data, at least 1G", Help: "Address space of the map, not memory or disk: a larger one has to wait until no reader is there (Options.InitialMmapSize)."},
			{Name: "freelist", Kind: engine.Choice, Default: "array", Choices: "array|hashmap", Help: "How it keeps its free pages in memory (Options.FreelistType)."},
			{Name: "no_freelist_sync", Kind: engine.Flag, Default: "0", Help: "1 leaves the list of free pages out of the file, and finds them when it opens (Options.NoFreelistSync)."},
		},
		None:    engine.Durability{Level: engine.Refused, Settings: noNone},
		Process: engine.Durability{Level: engine.Process, Settings: "Options.NoSync: no sync; a power cut can break the whole file"},
		Synced:  engine.Durability{Level: engine.Synced, Settings: "the default: each commit syncs its pages, then the meta page"},
		Alternatives: []engine.Alternative{
			{Name: "etcd", Settings: "freelist=hashmap no_freelist_sync=1", Classes: "process,synced",
				Because: "As etcd opens it: faster where many pages are free.",
				Link:    "https://pkg.go.dev/go.etcd.io/bbolt#Options"},
		},
		Describe: func() [][2]string {
			return append(facts.Of("go.etcd.io/bbolt", "2026"), [][2]string{
				{"checksums", "of the two meta pages alone: a flipped bit elsewhere is returned as data"},
				{"compared", "the meta pages, when it is opened"},
			}...)
		},
		Check:     check,
		Open:      open,
		Recognize: recognize,
		Destroy: func(path string) error {
			file := fileOf(path)
			if is, _ := recognize(file); !is {
				return nil
			}
			return os.Remove(file)
		},
	})
}

func main() {}
