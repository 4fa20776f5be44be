//! Why a call could not be carried out, and what the table tells of it: a code, and a text that
//! belongs to the thread until its next error.

use crate::abi::*;
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{c_char, c_int};
use std::fmt::Display;
use std::panic::{catch_unwind, AssertUnwindSafe};

#[derive(Debug)]
pub enum Error {
    /// The engine cannot do this, for this reason. An answer, not a failure.
    Unsupported(String),
    /// The harness ends the run of this engine.
    Failed(String),
    /// Failed, because something wrong was found in the store's files.
    Damaged(String),
    /// Of calls of a transaction alone: another one was in the way.
    Conflict(String),
}

pub type Result<T> = std::result::Result<T, Error>;

pub fn unsupported<T>(reason: impl Display) -> Result<T> {
    Err(Error::Unsupported(reason.to_string()))
}

/// For `map_err`: `db.put(..).map_err(failed("put"))`.
pub fn failed<E: Display>(what: &'static str) -> impl FnOnce(E) -> Error {
    move |error| Error::Failed(format!("cannot {what}: {error}"))
}

struct LastError {
    text: Vec<u8>, // Ends with a NUL, or is empty.
    is_damage: bool,
}

thread_local! {
    static LAST: RefCell<LastError> = const { RefCell::new(LastError { text: Vec::new(), is_damage: false }) };
}

impl Error {
    /// Keeps the text for `last_error`.
    pub(crate) fn into_code(self) -> lf_code {
        let (code, text, is_damage) = match self {
            Error::Unsupported(text) => (LF_UNSUPPORTED, text, false),
            Error::Failed(text) => (LF_FAILED, text, false),
            Error::Damaged(text) => (LF_FAILED, text, true),
            Error::Conflict(text) => (LF_CONFLICT, text, false),
        };
        let mut bytes = text.into_bytes();
        bytes.retain(|byte| *byte != 0);
        bytes.push(0);
        LAST.with(|last| *last.borrow_mut() = LastError { text: bytes, is_damage });
        code
    }
}

pub(crate) extern "C" fn last_error() -> *const c_char {
    LAST.with(|last| {
        let last = last.borrow();
        if last.text.is_empty() { c"".as_ptr() } else { last.text.as_ptr().cast() }
    })
}

pub(crate) extern "C" fn last_error_is_damage() -> c_int {
    LAST.with(|last| c_int::from(last.borrow().is_damage))
}

/// Runs what stands behind an entry of the table. A panic ends here and is an error: it must not
/// cross into C.
#[inline(always)]
pub(crate) fn answer(work: impl FnOnce() -> Result<lf_code>) -> lf_code {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(code)) => code,
        Ok(Err(error)) => error.into_code(),
        Err(panic) => panicked(&*panic).into_code(),
    }
}

#[cold]
fn panicked(panic: &(dyn Any + Send)) -> Error {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| text.to_string())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "without a message".to_string());
    Error::Failed(format!("panicked: {text}"))
}
