//! The table as C sees it: of the map in memory, and of an engine that panics.

use levelfield_engine::abi::*;
use std::ffi::{c_int, CStr, CString};
use std::ptr::{null, null_mut};

#[path = "../engines/map/src/lib.rs"]
mod map;

fn bytes(text: &[u8]) -> lf_bytes {
    lf_bytes { data: text.as_ptr().cast(), size: text.len() }
}

unsafe fn text(bytes: lf_bytes) -> Vec<u8> {
    std::slice::from_raw_parts(bytes.data.cast::<u8>(), bytes.size).to_vec()
}

struct Opened {
    table: &'static lf_engine,
    store: *mut lf_store,
}

impl Opened {
    fn new(table: *const lf_engine) -> Self {
        let table = unsafe { &*table };
        let mut store = null_mut();
        let here = CString::new(".").unwrap();
        let code = unsafe { table.open.unwrap()(here.as_ptr(), null(), 0, &mut store) };
        assert_eq!(code, LF_OK);
        Opened { table, store }
    }
    fn session(&self) -> *mut lf_session {
        let mut session = null_mut();
        let code = unsafe { self.table.begin_session.unwrap()(self.store, &mut session) };
        assert_eq!(code, LF_OK);
        session
    }
    fn put(&self, session: *mut lf_session, key: &str, value: &str) -> lf_code {
        unsafe { self.table.put.unwrap()(session, bytes(key.as_bytes()), bytes(value.as_bytes())) }
    }
    fn last_error(&self) -> String {
        unsafe { CStr::from_ptr(self.table.last_error.unwrap()()) }.to_string_lossy().into_owned()
    }
}

const NOTHING: lf_bytes = lf_bytes { data: null(), size: 0 };

#[test]
fn a_scan_turns_round_wherever_it_stands() {
    let map = Opened::new(map::levelfield_engine());
    let session = map.session();
    for key in ["a", "b", "c", "d"] {
        assert_eq!(map.put(session, key, key), LF_OK);
    }
    let (mut key, mut value) = (NOTHING, NOTHING);
    let mut step = |forwards: bool| unsafe {
        let step = if forwards { map.table.next } else { map.table.prev };
        match step.unwrap()(session, &mut key, &mut value) {
            LF_OK => String::from_utf8(text(key)).unwrap(),
            code => {
                assert_eq!(code, LF_NOT_FOUND);
                "end".into()
            }
        }
    };
    let seek = |how: c_int, at: &str| unsafe {
        let (mut found, mut value) = (NOTHING, NOTHING);
        let code =
            map.table.seek.unwrap()(session, how, bytes(at.as_bytes()), &mut found, &mut value);
        (code == LF_OK).then(|| String::from_utf8(text(found)).unwrap())
    };
    assert_eq!(seek(LF_AT_OR_AFTER, "aa").as_deref(), Some("b"));
    assert_eq!([step(true), step(false), step(false), step(true)], ["c", "b", "a", "b"]);
    assert_eq!(seek(LF_LAST, "").as_deref(), Some("d"));
    assert_eq!([step(false), step(true), step(true)], ["c", "d", "end"]);
    assert_eq!(step(false), "end", "a scan that has ended is over");
    assert_eq!(seek(LF_AT_OR_BEFORE, "Z"), None);
}

#[test]
fn what_was_handed_out_stays_until_the_next_call_whatever_others_write() {
    let map = Opened::new(map::levelfield_engine());
    let (reader, writer) = (map.session(), map.session());
    assert_eq!(map.put(writer, "k", "old"), LF_OK);
    let mut value = NOTHING;
    assert_eq!(unsafe { map.table.get.unwrap()(reader, bytes(b"k"), &mut value) }, LF_OK);
    for i in 0..1000 {
        assert_eq!(map.put(writer, "k", &format!("new {i}")), LF_OK);
    }
    assert_eq!(unsafe { text(value) }, b"old");
}

mod panicking {
    use levelfield_engine::*;
    use std::ops::Bound;
    use std::path::Path;

    pub struct Panicking;

    impl Store for Panicking {
        type Session = Panicking;
        const FACTS: Facts = Facts { name: c"panicking", ..super::map::Map::FACTS };
        fn describe() -> Vec<(&'static str, String)> {
            panic!("describing")
        }
        fn check(_: &Settings) -> Result<()> {
            Ok(())
        }
        fn open(_: &Path, _: &Settings) -> Result<Self> {
            Ok(Panicking)
        }
        fn close(self) -> Result<()> {
            panic!("closing")
        }
        fn begin_session(&self) -> Result<Panicking> {
            Ok(Panicking)
        }
        fn sync(&self) -> Result<()> {
            Err(Error::Damaged("a page\0 is broken".into()))
        }
        fn compact(&self) -> Result<()> {
            unsupported("cannot")
        }
    }

    impl Session for Panicking {
        type Bytes = Vec<u8>;
        type View = ();
        type Range = std::iter::Empty<Result<(Vec<u8>, Vec<u8>)>>;
        fn view(&mut self) -> Result<()> {
            Ok(())
        }
        fn get_in(_: &(), _: &[u8]) -> Result<Option<Vec<u8>>> {
            Ok(None)
        }
        fn range(_: &(), _: Bound<&[u8]>, _: Bound<&[u8]>) -> Result<Self::Range> {
            Ok(std::iter::empty())
        }
        fn put(&mut self, _: &[u8], _: &[u8]) -> Result<()> {
            panic!("putting {}", 1)
        }
        fn erase(&mut self, _: &[u8]) -> Result<()> {
            Ok(())
        }
        fn write(&mut self, _: Batch) -> Result<()> {
            Ok(())
        }
    }

    pub static TABLE: Table = table::<Panicking>();
}

#[test]
fn a_panic_is_an_error_and_the_session_goes_on() {
    std::panic::set_hook(Box::new(|_| {}));
    let engine = Opened::new(&panicking::TABLE.0);
    let session = engine.session();
    assert_eq!(engine.put(session, "k", "v"), LF_FAILED);
    assert_eq!(engine.last_error(), "panicked: putting 1");
    assert_eq!(unsafe { engine.table.last_error_is_damage.unwrap()() }, 0);
    assert_eq!(unsafe { engine.table.erase.unwrap()(session, bytes(b"k")) }, LF_OK);
    assert_eq!(unsafe { engine.table.sync.unwrap()(engine.store) }, LF_FAILED);
    assert_eq!(engine.last_error(), "a page is broken");
    assert_eq!(unsafe { engine.table.last_error_is_damage.unwrap()() }, 1);
    assert_eq!(unsafe { engine.table.compact.unwrap()(engine.store) }, LF_UNSUPPORTED);
    unsafe { engine.table.end_session.unwrap()(session) };
    assert_eq!(unsafe { engine.table.close.unwrap()(engine.store) }, LF_FAILED);
}
