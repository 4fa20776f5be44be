// Map is a map in memory: the smallest engine that passes conformance, and what `levelfield new engine
// --language=go` begins with.
package main

import (
	"bytes"
	"slices"
	"sync"

	"levelfield.dev/engine"
)

type entry struct{ key, value []byte }

// Sorted by key.
type store struct {
	mutex   sync.RWMutex
	entries []entry
}

func (s *store) Close() error                          { return nil }
func (s *store) BeginSession() (engine.Session, error) { return &session{s}, nil }
func (s *store) Sync() error                           { return nil }
func (s *store) Compact() error                        { return nil }

// Where the key is, or would be.
func (s *store) find(key []byte) (int, bool) {
	return slices.BinarySearchFunc(s.entries, key, func(e entry, key []byte) int { return bytes.Compare(e.key, key) })
}

func (s *store) put(key, value []byte) {
	one := entry{bytes.Clone(key), append([]byte{}, value...)}
	if i, there := s.find(key); there {
		s.entries[i] = one
	} else {
		s.entries = slices.Insert(s.entries, i, one)
	}
}

func (s *store) erase(key []byte) {
	if i, there := s.find(key); there {
		s.entries = slices.Delete(s.entries, i, i+1)
	}
}

type session struct{ store *store }

func (s *session) End() {}

func (s *session) Get(key []byte, value *engine.Value) (bool, error) {
	s.store.mutex.RLock()
	defer s.store.mutex.RUnlock()
	i, there := s.store.find(key)
	if there {
		value.Set(s.store.entries[i].value)
	}
	return there, nil
}

func (s *session) Put(key, value []byte) error {
	s.store.mutex.Lock()
	defer s.store.mutex.Unlock()
	s.store.put(key, value)
	return nil
}

func (s *session) Erase(key []byte) error {
	s.store.mutex.Lock()
	defer s.store.mutex.Unlock()
	s.store.erase(key)
	return nil
}

func (s *session) Write(batch engine.Batch) error {
	s.store.mutex.Lock()
	defer s.store.mutex.Unlock()
	for i := range batch.Len() {
		if key, value, isErase := batch.At(i); isErase {
			s.store.erase(key)
		} else {
			s.store.put(key, value)
		}
	}
	return nil
}

func (s *session) NewCursor() (engine.Cursor, error) { return &cursor{store: s.store}, nil }

// Looks up each entry when it is asked for.
type cursor struct {
	store     *store
	at        entry
	backwards bool
}

func (c *cursor) take(i int) (bool, error) {
	if i < 0 || i >= len(c.store.entries) {
		return false, nil
	}
	c.at = c.store.entries[i]
	return true, nil
}

func (c *cursor) Seek(how engine.Seek, key []byte) (bool, error) {
	c.store.mutex.RLock()
	defer c.store.mutex.RUnlock()
	c.backwards = how == engine.Last || how == engine.AtOrBefore
	i, there := c.store.find(key)
	switch {
	case how == engine.First:
		i = 0
	case how == engine.Last:
		i = len(c.store.entries) - 1
	case c.backwards && !there:
		i--
	}
	return c.take(i)
}

func (c *cursor) Step() (bool, error) {
	c.store.mutex.RLock()
	defer c.store.mutex.RUnlock()
	i, there := c.store.find(c.at.key)
	switch {
	case c.backwards:
		i--
	case there:
		i++
	}
	return c.take(i)
}

func (c *cursor) Entry() (key, value []byte, err error) { return c.at.key, c.at.value, nil }
func (c *cursor) Close()                                {}

func init() {
	keeps := engine.Durability{Level: engine.None, Settings: "a baseline: accepted, and kept in memory"}
	engine.Export(engine.Engine{
		Name:    "map_go",
		Summary: "a map in memory, in Go",
		License: "BSD-3-Clause",
		// A store that keeps its entries has engine.BatchAtomic alone, or nothing.
		Capabilities: engine.Floor | engine.Volatile | engine.BatchAtomic | engine.ByName,
		Options:      engine.WithoutCommonOptions("Everything is in memory."),
		None:         keeps,
		Process:      keeps,
		Synced:       keeps,
		Describe:     func() [][2]string { return [][2]string{{"version", "1"}} },
		Open:         func(string, engine.Settings) (engine.Store, error) { return &store{}, nil },
	})
}

func main() {}
