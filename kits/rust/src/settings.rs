//! The settings that `open` is given, and the constant tables that an engine states: its options,
//! durability classes and alternatives. Their texts are `c"..."`, because C reads them.

use crate::abi::*;
use crate::error::{unsupported, Result};
use std::ffi::{c_int, CStr};
use std::ptr::null;

/// Settings by name. The harness has checked them against the engine's options.
pub struct Settings<'a> {
    all: Vec<(&'a str, &'a str)>,
}

impl<'a> Settings<'a> {
    /// # Safety
    /// `settings` points to `count` settings, whose texts live as long as `'a`.
    pub unsafe fn new(settings: *const lf_setting, count: usize) -> Self {
        let settings: &'a [lf_setting] =
            if count == 0 { &[] } else { std::slice::from_raw_parts(settings, count) };
        let text = |text| CStr::from_ptr(text).to_str().unwrap_or("");
        Settings { all: settings.iter().map(|one| (text(one.name), text(one.value))).collect() }
    }

    /// Refuses a number outside of the range, which the library might clip in silence.
    pub fn in_range(&self, library: &str, name: &str, least: u64, most: u64) -> Result<()> {
        let number = self.number(name, least);
        if (least..=most).contains(&number) {
            return Ok(());
        }
        unsupported(format!("{library} takes a {name} from {least} to {most}, not {number}"))
    }
    pub fn text(&self, name: &str) -> Option<&'a str> {
        self.all.iter().find(|(of, _)| *of == name).map(|(_, value)| *value)
    }
    pub fn number(&self, name: &str, otherwise: u64) -> u64 {
        self.text(name).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    }
    pub fn flag(&self, name: &str, otherwise: bool) -> bool {
        self.text(name).map_or(otherwise, |text| text == "1")
    }
    /// "none", "process" or "synced".
    pub fn durability(&self) -> &'a str {
        self.text("durability").unwrap_or("process")
    }
}

const fn option(
    name: &'static CStr,
    kind: c_int,
    default_value: &'static CStr,
    choices: Option<&'static CStr>,
    help: &'static CStr,
) -> lf_option {
    lf_option {
        name: name.as_ptr(),
        kind,
        default_value: default_value.as_ptr(),
        choices: match choices {
            Some(choices) => choices.as_ptr(),
            None => null(),
        },
        help: help.as_ptr(),
    }
}

pub const fn bytes(name: &'static CStr, default: &'static CStr, help: &'static CStr) -> lf_option {
    option(name, LF_BYTES, default, None, help)
}
pub const fn count(name: &'static CStr, default: &'static CStr, help: &'static CStr) -> lf_option {
    option(name, LF_COUNT, default, None, help)
}
pub const fn flag(name: &'static CStr, default: &'static CStr, help: &'static CStr) -> lf_option {
    option(name, LF_FLAG, default, None, help)
}
pub const fn choice(
    name: &'static CStr,
    default: &'static CStr,
    choices: &'static CStr,
    help: &'static CStr,
) -> lf_option {
    option(name, LF_CHOICE, default, Some(choices), help)
}
/// The engine has no such part; `why` says so in a sentence.
pub const fn absent(name: &'static CStr, why: &'static CStr) -> lf_option {
    lf_option {
        name: name.as_ptr(),
        kind: LF_ABSENT,
        default_value: null(),
        choices: null(),
        help: why.as_ptr(),
    }
}
/// The common options, none of which an engine has, for that reason: its whole table, if it has no
/// others.
pub const fn without_common_options(why: &'static CStr) -> [lf_option; 7] {
    [
        absent(c"cache_size", why),
        absent(c"write_buffer_size", why),
        absent(c"block_size", why),
        absent(c"bloom_bits", why),
        absent(c"compression", why),
        absent(c"max_open_files", why),
        END_OF_OPTIONS,
    ]
}
/// The last row of a table of options.
pub const END_OF_OPTIONS: lf_option =
    lf_option { name: null(), kind: LF_ABSENT, default_value: null(), choices: null(), help: null() };

/// What the classes `none`, `process` and `synced` keep, each with the native settings.
pub const fn durabilities(
    none: (c_int, &'static CStr),
    process: (c_int, &'static CStr),
    synced: (c_int, &'static CStr),
) -> [lf_durability; 4] {
    const fn row(name: &'static CStr, of: (c_int, &'static CStr)) -> lf_durability {
        lf_durability { name: name.as_ptr(), level: of.0, settings: of.1.as_ptr() }
    }
    [
        row(c"none", none),
        row(c"process", process),
        row(c"synced", synced),
        lf_durability { name: null(), level: LF_REFUSED, settings: null() },
    ]
}

pub const fn alternative(
    name: &'static CStr,
    settings: &'static CStr,
    classes: &'static CStr,
    because: &'static CStr,
    link: &'static CStr,
) -> lf_alternative {
    lf_alternative {
        name: name.as_ptr(),
        settings: settings.as_ptr(),
        classes: classes.as_ptr(),
        because: because.as_ptr(),
        link: link.as_ptr(),
    }
}
pub const END_OF_ALTERNATIVES: lf_alternative = lf_alternative {
    name: null(),
    settings: null(),
    classes: null(),
    because: null(),
    link: null(),
};
