// Pebble: CockroachDB's log-structured merge tree, after RocksDB, in Go.
// https://pkg.go.dev/github.com/cockroachdb/pebble/v2
//
// Values are copied out at once, so that their blocks go back to the cache.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
	"levelfield.dev/engine"
	"levelfield.dev/engines/facts"
)

type store struct {
	db     *pebble.DB
	cache  *pebble.Cache
	writes *pebble.WriteOptions
	text   string
}

// Quiet leaves Pebble's events out of standard error, but its last words.
type quiet struct{}

func (quiet) Infof(string, ...any)              {}
func (quiet) Errorf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
func (quiet) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// Unsynced leaves syncs out. With pebble.NoSync the writer of the log keeps writes in its memory, where
// kill -9 takes them; with a sync that does nothing they are in the page cache.
type unsynced struct{ vfs.FS }

func fileSystemOf(class string) vfs.FS {
	if class == "process" {
		return unsynced{vfs.Default}
	}
	return vfs.Default
}

func (fs unsynced) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := fs.FS.Create(name, category)
	return unsyncedOf(file, err)
}
func (fs unsynced) ReuseForWrite(from, to string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := fs.FS.ReuseForWrite(from, to, category)
	return unsyncedOf(file, err)
}
func (fs unsynced) OpenReadWrite(name string, category vfs.DiskWriteCategory, options ...vfs.OpenOption) (vfs.File, error) {
	file, err := fs.FS.OpenReadWrite(name, category, options...)
	return unsyncedOf(file, err)
}
func (fs unsynced) OpenDir(name string) (vfs.File, error) {
	file, err := fs.FS.OpenDir(name)
	return unsyncedOf(file, err)
}
func (fs unsynced) Unwrap() vfs.FS { return fs.FS }

type unsyncedFile struct{ vfs.File }

func unsyncedOf(file vfs.File, err error) (vfs.File, error) {
	if err != nil {
		return nil, err
	}
	return unsyncedFile{file}, nil
}

func (unsyncedFile) Sync() error                { return nil }
func (unsyncedFile) SyncData() error            { return nil }
func (unsyncedFile) SyncTo(int64) (bool, error) { return false, nil }

func profile(name string) *sstable.CompressionProfile {
	switch name {
	case "snappy":
		return sstable.SnappyCompression
	case "zstd":
		return sstable.ZstdCompression
	}
	return sstable.NoCompression
}

func open(directory string, settings engine.Settings) (engine.Store, error) {
	cache := pebble.NewCache(int64(settings.Number("cache_size", 8<<20)))
	options := &pebble.Options{
		Cache:                       cache,
		Logger:                      quiet{},
		MemTableSize:                settings.Number("write_buffer_size", 4<<20),
		MaxOpenFiles:                int(settings.Number("max_open_files", 1000)),
		L0CompactionThreshold:       int(settings.Number("l0_compaction_threshold", 4)),
		L0StopWritesThreshold:       int(settings.Number("l0_stop_writes_threshold", 12)),
		MemTableStopWritesThreshold: int(settings.Number("memtable_stop_writes_threshold", 2)),
		CompactionConcurrencyRange:  func() (int, int) { return 1, int(settings.Number("max_concurrent_compactions", 1)) },
		FormatMajorVersion:          pebble.FormatNewest,
		FS:                          fileSystemOf(settings["durability"]),
	}
	bits := settings.Number("bloom_bits", 0)
	for i := range options.Levels {
		level := &options.Levels[i]
		level.BlockSize = int(settings.Number("block_size", 4<<10))
		level.Compression = func() *sstable.CompressionProfile { return profile(settings["compression"]) }
		if bits > 0 {
			level.FilterPolicy = bloom.FilterPolicy(bits)
			level.FilterType = pebble.TableFilter
		}
	}
	options.EnsureDefaults() // As Open does with a copy, so that its text is whole.
	db, err := pebble.Open(directory, options)
	if err != nil {
		cache.Unref()
		return nil, wrapped("open "+directory, err)
	}
	writes := pebble.Sync
	if settings["durability"] == "none" {
		writes = pebble.NoSync
	}
	return &store{db, cache, writes, options.String()}, nil
}

func wrapped(what string, err error) error {
	if err == nil {
		return nil
	}
	told := fmt.Errorf("pebble: cannot %s: %w", what, err)
	if pebble.IsCorruptionError(err) {
		return fmt.Errorf("%w: %w", engine.ErrDamaged, told)
	}
	return told
}

func (s *store) Close() error {
	err := s.db.Close()
	s.cache.Unref()
	return wrapped("close", err)
}
func (s *store) BeginSession() (engine.Session, error) { return &session{s.db, s.writes}, nil }
func (s *store) Sync() error {
	// A record that is synced takes all before it along.
	return wrapped("sync", s.db.LogData([]byte("sync"), pebble.Sync))
}
func (s *store) Flush() error { return wrapped("flush", s.db.Flush()) }
func (s *store) Compact() error {
	iter, err := s.db.NewIter(nil)
	if err != nil {
		return wrapped("compact", err)
	}
	var first, last []byte
	if iter.First() {
		first = append(first, iter.Key()...)
	}
	if iter.Last() {
		last = append(append(last, iter.Key()...), 0)
	}
	if err := iter.Close(); err != nil || last == nil {
		return wrapped("compact", err)
	}
	return wrapped("compact", s.db.Compact(context.Background(), first, last, true))
}

func (s *store) Property(name string) (string, error) {
	switch name {
	case "options":
		return s.text, nil
	case "stats":
		return s.db.Metrics().String(), nil
	case "check":
		stats := &pebble.CheckLevelsStats{}
		if err := s.db.CheckLevels(stats); err != nil {
			return "", fmt.Errorf("%w: CheckLevels: %w", engine.ErrDamaged, err)
		}
		return fmt.Sprintf("CheckLevels finds %d points in order", stats.NumPoints), nil
	}
	return "", engine.Unsupported("pebble has only the properties options, stats and check")
}

type session struct {
	db     *pebble.DB
	writes *pebble.WriteOptions
}

func (s *session) End() {}

func getFrom(reader pebble.Reader, key []byte, value *engine.Value) (bool, error) {
	found, closer, err := reader.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, wrapped("get", err)
	}
	value.Set(found)
	return true, closer.Close()
}

func (s *session) Get(key []byte, value *engine.Value) (bool, error) {
	return getFrom(s.db, key, value)
}
func (s *session) Put(key, value []byte) error {
	return wrapped("put", s.db.Set(key, value, s.writes))
}
func (s *session) Erase(key []byte) error { return wrapped("erase", s.db.Delete(key, s.writes)) }
func (s *session) EraseRange(from, to []byte) error {
	return wrapped("erase a range", s.db.DeleteRange(from, to, s.writes))
}

func (s *session) Write(writes engine.Batch) error {
	batch := s.db.NewBatch()
	defer batch.Close()
	err := writes.Each(
		func(key, value []byte) error { return batch.Set(key, value, nil) },
		func(key []byte) error { return batch.Delete(key, nil) })
	if err != nil {
		return wrapped("write a batch", err)
	}
	return wrapped("write a batch", batch.Commit(s.writes))
}

func (s *session) TakeSnapshot() (engine.Snapshot, error) { return snapshot{s.db.NewSnapshot()}, nil }

type snapshot struct{ of *pebble.Snapshot }

func (s snapshot) Get(key []byte, value *engine.Value) (bool, error) {
	return getFrom(s.of, key, value)
}
func (s snapshot) Release() { _ = s.of.Close() }

func (s *session) NewCursor() (engine.Cursor, error) {
	iter, err := s.db.NewIter(nil)
	return &cursor{iter: iter}, wrapped("begin a scan", err)
}

type cursor struct {
	iter      *pebble.Iterator
	backwards bool
}

func (c *cursor) Seek(how engine.Seek, key []byte) (bool, error) {
	c.backwards = how == engine.Last || how == engine.AtOrBefore
	var is bool
	switch how {
	case engine.First:
		is = c.iter.First()
	case engine.Last:
		is = c.iter.Last()
	case engine.AtOrAfter:
		is = c.iter.SeekGE(key)
	default:
		// What is below the key with a zero behind it is at or below the key.
		is = c.iter.SeekLT(append(append([]byte(nil), key...), 0))
	}
	return is, wrapped("seek", c.iter.Error())
}

func (c *cursor) Step() (bool, error) {
	is := false
	if c.backwards {
		is = c.iter.Prev()
	} else {
		is = c.iter.Next()
	}
	return is, wrapped("step a scan", c.iter.Error())
}

func (c *cursor) Entry() (key, value []byte, err error) {
	value, err = c.iter.ValueAndErr()
	return c.iter.Key(), value, wrapped("read a value", err)
}
func (c *cursor) Close() { _ = c.iter.Close() }

func check(settings engine.Settings) error {
	return errors.Join(
		settings.InRange("pebble", "cache_size", 0, 1<<46),
		settings.InRange("pebble", "write_buffer_size", 64<<10, 4<<30-1),
		settings.InRange("pebble", "block_size", 256, 1<<27),
		settings.InRange("pebble", "bloom_bits", 0, 100),
		settings.InRange("pebble", "max_open_files", 100, 1<<24),
		settings.InRange("pebble", "l0_compaction_threshold", 1, 1000),
		settings.InRange("pebble", "l0_stop_writes_threshold", 1, 10000),
		settings.InRange("pebble", "memtable_stop_writes_threshold", 2, 1000),
		settings.InRange("pebble", "max_concurrent_compactions", 1, 256))
}

// Pebble names its files as RocksDB does, but for marker files.
func recognize(path string) (bool, error) {
	markers, _ := filepath.Glob(filepath.Join(path, "marker.format-version.*"))
	return len(markers) > 0, nil
}

func destroy(path string) error {
	if is, _ := recognize(path); !is {
		return nil
	}
	return engine.RemoveFiles(path, func(name string) bool {
		return name == "LOCK" || strings.HasPrefix(name, "MANIFEST-") || strings.HasPrefix(name, "OPTIONS-") ||
			strings.HasPrefix(name, "marker.") || strings.HasSuffix(name, ".sst") || strings.HasSuffix(name, ".blob") ||
			strings.HasSuffix(name, ".log") && strings.Trim(name[:len(name)-4], "0123456789-") == ""
	})
}

func init() {
	const link = "https://pkg.go.dev/github.com/cockroachdb/pebble/v2#Options"
	engine.Export(engine.Engine{
		Name:         "pebble",
		Summary:      "Pebble: CockroachDB's log-structured merge tree, in Go",
		License:      "BSD-3-Clause",
		Capabilities: engine.BatchAtomic,
		Options: []engine.Option{
			{Name: "cache_size", Kind: engine.Bytes, Default: "8M", Help: "Cache of blocks (NewCache)."},
			{Name: "write_buffer_size", Kind: engine.Bytes, Default: "4M", Help: "Size of a memtable (Options.MemTableSize)."},
			{Name: "block_size", Kind: engine.Bytes, Default: "4k", Help: "Size of a data block (LevelOptions.BlockSize)."},
			{Name: "bloom_bits", Kind: engine.Count, Default: "0", Help: "Bits a key of the Bloom filters of all levels; 0: none (LevelOptions.FilterPolicy)."},
			{Name: "compression", Kind: engine.Choice, Default: "none", Choices: "none|snappy|zstd", Help: "Compression of blocks (LevelOptions.Compression)."},
			{Name: "max_open_files", Kind: engine.Count, Default: "1000", Help: "Files that it keeps open (Options.MaxOpenFiles)."},
			{Name: "l0_compaction_threshold", Kind: engine.Count, Default: "4", Help: "Sublevels of level 0 from which it is compacted (Options.L0CompactionThreshold)."},
			{Name: "l0_stop_writes_threshold", Kind: engine.Count, Default: "12", Help: "Sublevels of level 0 that stop writes (Options.L0StopWritesThreshold)."},
			{Name: "memtable_stop_writes_threshold", Kind: engine.Count, Default: "2", Help: "Memtables that stop writes (Options.MemTableStopWritesThreshold)."},
			{Name: "max_concurrent_compactions", Kind: engine.Count, Default: "1", Help: "Most compactions at a time (Options.CompactionConcurrencyRange)."},
		},
		None:    engine.Durability{Level: engine.None, Settings: "pebble.NoSync: the log's writer keeps writes in its memory for a while"},
		Process: engine.Durability{Level: engine.Process, Settings: "pebble.Sync on a file system whose syncs are left out: each write is in the page cache"},
		Synced:  engine.Durability{Level: engine.Synced, Settings: "pebble.Sync: each write waits for a sync of the log"},
		Alternatives: []engine.Alternative{
			{Name: "cockroach", Settings: "write_buffer_size=64M memtable_stop_writes_threshold=4 l0_compaction_threshold=2 l0_stop_writes_threshold=1000 block_size=32k",
				Classes: "none,process,synced", Because: "As CockroachDB opens it.",
				Link: "https://github.com/cockroachdb/cockroach/blob/master/pkg/storage/pebble.go"},
			{Name: "threads", Settings: fmt.Sprintf("max_concurrent_compactions=%d", max(2, runtime.NumCPU()-1)), Classes: "none,process,synced",
				Because: "More compactions at a time keep up with more writes.", Link: link},
		},
		Describe: func() [][2]string {
			return append(facts.Of("github.com/cockroachdb/pebble/v2", "2026"), [][2]string{
				{"compressors", "none, snappy, zstd"},
				{"checksums", "CRC32C of each block and each record of the log"},
				{"compared", "each block when it is read from its file, and the log when it is replayed"},
			}...)
		},
		Check:     check,
		Open:      open,
		Recognize: recognize,
		Destroy:   destroy,
	})
}

func main() {}
