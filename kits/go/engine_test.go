// The table as C sees it: of an engine whose answers the tests choose.
package engine_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"levelfield.dev/engine"
	"levelfield.dev/engine/internal/table"
)

var answer error // Of Put and of Sync.

type store struct{ keys []string }

func (s *store) Close() error                          { return nil }
func (s *store) BeginSession() (engine.Session, error) { return &session{s}, nil }
func (s *store) Sync() error                           { return answer }
func (s *store) Compact() error                        { return nil }
func (s *store) Processes() []int                      { return []int{7, 8} }

type session struct{ *store }

func (s *session) End() {}
func (s *session) Get(key []byte, value *engine.Value) (bool, error) {
	i, there := slices.BinarySearch(s.keys, string(key))
	if there {
		value.Set([]byte(s.keys[i]))
	}
	return there, nil
}
func (s *session) Put(key, value []byte) error {
	if string(value) == "panic" {
		panic("putting " + string(key))
	}
	i, there := slices.BinarySearch(s.keys, string(key))
	if !there {
		s.keys = slices.Insert(s.keys, i, string(key))
	}
	return answer
}
func (s *session) Erase(key []byte) error { return errors.New("erasing") }
func (s *session) Write(batch engine.Batch) error {
	return batch.Each(s.Put, s.Erase)
}
func (s *session) NewCursor() (engine.Cursor, error) { return &cursor{s: s}, nil }

type cursor struct {
	s         *session
	at        int
	backwards bool
}

func (c *cursor) is() (bool, error) { return c.at >= 0 && c.at < len(c.s.keys), nil }
func (c *cursor) Seek(how engine.Seek, key []byte) (bool, error) {
	c.backwards = how == engine.Last || how == engine.AtOrBefore
	i, there := slices.BinarySearch(c.s.keys, string(key))
	switch {
	case how == engine.First:
		i = 0
	case how == engine.Last:
		i = len(c.s.keys) - 1
	case c.backwards && !there:
		i--
	}
	c.at = i
	return c.is()
}
func (c *cursor) Step() (bool, error) {
	if c.backwards {
		c.at--
	} else {
		c.at++
	}
	return c.is()
}
func (c *cursor) Entry() (key, value []byte, err error) {
	return []byte(c.s.keys[c.at]), []byte(c.s.keys[c.at]), nil
}
func (c *cursor) Close() {}

func init() {
	keeps := engine.Durability{Level: engine.None, Settings: "memory"}
	engine.Export(engine.Engine{
		Name: "tested", Summary: "of the tests", License: "none",
		Options: engine.WithoutCommonOptions("Everything is in memory."),
		None:    keeps, Process: keeps, Synced: keeps,
		Describe: func() [][2]string { return nil },
		Open:     func(string, engine.Settings) (engine.Store, error) { return &store{}, nil },
	})
}

// The text of an error is its thread's.
func opened(t *testing.T) (table.Store, table.Session) {
	t.Helper()
	answer = nil
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
	store, code := table.Open(".")
	if code != table.OK {
		t.Fatalf("open: %d", code)
	}
	return store, store.Begin()
}

func TestTheTableHasEachMemberOfTheHeader(t *testing.T) {
	if !table.IsWhole() {
		t.Error("its struct_bytes are not those of the header")
	}
}

func TestAPanicIsAnErrorAndTheSessionGoesOn(t *testing.T) {
	store, session := opened(t)
	if code := session.Put("k", "panic"); code != table.Failed {
		t.Errorf("code %d", code)
	}
	if text, isDamage := table.LastError(); text != "panicked: putting k" || isDamage {
		t.Errorf("said %q, damage %t", text, isDamage)
	}
	if code := session.Put("k", "v"); code != table.OK {
		t.Errorf("code %d", code)
	}
	if value, code := session.Get("k"); value != "k" || code != table.OK {
		t.Errorf("%q, code %d", value, code)
	}
	session.End()
	store.Close()
}

func TestErrorsAreTheCodesThatTheyMean(t *testing.T) {
	store, session := opened(t)
	for _, of := range []struct {
		err      error
		code     int
		isDamage bool
	}{
		{nil, table.OK, false},
		{errors.New("broken"), table.Failed, false},
		{engine.Unsupported("cannot"), table.Unsupported, false},
		{fmt.Errorf("wrapped: %w", engine.Unsupported("cannot")), table.Unsupported, false},
		{fmt.Errorf("%w: a page", engine.ErrDamaged), table.Failed, true},
		{fmt.Errorf("%w: a lock", engine.ErrConflict), table.Conflict, false},
	} {
		answer = of.err
		if code := store.Sync(); code != of.code {
			t.Errorf("%v: code %d, not %d", of.err, code, of.code)
		}
		if _, isDamage := table.LastError(); of.err != nil && isDamage != of.isDamage {
			t.Errorf("%v: damage %t", of.err, isDamage)
		}
	}
	answer = nil
	if code := session.Snapshot(); code != table.Unsupported {
		t.Errorf("a snapshot that it has not: code %d", code)
	}
	if code := session.Erase("k"); code != table.Failed {
		t.Errorf("code %d", code)
	}
	session.End()
	store.Close()
}

// More than are stepped ahead to at once, and turned round where that was done.
func TestAScanTurnsRoundWhereverItStands(t *testing.T) {
	store, session := opened(t)
	const count = 300
	key := func(i int) string { return "k" + strconv.Itoa(1000+i) }
	for i := range count {
		session.Put(key(i), "v")
	}
	for _, turn := range []int{0, 1, 2, 5, 63, 64, 65, 200, count - 1} {
		at, code := session.Seek(int(engine.First), "")
		for i := 0; i < turn; i++ {
			at, code = session.Step(true)
		}
		if at != key(turn) || code != table.OK {
			t.Fatalf("%d steps on: %q, code %d", turn, at, code)
		}
		for i := turn - 1; i >= 0; i-- {
			if at, code = session.Step(false); at != key(i) || code != table.OK {
				t.Fatalf("back from %d: %q, not %q, code %d", turn, at, key(i), code)
			}
		}
		if _, code = session.Step(false); code != table.NotFound {
			t.Fatalf("before the first: code %d", code)
		}
	}
	if at, code := session.Seek(int(engine.AtOrBefore), "k1000x"); at != key(0) || code != table.OK {
		t.Errorf("%q, code %d", at, code)
	}
	if _, code := session.Seek(int(engine.AtOrAfter), "l"); code != table.NotFound {
		t.Errorf("code %d", code)
	}
	session.End()
	store.Close()
}

func TestProcessesAreTold(t *testing.T) {
	store, session := opened(t)
	if processes := store.Processes(); !slices.Equal(processes, []int{7, 8}) {
		t.Errorf("%v", processes)
	}
	session.End()
	store.Close()
}

func TestSettingsOutsideOfTheirRangeAreRefused(t *testing.T) {
	settings := engine.Settings{"pages": "5", "flag": "1"}
	if err := settings.InRange("it", "pages", 1, 5); err != nil {
		t.Error(err)
	}
	if err := settings.InRange("it", "pages", 6, 9); err == nil || err.Error() != "it takes a pages from 6 to 9, not 5" {
		t.Error(err)
	}
	if err := settings.InRange("it", "absent", 6, 9); err != nil {
		t.Error(err)
	}
	if settings.Number("pages", 1) != 5 || settings.Number("absent", 1) != 1 || !settings.Flag("flag", false) {
		t.Error("not what was given")
	}
}
