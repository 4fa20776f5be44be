//! What an engine writes: a `Store`, its `Session`, and a view that a session reads.

use crate::abi::*;
use crate::error::{unsupported, Result};
use crate::settings::Settings;
use std::ffi::{CStr, CString};
use std::ops::Bound;
use std::path::Path;

/// Constants of an engine, as the table has them.
pub struct Facts {
    pub name: &'static CStr,
    pub summary: &'static CStr,
    pub license: &'static CStr,
    pub capabilities: u32,
    /// Ends with `END_OF_OPTIONS`. Answers every common option.
    pub options: &'static [lf_option],
    pub durabilities: &'static [lf_durability; 4],
    /// Ends with `END_OF_ALTERNATIVES`.
    pub alternatives: &'static [lf_alternative],
}

/// One open database, used by many threads. What is left out answers "unsupported".
pub trait Store: Sized + Send + Sync + 'static {
    type Session: Session;
    const FACTS: Facts;

    /// What `describe` tells besides the library's path: ("version", "4.1.0"), ...
    fn describe() -> Vec<(&'static str, String)>;
    /// Whether the settings can be honoured. Makes nothing.
    fn check(_settings: &Settings) -> Result<()> {
        Ok(())
    }
    /// Opens what is in the directory, which exists, or makes it. The settings have been checked.
    fn open(directory: &Path, settings: &Settings) -> Result<Self>;
    fn close(self) -> Result<()>;
    fn begin_session(&self) -> Result<Self::Session>;
    fn sync(&self) -> Result<()>;
    fn compact(&self) -> Result<()>;

    fn property(&self, name: &str) -> Result<String> {
        unsupported(format!("there is no property {name}"))
    }
    fn flush(&self) -> Result<()> {
        unsupported("the library has no call that writes its buffers to its files")
    }
    fn wait_for_background(&self) -> Result<()> {
        unsupported("the library has no call to wait for its threads")
    }
    fn verify_checksums(&self) -> Result<()> {
        unsupported("the library has no call that reads all of it")
    }
    fn backup(&self, _directory: &Path) -> Result<()> {
        unsupported("the library has no backup")
    }
    fn restore(_backup: &Path, _directory: &Path) -> Result<()> {
        unsupported("the library has no backup")
    }
    /// What the library itself says of settings that are in force.
    fn in_force(&self) -> Vec<(&'static str, String)> {
        Vec::new()
    }
    /// Processes that work for it besides this one (engine_abi.h). Closing the store ends them.
    fn processes(&self) -> Vec<i64> {
        Vec::new()
    }
    /// Whether a store of this engine is there.
    fn recognize(_path: &Path) -> Result<bool> {
        unsupported("it does not know its stores by their files")
    }
    /// Removes the files of a store, and nothing else.
    fn destroy(_path: &Path) -> Result<()> {
        unsupported("the library has no call that removes a store")
    }
}

/// One write of a batch.
pub enum Write<'a> {
    Put(&'a [u8], &'a [u8]),
    Erase(&'a [u8]),
}

/// The writes of a batch, where the caller keeps them: nothing is copied.
pub struct Batch<'a>(pub(crate) &'a [lf_entry]);

impl Batch<'_> {
    pub fn iter(&self) -> impl Iterator<Item = Write<'_>> {
        self.0.iter().map(|entry| {
            // SAFETY: the caller of `write` keeps keys and values until it returns.
            unsafe {
                if entry.erase != 0 {
                    Write::Erase(slice(entry.key))
                } else {
                    Write::Put(slice(entry.key), slice(entry.value))
                }
            }
        })
    }
    pub fn len(&self) -> usize {
        self.0.len()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// # Safety
/// `bytes` are there for as long as the slice is used.
#[inline(always)]
pub(crate) unsafe fn slice<'a>(bytes: lf_bytes) -> &'a [u8] {
    if bytes.size == 0 {
        &[]
    } else {
        std::slice::from_raw_parts(bytes.data.cast(), bytes.size)
    }
}

/// A key and its value.
pub type Entry<S> = (<S as Session>::Bytes, <S as Session>::Bytes);

/// One thread's handle. The kit keeps what it hands out until the session's next call, and drops it
/// and the view of a scan before the next write, so that they keep nothing from being reused.
pub trait Session: Sized + 'static {
    /// Owns its bytes, or what keeps them where they are (a guard of the library's).
    type Bytes: AsRef<[u8]>;
    /// The store at one moment: what a scan and a snapshot read.
    type View;
    /// Of a part of a view. The kit takes entries from both ends, so that a scan can turn round.
    type Range: DoubleEndedIterator<Item = Result<Entry<Self>>>;

    /// Whether a view stays as it was while others write. Otherwise there are no snapshots.
    const VIEWS_ARE_SNAPSHOTS: bool = true;

    /// Has every write that was acknowledged before.
    fn view(&mut self) -> Result<Self::View>;
    fn get_in(view: &Self::View, key: &[u8]) -> Result<Option<Self::Bytes>>;
    fn range(view: &Self::View, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Result<Self::Range>;

    fn get(&mut self, key: &[u8]) -> Result<Option<Self::Bytes>> {
        let view = self.view()?;
        Self::get_in(&view, key)
    }
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()>;
    /// An absent key is no error.
    fn erase(&mut self, key: &[u8]) -> Result<()>;
    fn write(&mut self, batch: Batch) -> Result<()>;

    /// From `from` up to, and without, `to`, by one write.
    fn delete_range(&mut self, _from: &[u8], _to: &[u8]) -> Result<()> {
        unsupported("the library erases no range by one write")
    }
    /// One call of the library for all keys.
    fn multi_get(&mut self, _keys: &[&[u8]]) -> Result<Vec<Option<Self::Bytes>>> {
        unsupported("the library gets one key a call")
    }

    /// From here to the commit, `get`, `put` and `erase` are in the transaction.
    fn begin_transaction(&mut self) -> Result<()> {
        unsupported("the library has no transactions")
    }
    fn get_for_update(&mut self, _key: &[u8]) -> Result<Option<Self::Bytes>> {
        unsupported("the library has no transactions")
    }
    fn commit_transaction(&mut self) -> Result<()> {
        unsupported("the library has no transactions")
    }
    /// No error where none is open. Dropping the session rolls back, too.
    fn roll_back_transaction(&mut self) -> Result<()> {
        unsupported("the library has no transactions")
    }
}

/// Text for C, without the bytes that would end it.
pub(crate) fn text(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}
