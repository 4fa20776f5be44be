// Badger: a log-structured merge tree that keeps larger values in a log of their own, in Go.
// https://pkg.go.dev/github.com/dgraph-io/badger/v4
//
// Its iterators go one way, so a scan that turns round makes another of the same transaction.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dgraph-io/badger/v4"
	badgeroptions "github.com/dgraph-io/badger/v4/options"
	"levelfield.dev/engine"
	"levelfield.dev/engines/facts"
)

type store struct {
	db   *badger.DB
	text string
}

func open(directory string, settings engine.Settings) (engine.Store, error) {
	compression := map[string]badgeroptions.CompressionType{
		"snappy": badgeroptions.Snappy, "zstd": badgeroptions.ZSTD}[settings["compression"]]
	falsePositive := 0.0
	if bits := settings.Number("bloom_bits", 10); bits > 0 {
		falsePositive = falsePositiveOf(bits)
	}
	options := badger.DefaultOptions(directory).
		WithLogger(nil).
		WithSyncWrites(settings["durability"] == "synced").
		WithBlockCacheSize(int64(settings.Number("cache_size", 256<<20))).
		WithMemTableSize(int64(settings.Number("write_buffer_size", 64<<20))).
		WithBlockSize(int(settings.Number("block_size", 4<<10))).
		WithBloomFalsePositive(falsePositive).
		WithCompression(compression).
		WithValueThreshold(int64(settings.Number("value_threshold", min(1<<20, mostThreshold(settings))))).
		WithDetectConflicts(settings.Flag("detect_conflicts", true)).
		WithNumCompactors(int(settings.Number("num_compactors", 4)))
	if info, err := os.Stat(directory); err == nil && !info.IsDir() {
		return nil, fmt.Errorf("badger: %s is no directory", directory)
	}
	db, err := badger.Open(options)
	if err != nil {
		return nil, wrapped("open "+directory, err)
	}
	text := fmt.Sprintf("sync_writes=%t\nblock_cache_size=%d\nmemtable_size=%d\nblock_size=%d\nbloom_false_positive=%g\n"+
		"compression=%d\nvalue_threshold=%d\ndetect_conflicts=%t\nnum_compactors=%d\n",
		options.SyncWrites, options.BlockCacheSize, options.MemTableSize, options.BlockSize,
		options.BloomFalsePositive, options.Compression, options.ValueThreshold, options.DetectConflicts,
		options.NumCompactors)
	return &store{db, text}, nil
}

// Badger's limit of a batch, which a value below the threshold has to fit into.
func mostThreshold(settings engine.Settings) uint64 {
	return settings.Number("write_buffer_size", 64<<20) * 15 / 100
}

// A Bloom filter of so many bits a key errs as often as this.
func falsePositiveOf(bits uint64) float64 {
	rate := 1.0
	for range bits {
		rate *= 0.6185 // 0.5 to the power of ln 2.
	}
	return rate
}

func wrapped(what string, err error) error {
	if err == nil {
		return nil
	}
	told := fmt.Errorf("badger: cannot %s: %w", what, err)
	if strings.Contains(err.Error(), "checksum") || errors.Is(err, badger.ErrTruncateNeeded) {
		return fmt.Errorf("%w: %w", engine.ErrDamaged, told)
	}
	return told
}

func (s *store) Close() error                          { return wrapped("close", s.db.Close()) }
func (s *store) BeginSession() (engine.Session, error) { return &session{db: s.db}, nil }
func (s *store) Sync() error                           { return wrapped("sync", s.db.Sync()) }
func (s *store) Compact() error                        { return wrapped("compact", s.db.Flatten(2)) }

func (s *store) Property(name string) (string, error) {
	switch name {
	case "options":
		return s.text, nil
	case "stats":
		return s.db.LevelsToString() + "\n", nil
	case "check":
		if err := s.db.VerifyChecksum(); err != nil {
			return "", fmt.Errorf("%w: VerifyChecksum: %w", engine.ErrDamaged, err)
		}
		return "VerifyChecksum finds nothing wrong", nil
	}
	return "", engine.Unsupported("badger has only the properties options, stats and check")
}

type session struct {
	db  *badger.DB
	txn *badger.Txn // Its open transaction.
}

func (s *session) End() { _ = s.RollBackTransaction() }

var errTakes = "badger takes keys of 1 to 65000 bytes that do not begin with !badger!"

// What is refused by the key or the value, and what has failed.
func refused(what string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, badger.ErrEmptyKey) || errors.Is(err, badger.ErrInvalidKey) || strings.Contains(err.Error(), "exceeded") {
		return engine.Unsupported(errTakes + ": " + err.Error())
	}
	if errors.Is(err, badger.ErrConflict) {
		return fmt.Errorf("%w: %w", engine.ErrConflict, err)
	}
	if errors.Is(err, badger.ErrTxnTooBig) {
		return engine.Unsupported("badger: " + what + ": larger than its memtables allow (write_buffer_size): " + err.Error())
	}
	return wrapped(what, err)
}

func getIn(txn *badger.Txn, key []byte, value *engine.Value) (bool, error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return false, nil
	}
	if err != nil {
		return false, refused("get", err)
	}
	err = item.Value(func(found []byte) error {
		value.Set(found)
		return nil
	})
	return true, wrapped("read a value", err)
}

func (s *session) Get(key []byte, value *engine.Value) (bool, error) {
	if s.txn != nil {
		return getIn(s.txn, key, value)
	}
	txn := s.db.NewTransaction(false)
	defer txn.Discard()
	return getIn(txn, key, value)
}

// Badger keeps keys and values beyond the call, and C does not: they are copied.
func (s *session) change(what string, work func(*badger.Txn) error) error {
	if s.txn != nil {
		return refused(what, work(s.txn))
	}
	return refused(what, s.db.Update(work))
}

func (s *session) Put(key, value []byte) error {
	return s.change("put", func(txn *badger.Txn) error { return txn.Set(bytes.Clone(key), bytes.Clone(value)) })
}
func (s *session) Erase(key []byte) error {
	return s.change("erase", func(txn *badger.Txn) error { return txn.Delete(bytes.Clone(key)) })
}
func (s *session) Write(batch engine.Batch) error {
	return s.change("write a batch", func(txn *badger.Txn) error {
		return batch.Each(
			func(key, value []byte) error { return txn.Set(bytes.Clone(key), bytes.Clone(value)) },
			func(key []byte) error { return txn.Delete(bytes.Clone(key)) })
	})
}

func (s *session) BeginTransaction() error {
	s.txn = s.db.NewTransaction(true)
	return nil
}

// What a transaction has read is compared with what was committed since, when it commits.
func (s *session) GetForUpdate(key []byte, value *engine.Value) (bool, error) {
	return getIn(s.txn, key, value)
}
func (s *session) CommitTransaction() error {
	txn := s.txn
	s.txn = nil
	return refused("commit", txn.Commit())
}
func (s *session) RollBackTransaction() error {
	if s.txn != nil {
		s.txn.Discard()
		s.txn = nil
	}
	return nil
}

func (s *session) TakeSnapshot() (engine.Snapshot, error) {
	return snapshot{s.db.NewTransaction(false)}, nil
}

type snapshot struct{ txn *badger.Txn }

func (s snapshot) Get(key []byte, value *engine.Value) (bool, error) { return getIn(s.txn, key, value) }
func (s snapshot) Release()                                          { s.txn.Discard() }

func (s *session) NewCursor() (engine.Cursor, error) {
	return &cursor{txn: s.db.NewTransaction(false)}, nil
}

type cursor struct {
	txn       *badger.Txn
	iter      *badger.Iterator
	backwards bool
	value     []byte
}

func (c *cursor) Seek(how engine.Seek, key []byte) (bool, error) {
	backwards := how == engine.Last || how == engine.AtOrBefore
	if c.iter != nil && c.backwards != backwards {
		c.iter.Close()
		c.iter = nil
	}
	c.backwards = backwards
	if c.iter == nil {
		options := badger.DefaultIteratorOptions
		options.Reverse = backwards
		c.iter = c.txn.NewIterator(options)
	}
	switch {
	case how == engine.First || how == engine.Last:
		c.iter.Rewind()
	case len(key) == 0 && backwards:
		return false, nil // No key is at or before the empty one.
	default:
		c.iter.Seek(key)
	}
	return c.iter.Valid(), nil
}

func (c *cursor) Step() (bool, error) {
	c.iter.Next()
	return c.iter.Valid(), nil
}

func (c *cursor) Entry() (key, value []byte, err error) {
	item := c.iter.Item()
	c.value, err = item.ValueCopy(c.value)
	return item.Key(), c.value, wrapped("read a value", err)
}

func (c *cursor) Close() {
	if c.iter != nil {
		c.iter.Close()
	}
	c.txn.Discard()
}

const noNone = "badger has nothing weaker than `process`: its logs are memory maps, where kill -9 cannot reach them"

func check(settings engine.Settings) error {
	if settings["durability"] == "none" {
		return engine.Unsupported(noNone)
	}
	err := errors.Join(
		settings.InRange("badger", "cache_size", 0, 1<<46),
		settings.InRange("badger", "write_buffer_size", 1<<20, 1<<32),
		settings.InRange("badger", "block_size", 256, 1<<27),
		settings.InRange("badger", "bloom_bits", 0, 60),
		settings.InRange("badger", "value_threshold", 0, 1<<20),
		settings.InRange("badger", "num_compactors", 2, 256))
	if err != nil {
		return err
	}
	if most := mostThreshold(settings); settings.Number("value_threshold", 0) > most {
		return engine.Unsupported(fmt.Sprintf("badger takes a value_threshold up to 15 %% of write_buffer_size, %d", most))
	}
	if compression := settings["compression"]; compression != "" && compression != "none" && settings.Number("cache_size", 256<<20) == 0 {
		return engine.Unsupported("badger wants a cache_size with compression: it would decompress each block at each read")
	}
	return nil
}

// By its file MANIFEST and the directory of keys, which is there from the first opening.
func recognize(path string) (bool, error) {
	head := make([]byte, 4)
	file, err := os.Open(filepath.Join(path, "MANIFEST"))
	if err != nil {
		return false, nil
	}
	defer file.Close()
	n, _ := file.ReadAt(head, 0)
	return n == 4 && string(head) == "Bdgr", nil
}

func destroy(path string) error {
	if is, _ := recognize(path); !is {
		return nil
	}
	return engine.RemoveFiles(path, func(name string) bool {
		ext := filepath.Ext(name)
		isNumbered := strings.Trim(strings.TrimSuffix(name, ext), "0123456789") == ""
		return name == "MANIFEST" || name == "KEYREGISTRY" || name == "DISCARD" || name == "LOCK" ||
			isNumbered && (ext == ".sst" || ext == ".vlog" || ext == ".mem")
	})
}

func init() {
	const link = "https://pkg.go.dev/github.com/dgraph-io/badger/v4#Options"
	engine.Export(engine.Engine{
		Name:         "badger",
		Summary:      "Badger: a log-structured merge tree with a log of values, in Go",
		License:      "Apache-2.0",
		Capabilities: engine.BatchAtomic,
		Options: []engine.Option{
			{Name: "cache_size", Kind: engine.Bytes, Default: "256M", Help: "Cache of blocks (WithBlockCacheSize)."},
			{Name: "write_buffer_size", Kind: engine.Bytes, Default: "64M", Help: "Size of a memtable (WithMemTableSize)."},
			{Name: "block_size", Kind: engine.Bytes, Default: "4k", Help: "Size of a block (WithBlockSize)."},
			{Name: "bloom_bits", Kind: engine.Count, Default: "10", Help: "Bits a key of its Bloom filters, given as the rate of errors that so many bits have; 0: none (WithBloomFalsePositive)."},
			{Name: "compression", Kind: engine.Choice, Default: "none", Choices: "none|snappy|zstd", Help: "Compression of blocks (WithCompression)."},
			{Name: "max_open_files", Kind: engine.Absent, Help: "Keeps all its files open, in memory maps."},
			{Name: "value_threshold", Kind: engine.Bytes, Default: "1M", Help: "Values of so many bytes and more are in the log of values (WithValueThreshold)."},
			{Name: "detect_conflicts", Kind: engine.Flag, Default: "1", Help: "0 compares nothing when a transaction commits (WithDetectConflicts)."},
			{Name: "num_compactors", Kind: engine.Count, Default: "4", Help: "Compactions at a time (WithNumCompactors)."},
		},
		None:    engine.Durability{Level: engine.Refused, Settings: noNone},
		Process: engine.Durability{Level: engine.Process, Settings: "WithSyncWrites(false): writes are in a memory map of the log"},
		Synced:  engine.Durability{Level: engine.Synced, Settings: "WithSyncWrites(true): msync of the log with each write"},
		Alternatives: []engine.Alternative{
			{Name: "values_apart", Settings: "value_threshold=1k", Classes: "process,synced",
				Because: "Values beside the tree make it small: less is written again by compactions.", Link: link},
		},
		Describe: func() [][2]string {
			return append(facts.Of("github.com/dgraph-io/badger/v4", "2026"), [][2]string{
				{"compressors", "none, snappy, zstd"},
				{"checksums", "CRC32C of each table and of each entry of the logs"},
				{"compared", "the logs, when they are replayed; tables by VerifyChecksum alone, as by default"},
			}...)
		},
		Check:     check,
		Open:      open,
		Recognize: recognize,
		Destroy:   destroy,
	})
}

func main() {}
