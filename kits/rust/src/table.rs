//! The table of C functions of an engine, made from its `Store` and `Session`. Each entry takes the
//! kit's own struct behind the pointer, calls the engine, and turns its answer into a code.

use crate::abi::*;
use crate::engine::{slice, text, Batch, Entry, Session, Store};
use crate::error::{answer, last_error, last_error_is_damage, unsupported, Error, Result};
use crate::settings::Settings;
use std::ffi::{c_char, c_int, c_void, CStr, CString, OsStr};
use std::ops::Bound;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null;
use std::sync::{Mutex, PoisonError};

struct OpenStore<S: Store> {
    store: S,
    property: Mutex<CString>, // The last one that was asked for.
}

/// A scan, and where it stands. Of a range the library can take entries from either end, and not
/// go back, so turning round begins a range of the same view at the other side of the entry.
struct Scan<S: Session> {
    range: S::Range, // Dropped before its view.
    view: S::View,
    forwards: bool,
}

struct OpenSession<S: Session> {
    // Handed out, in place until the session's next call. Dropped before what they may be of.
    value: Option<S::Bytes>,
    entry: Option<Entry<S>>,
    many: Vec<Option<S::Bytes>>,
    scan: Option<Scan<S>>,
    session: S,
}

impl<S: Session> OpenSession<S> {
    /// What every call but a step of the scan begins with.
    #[inline(always)]
    fn begin_call(&mut self) -> &mut S {
        self.value = None;
        if self.scan.is_some() || self.entry.is_some() || !self.many.is_empty() {
            self.forget();
        }
        &mut self.session
    }

    #[cold]
    #[inline(never)]
    fn forget(&mut self) {
        self.many.clear();
        self.entry = None;
        self.scan = None;
    }

    #[inline(always)]
    unsafe fn hand_out(&mut self, found: Option<S::Bytes>, value: *mut lf_bytes) -> lf_code {
        self.value = found;
        match &self.value {
            Some(bytes) => {
                *value = of(bytes.as_ref());
                LF_OK
            }
            None => LF_NOT_FOUND,
        }
    }

    unsafe fn seek(&mut self, how: c_int, key: &[u8]) -> Result<()> {
        let view = self.begin_call().view()?;
        let all = Bound::Unbounded;
        let (from, to, forwards) = match how {
            LF_FIRST => (all, all, true),
            LF_LAST => (all, all, false),
            LF_AT_OR_AFTER => (Bound::Included(key), all, true),
            _ => (all, Bound::Included(key), false),
        };
        let range = S::range(&view, from, to)?;
        self.scan = Some(Scan { range, view, forwards });
        Ok(())
    }

    unsafe fn step(
        &mut self,
        forwards: bool,
        key: *mut lf_bytes,
        value: *mut lf_bytes,
    ) -> Result<lf_code> {
        let Some(scan) = &mut self.scan else { return Ok(LF_NOT_FOUND) };
        if scan.forwards != forwards {
            let Some((at, _)) = &self.entry else { return Ok(LF_NOT_FOUND) };
            let beyond = Bound::Excluded(at.as_ref());
            let (from, to) =
                if forwards { (beyond, Bound::Unbounded) } else { (Bound::Unbounded, beyond) };
            scan.range = S::range(&scan.view, from, to)?;
            scan.forwards = forwards;
        }
        self.take_entry(key, value)
    }

    #[inline(always)]
    unsafe fn take_entry(&mut self, key: *mut lf_bytes, value: *mut lf_bytes) -> Result<lf_code> {
        let Some(scan) = &mut self.scan else { return Ok(LF_NOT_FOUND) };
        let next = if scan.forwards { scan.range.next() } else { scan.range.next_back() };
        match next {
            Some(entry) => {
                let (found, its_value) = self.entry.insert(entry?);
                *key = of(found.as_ref());
                *value = of(its_value.as_ref());
                Ok(LF_OK)
            }
            None => {
                self.forget();
                Ok(LF_NOT_FOUND)
            }
        }
    }
}

#[inline(always)]
fn of(bytes: &[u8]) -> lf_bytes {
    lf_bytes { data: bytes.as_ptr().cast(), size: bytes.len() }
}

#[inline(always)]
unsafe fn session<'a, S: Store>(session: *mut lf_session) -> &'a mut OpenSession<S::Session> {
    &mut *session.cast::<OpenSession<S::Session>>()
}

unsafe fn store<'a, S: Store>(store: *mut lf_store) -> &'a OpenStore<S> {
    &*store.cast::<OpenStore<S>>()
}

unsafe fn path<'a>(path: *const c_char) -> &'a Path {
    Path::new(OsStr::from_bytes(CStr::from_ptr(path).to_bytes()))
}

fn done(result: Result<()>) -> Result<lf_code> {
    result.map(|()| LF_OK)
}

struct Of<S>(std::marker::PhantomData<S>);

impl<S: Store> Of<S> {
    unsafe extern "C" fn describe(context: *mut c_void, sink: FactSink) {
        let told = std::panic::catch_unwind(|| {
            let mut facts = S::describe();
            if !facts.iter().any(|(name, _)| *name == "language") {
                facts.push(("language", "Rust".into()));
            }
            if !facts.iter().any(|(name, _)| *name == "library") {
                let here = Self::describe as unsafe extern "C" fn(*mut c_void, FactSink);
                facts.push(("library", crate::library::path_of(here as *const c_void)));
            }
            facts
        });
        for (name, value) in told.unwrap_or_default() {
            if !value.is_empty() {
                sink(context, text(name).as_ptr(), text(&value).as_ptr());
            }
        }
    }

    unsafe extern "C" fn open(
        directory: *const c_char,
        settings: *const lf_setting,
        count: usize,
        out: *mut *mut lf_store,
    ) -> lf_code {
        answer(|| {
            let settings = Settings::new(settings, count);
            S::check(&settings)?;
            if directory.is_null() {
                return Ok(LF_OK);
            }
            let store = S::open(path(directory), &settings)?;
            *out = Box::into_raw(Box::new(OpenStore { store, property: Mutex::default() })).cast();
            Ok(LF_OK)
        })
    }

    unsafe extern "C" fn close(handle: *mut lf_store) -> lf_code {
        answer(|| done(Box::from_raw(handle.cast::<OpenStore<S>>()).store.close()))
    }

    unsafe extern "C" fn begin_session(handle: *mut lf_store, out: *mut *mut lf_session) -> lf_code {
        answer(|| {
            let begun = OpenSession {
                value: None,
                entry: None,
                many: Vec::new(),
                scan: None,
                session: store::<S>(handle).store.begin_session()?,
            };
            *out = Box::into_raw(Box::new(begun)).cast();
            Ok(LF_OK)
        })
    }

    unsafe extern "C" fn end_session(handle: *mut lf_session) {
        answer(|| {
            drop(Box::from_raw(handle.cast::<OpenSession<S::Session>>()));
            Ok(LF_OK)
        });
    }

    unsafe extern "C" fn get(handle: *mut lf_session, key: lf_bytes, value: *mut lf_bytes) -> lf_code {
        answer(|| {
            let session = session::<S>(handle);
            let found = session.begin_call().get(slice(key))?;
            Ok(session.hand_out(found, value))
        })
    }

    unsafe extern "C" fn put(handle: *mut lf_session, key: lf_bytes, value: lf_bytes) -> lf_code {
        answer(|| done(session::<S>(handle).begin_call().put(slice(key), slice(value))))
    }

    unsafe extern "C" fn erase(handle: *mut lf_session, key: lf_bytes) -> lf_code {
        answer(|| done(session::<S>(handle).begin_call().erase(slice(key))))
    }

    unsafe extern "C" fn write(
        handle: *mut lf_session,
        entries: *const lf_entry,
        count: usize,
    ) -> lf_code {
        answer(|| {
            let entries = if count == 0 { &[] } else { std::slice::from_raw_parts(entries, count) };
            done(session::<S>(handle).begin_call().write(Batch(entries)))
        })
    }

    unsafe extern "C" fn seek(
        handle: *mut lf_session,
        how: c_int,
        key: lf_bytes,
        found: *mut lf_bytes,
        value: *mut lf_bytes,
    ) -> lf_code {
        answer(|| {
            let session = session::<S>(handle);
            session.seek(how, slice(key))?;
            session.take_entry(found, value)
        })
    }

    unsafe extern "C" fn next(
        handle: *mut lf_session,
        key: *mut lf_bytes,
        value: *mut lf_bytes,
    ) -> lf_code {
        answer(|| session::<S>(handle).step(true, key, value))
    }

    unsafe extern "C" fn prev(
        handle: *mut lf_session,
        key: *mut lf_bytes,
        value: *mut lf_bytes,
    ) -> lf_code {
        answer(|| session::<S>(handle).step(false, key, value))
    }

    unsafe extern "C" fn sync(handle: *mut lf_store) -> lf_code {
        answer(|| done(store::<S>(handle).store.sync()))
    }

    unsafe extern "C" fn compact(handle: *mut lf_store) -> lf_code {
        answer(|| done(store::<S>(handle).store.compact()))
    }

    unsafe extern "C" fn property(
        handle: *mut lf_store,
        name: *const c_char,
        out: *mut *const c_char,
    ) -> lf_code {
        answer(|| {
            let store = store::<S>(handle);
            let name = CStr::from_ptr(name).to_str().unwrap_or("");
            let answer = text(&store.store.property(name)?);
            let mut kept = store.property.lock().unwrap_or_else(PoisonError::into_inner);
            *kept = answer;
            *out = kept.as_ptr();
            Ok(LF_OK)
        })
    }

    unsafe extern "C" fn recognize(at: *const c_char) -> lf_code {
        answer(|| Ok(if S::recognize(path(at))? { LF_OK } else { LF_NOT_FOUND }))
    }

    unsafe extern "C" fn destroy(at: *const c_char) -> lf_code {
        answer(|| done(S::destroy(path(at))))
    }

    unsafe extern "C" fn take_snapshot(
        handle: *mut lf_session,
        out: *mut *mut lf_snapshot,
    ) -> lf_code {
        answer(|| {
            if !S::Session::VIEWS_ARE_SNAPSHOTS {
                return unsupported("the library has no snapshots");
            }
            let view = session::<S>(handle).begin_call().view()?;
            *out = Box::into_raw(Box::new(view)).cast();
            Ok(LF_OK)
        })
    }

    unsafe extern "C" fn release_snapshot(handle: *mut lf_session, snapshot: *mut lf_snapshot) {
        answer(|| {
            session::<S>(handle).begin_call();
            drop(Box::from_raw(snapshot.cast::<<S::Session as Session>::View>()));
            Ok(LF_OK)
        });
    }

    unsafe extern "C" fn get_at(
        handle: *mut lf_session,
        snapshot: *mut lf_snapshot,
        key: lf_bytes,
        value: *mut lf_bytes,
    ) -> lf_code {
        answer(|| {
            let session = session::<S>(handle);
            session.begin_call();
            let view = &*snapshot.cast::<<S::Session as Session>::View>();
            let found = S::Session::get_in(view, slice(key))?;
            Ok(session.hand_out(found, value))
        })
    }

    unsafe extern "C" fn multi_get(
        handle: *mut lf_session,
        keys: *const lf_bytes,
        count: usize,
        values: *mut lf_bytes,
        codes: *mut lf_code,
    ) -> lf_code {
        answer(|| {
            let session = session::<S>(handle);
            let keys: Vec<&[u8]> = (0..count).map(|i| slice(*keys.add(i))).collect();
            session.many = session.begin_call().multi_get(&keys)?;
            if session.many.len() != count {
                return Err(Error::Failed("multi_get answered another number of keys".into()));
            }
            for (i, found) in session.many.iter().enumerate() {
                *codes.add(i) = if found.is_some() { LF_OK } else { LF_NOT_FOUND };
                if let Some(bytes) = found {
                    *values.add(i) = of(bytes.as_ref());
                }
            }
            Ok(LF_OK)
        })
    }

    unsafe extern "C" fn delete_range(
        handle: *mut lf_session,
        from: lf_bytes,
        to: lf_bytes,
    ) -> lf_code {
        answer(|| done(session::<S>(handle).begin_call().delete_range(slice(from), slice(to))))
    }

    unsafe extern "C" fn flush(handle: *mut lf_store) -> lf_code {
        answer(|| done(store::<S>(handle).store.flush()))
    }

    unsafe extern "C" fn wait_for_background(handle: *mut lf_store) -> lf_code {
        answer(|| done(store::<S>(handle).store.wait_for_background()))
    }

    unsafe extern "C" fn backup(handle: *mut lf_store, directory: *const c_char) -> lf_code {
        answer(|| done(store::<S>(handle).store.backup(path(directory))))
    }

    unsafe extern "C" fn restore(backup: *const c_char, directory: *const c_char) -> lf_code {
        answer(|| done(S::restore(path(backup), path(directory))))
    }

    unsafe extern "C" fn verify_checksums(handle: *mut lf_store) -> lf_code {
        answer(|| done(store::<S>(handle).store.verify_checksums()))
    }

    unsafe extern "C" fn begin_transaction(handle: *mut lf_session) -> lf_code {
        answer(|| done(session::<S>(handle).begin_call().begin_transaction()))
    }

    unsafe extern "C" fn get_for_update(
        handle: *mut lf_session,
        key: lf_bytes,
        value: *mut lf_bytes,
    ) -> lf_code {
        answer(|| {
            let session = session::<S>(handle);
            let found = session.begin_call().get_for_update(slice(key))?;
            Ok(session.hand_out(found, value))
        })
    }

    unsafe extern "C" fn commit_transaction(handle: *mut lf_session) -> lf_code {
        answer(|| done(session::<S>(handle).begin_call().commit_transaction()))
    }

    unsafe extern "C" fn roll_back_transaction(handle: *mut lf_session) -> lf_code {
        answer(|| done(session::<S>(handle).begin_call().roll_back_transaction()))
    }

    /// As a scan makes it: a view, and a range of it.
    unsafe extern "C" fn new_iterator(handle: *mut lf_session) -> lf_code {
        answer(|| {
            let view = session::<S>(handle).begin_call().view()?;
            drop(S::Session::range(&view, Bound::Unbounded, Bound::Unbounded)?);
            Ok(LF_OK)
        })
    }

    unsafe extern "C" fn in_force(handle: *mut lf_store, context: *mut c_void, sink: FactSink) {
        let store = std::panic::AssertUnwindSafe(store::<S>(handle));
        let told = std::panic::catch_unwind(|| store.store.in_force());
        for (name, value) in told.unwrap_or_default() {
            sink(context, text(name).as_ptr(), text(&value).as_ptr());
        }
    }

    unsafe extern "C" fn processes(handle: *mut lf_store, context: *mut c_void, sink: ProcessSink) {
        let store = std::panic::AssertUnwindSafe(store::<S>(handle));
        for process in std::panic::catch_unwind(|| store.store.processes()).unwrap_or_default() {
            sink(context, process);
        }
    }

    unsafe extern "C" fn merge(_: *mut lf_session, _: lf_bytes, _: lf_bytes) -> lf_code {
        answer(|| unsupported("the library has no merge operators"))
    }
}

/// A table that C may read from any thread: it never changes.
pub struct Table(pub lf_engine);
unsafe impl Sync for Table {}

pub const fn table<S: Store>() -> Table {
    let facts = S::FACTS;
    Table(lf_engine {
        struct_bytes: std::mem::size_of::<lf_engine>(),
        name: facts.name.as_ptr(),
        summary: facts.summary.as_ptr(),
        license: facts.license.as_ptr(),
        capabilities: facts.capabilities,
        options: facts.options.as_ptr(),
        durabilities: facts.durabilities.as_ptr(),
        load: None,
        describe: Some(Of::<S>::describe),
        last_error: Some(last_error),
        open: Some(Of::<S>::open),
        close: Some(Of::<S>::close),
        begin_session: Some(Of::<S>::begin_session),
        end_session: Some(Of::<S>::end_session),
        get: Some(Of::<S>::get),
        put: Some(Of::<S>::put),
        erase: Some(Of::<S>::erase),
        write: Some(Of::<S>::write),
        seek: Some(Of::<S>::seek),
        next: Some(Of::<S>::next),
        prev: Some(Of::<S>::prev),
        sync: Some(Of::<S>::sync),
        compact: Some(Of::<S>::compact),
        size_on_disk: None,
        property: Some(Of::<S>::property),
        properties: null(),
        counters: None,
        recognize: Some(Of::<S>::recognize),
        destroy: Some(Of::<S>::destroy),
        repair: None,
        compact_range: None,
        approximate_bytes: None,
        take_snapshot: Some(Of::<S>::take_snapshot),
        release_snapshot: Some(Of::<S>::release_snapshot),
        get_at: Some(Of::<S>::get_at),
        merge: Some(Of::<S>::merge),
        multi_get: Some(Of::<S>::multi_get),
        delete_range: Some(Of::<S>::delete_range),
        flush: Some(Of::<S>::flush),
        wait_for_background: Some(Of::<S>::wait_for_background),
        backup: Some(Of::<S>::backup),
        restore: Some(Of::<S>::restore),
        verify_checksums: Some(Of::<S>::verify_checksums),
        begin_transaction: Some(Of::<S>::begin_transaction),
        get_for_update: Some(Of::<S>::get_for_update),
        commit_transaction: Some(Of::<S>::commit_transaction),
        roll_back_transaction: Some(Of::<S>::roll_back_transaction),
        new_iterator: Some(Of::<S>::new_iterator),
        activities: None,
        overridden: None,
        alternatives: facts.alternatives.as_ptr(),
        in_force: Some(Of::<S>::in_force),
        last_error_is_damage: Some(last_error_is_damage),
        compact_level: None,
        processes: Some(Of::<S>::processes),
        round_trip: None,
        submit: None,
        poll: None,
    })
}
