//! `include/levelfield/engine_abi.h`, member for member. The names are those of the header, where
//! the meaning of each is written. The tests compare offsets with it (`tests/header.rs`).
#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_int, c_void};

#[repr(C)]
#[derive(Clone, Copy)]
pub struct lf_bytes {
    pub data: *const c_char,
    pub size: usize,
}

pub type lf_code = c_int;
pub const LF_OK: lf_code = 0;
pub const LF_NOT_FOUND: lf_code = 1;
pub const LF_UNSUPPORTED: lf_code = 2;
pub const LF_FAILED: lf_code = 3;
pub const LF_CONFLICT: lf_code = 4;

pub const LF_BYTES: c_int = 0;
pub const LF_COUNT: c_int = 1;
pub const LF_FLAG: c_int = 2;
pub const LF_CHOICE: c_int = 3;
pub const LF_TEXT: c_int = 4;
pub const LF_ABSENT: c_int = 5;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct lf_option {
    pub name: *const c_char,
    pub kind: c_int,
    pub default_value: *const c_char,
    pub choices: *const c_char,
    pub help: *const c_char,
}

pub const LF_D0_NONE: c_int = 0;
pub const LF_D1_PROCESS: c_int = 1;
pub const LF_D2_FLUSHED: c_int = 2;
pub const LF_D3_BOUNDED: c_int = 3;
pub const LF_D4_SYNCED: c_int = 4;
pub const LF_REFUSED: c_int = 5;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct lf_durability {
    pub name: *const c_char,
    pub level: c_int,
    pub settings: *const c_char,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct lf_alternative {
    pub name: *const c_char,
    pub settings: *const c_char,
    pub classes: *const c_char,
    pub because: *const c_char,
    pub link: *const c_char,
}

pub const LF_FLOOR: u32 = 1 << 0;
pub const LF_VOLATILE: u32 = 1 << 1;
pub const LF_NO_ANSWERS: u32 = 1 << 2;
pub const LF_ONE_WRITER: u32 = 1 << 3;
pub const LF_BATCH_ATOMIC: u32 = 1 << 4;
pub const LF_INTEGER_KEYS: u32 = 1 << 5;
pub const LF_MORE_OPTIONS: u32 = 1 << 6;
pub const LF_BY_NAME: u32 = 1 << 7;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct lf_setting {
    pub name: *const c_char,
    pub value: *const c_char,
}

/// Opaque: what they point to is the kit's.
pub enum lf_store {}
pub enum lf_session {}
pub enum lf_snapshot {}

pub const LF_FIRST: c_int = 0;
pub const LF_LAST: c_int = 1;
pub const LF_AT_OR_AFTER: c_int = 2;
pub const LF_AT_OR_BEFORE: c_int = 3;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct lf_entry {
    pub key: lf_bytes,
    pub value: lf_bytes,
    pub erase: c_int,
}

pub type FactSink = unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char);
pub type CountSink = unsafe extern "C" fn(*mut c_void, *const c_char, u64);
pub type NameSink = unsafe extern "C" fn(*mut c_void, *const c_char);
pub type ProcessSink = unsafe extern "C" fn(*mut c_void, i64);
pub type OverriddenSink =
    unsafe extern "C" fn(*mut c_void, *const c_char, *const c_char, *const c_char);

type OnStore = Option<unsafe extern "C" fn(*mut lf_store) -> lf_code>;
type OnSession = Option<unsafe extern "C" fn(*mut lf_session) -> lf_code>;
type Read = Option<unsafe extern "C" fn(*mut lf_session, lf_bytes, *mut lf_bytes) -> lf_code>;
type Write = Option<unsafe extern "C" fn(*mut lf_session, lf_bytes, lf_bytes) -> lf_code>;
type Step = Option<unsafe extern "C" fn(*mut lf_session, *mut lf_bytes, *mut lf_bytes) -> lf_code>;
type OnPath = Option<unsafe extern "C" fn(*const c_char) -> lf_code>;

#[repr(C)]
pub struct lf_engine {
    pub struct_bytes: usize,
    pub name: *const c_char,
    pub summary: *const c_char,
    pub license: *const c_char,
    pub capabilities: u32,
    pub options: *const lf_option,
    pub durabilities: *const lf_durability,
    pub load: OnPath,
    pub describe: Option<unsafe extern "C" fn(*mut c_void, FactSink)>,
    pub last_error: Option<unsafe extern "C" fn() -> *const c_char>,
    pub open: Option<
        unsafe extern "C" fn(*const c_char, *const lf_setting, usize, *mut *mut lf_store) -> lf_code,
    >,
    pub close: OnStore,
    pub begin_session:
        Option<unsafe extern "C" fn(*mut lf_store, *mut *mut lf_session) -> lf_code>,
    pub end_session: Option<unsafe extern "C" fn(*mut lf_session)>,
    pub get: Read,
    pub put: Write,
    pub erase: Option<unsafe extern "C" fn(*mut lf_session, lf_bytes) -> lf_code>,
    pub write: Option<unsafe extern "C" fn(*mut lf_session, *const lf_entry, usize) -> lf_code>,
    pub seek: Option<
        unsafe extern "C" fn(*mut lf_session, c_int, lf_bytes, *mut lf_bytes, *mut lf_bytes) -> lf_code,
    >,
    pub next: Step,
    pub prev: Step,
    pub sync: OnStore,
    pub compact: OnStore,
    pub size_on_disk: Option<unsafe extern "C" fn(*mut lf_store, *mut u64) -> lf_code>,
    pub property:
        Option<unsafe extern "C" fn(*mut lf_store, *const c_char, *mut *const c_char) -> lf_code>,
    pub properties: *const *const c_char,
    pub counters: Option<unsafe extern "C" fn(*mut lf_store, *mut c_void, CountSink)>,
    pub recognize: OnPath,
    pub destroy: OnPath,
    pub repair: Option<unsafe extern "C" fn(*const c_char, *const lf_setting, usize) -> lf_code>,
    pub compact_range: Option<unsafe extern "C" fn(*mut lf_store, lf_bytes, lf_bytes) -> lf_code>,
    pub approximate_bytes:
        Option<unsafe extern "C" fn(*mut lf_store, lf_bytes, lf_bytes, *mut u64) -> lf_code>,
    pub take_snapshot:
        Option<unsafe extern "C" fn(*mut lf_session, *mut *mut lf_snapshot) -> lf_code>,
    pub release_snapshot: Option<unsafe extern "C" fn(*mut lf_session, *mut lf_snapshot)>,
    pub get_at: Option<
        unsafe extern "C" fn(*mut lf_session, *mut lf_snapshot, lf_bytes, *mut lf_bytes) -> lf_code,
    >,
    pub merge: Write,
    pub multi_get: Option<
        unsafe extern "C" fn(
            *mut lf_session,
            *const lf_bytes,
            usize,
            *mut lf_bytes,
            *mut lf_code,
        ) -> lf_code,
    >,
    pub delete_range: Write,
    pub flush: OnStore,
    pub wait_for_background: OnStore,
    pub backup: Option<unsafe extern "C" fn(*mut lf_store, *const c_char) -> lf_code>,
    pub restore: Option<unsafe extern "C" fn(*const c_char, *const c_char) -> lf_code>,
    pub verify_checksums: OnStore,
    pub begin_transaction: OnSession,
    pub get_for_update: Read,
    pub commit_transaction: OnSession,
    pub roll_back_transaction: OnSession,
    pub new_iterator: OnSession,
    pub activities: Option<unsafe extern "C" fn(*mut lf_store, *mut c_void, NameSink)>,
    pub overridden: Option<unsafe extern "C" fn(*mut lf_store, *mut c_void, OverriddenSink)>,
    pub alternatives: *const lf_alternative,
    pub in_force: Option<unsafe extern "C" fn(*mut lf_store, *mut c_void, FactSink)>,
    pub last_error_is_damage: Option<unsafe extern "C" fn() -> c_int>,
    pub compact_level: Option<unsafe extern "C" fn(*mut lf_store, u32) -> lf_code>,
    pub processes: Option<unsafe extern "C" fn(*mut lf_store, *mut c_void, ProcessSink)>,
    pub round_trip: OnSession,
    pub submit:
        Option<unsafe extern "C" fn(*mut lf_session, c_int, lf_bytes, lf_bytes) -> lf_code>,
    pub poll: Option<unsafe extern "C" fn(*mut lf_session, u64, *mut lf_bytes) -> lf_code>,
}
