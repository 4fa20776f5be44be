//! Plug-ins of engines for Levelfield in safe Rust. An engine implements [`Store`] and [`Session`]
//! and exports them:
//!
//! ```ignore
//! levelfield_engine::export_engine!(MyStore);
//! ```
//!
//! in a crate of type `cdylib`, whose library Levelfield loads: `levelfield run
//! --engine=./target/release/libmine.so`. The kit keeps what was handed out as long as C may read
//! it, turns scans round, and makes errors of panics. `kits/rust/engines/map` is a complete one.

pub mod abi;
mod engine;
mod error;
mod library;
mod settings;
mod table;

pub use abi::{
    LF_BATCH_ATOMIC, LF_BY_NAME, LF_D0_NONE, LF_D1_PROCESS, LF_D2_FLUSHED, LF_D3_BOUNDED,
    LF_D4_SYNCED, LF_FLOOR, LF_NO_ANSWERS, LF_ONE_WRITER, LF_REFUSED, LF_VOLATILE,
};
pub use engine::{Batch, Entry, Facts, Session, Store, Write};
pub use error::{failed, unsupported, Error, Result};
pub use settings::{
    absent, alternative, bytes, choice, count, durabilities, flag, without_common_options, Settings,
    END_OF_ALTERNATIVES, END_OF_OPTIONS,
};
pub use table::{table, Table};

/// Exports the one symbol of a plug-in.
#[macro_export]
macro_rules! export_engine {
    ($store:ty) => {
        static LEVELFIELD_TABLE: $crate::Table = $crate::table::<$store>();
        #[no_mangle]
        pub extern "C" fn levelfield_engine() -> *const $crate::abi::lf_engine {
            &LEVELFIELD_TABLE.0
        }
    };
}
