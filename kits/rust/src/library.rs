//! Which file holds the engine's code: the plug-in itself, as Rust links libraries into it.

use std::ffi::{c_char, c_int, c_void, CStr};

#[repr(C)]
struct DlInfo {
    file: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

extern "C" {
    fn dladdr(address: *const c_void, info: *mut DlInfo) -> c_int;
}

/// Empty if it is not known.
pub(crate) fn path_of(function: *const c_void) -> String {
    let mut info = DlInfo {
        file: std::ptr::null(),
        base: std::ptr::null_mut(),
        symbol: std::ptr::null(),
        address: std::ptr::null_mut(),
    };
    // SAFETY: dladdr reads the address and fills the struct; the text belongs to the loader.
    let file = unsafe {
        if dladdr(function, &mut info) == 0 || info.file.is_null() {
            return String::new();
        }
        CStr::from_ptr(info.file).to_string_lossy().into_owned()
    };
    std::fs::canonicalize(&file).map_or(file, |path| path.to_string_lossy().into_owned())
}
