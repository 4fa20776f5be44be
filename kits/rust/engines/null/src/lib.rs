//! Does nothing, as fast as possible: what the crate's table costs beside C++'s (`make
//! benchmarks`). It answers as `engines/null.cc` does.

use levelfield_engine::*;
use std::ops::Bound;
use std::path::Path;
use std::sync::Arc;

pub struct Null(Arc<[u8]>);

pub struct Idle(&'static [u8]);

impl Store for Null {
    type Session = Idle;
    const FACTS: Facts = Facts {
        name: c"null_rust",
        summary: c"does nothing, in Rust: the price of the Rust kit",
        license: c"BSD-3-Clause",
        capabilities: LF_FLOOR | LF_VOLATILE | LF_NO_ANSWERS | LF_BY_NAME,
        options: &without_common_options(c"Keeps nothing."),
        durabilities: &durabilities(
            (LF_D0_NONE, c"keeps nothing"),
            (LF_D0_NONE, c"a baseline: accepted, and nothing is kept"),
            (LF_D0_NONE, c"a baseline: accepted, and nothing is kept"),
        ),
        alternatives: &[END_OF_ALTERNATIVES],
    };

    fn describe() -> Vec<(&'static str, String)> {
        vec![("version", "1".into())]
    }
    fn open(_: &Path, settings: &Settings) -> Result<Self> {
        let bytes = settings.number("expected_value_bytes", 100) as usize;
        Ok(Null(vec![b'x'; bytes].into()))
    }
    fn close(self) -> Result<()> {
        Ok(())
    }
    fn begin_session(&self) -> Result<Idle> {
        Ok(Idle(Box::leak(self.0.to_vec().into_boxed_slice())))
    }
    fn sync(&self) -> Result<()> {
        Ok(())
    }
    fn compact(&self) -> Result<()> {
        Ok(())
    }
}

const KEY: &[u8] = b"0000000000000000";

pub struct Endless(&'static [u8]);

impl Iterator for Endless {
    type Item = Result<(&'static [u8], &'static [u8])>;
    fn next(&mut self) -> Option<Self::Item> {
        Some(Ok((KEY, self.0)))
    }
}
impl DoubleEndedIterator for Endless {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.next()
    }
}

impl Session for Idle {
    type Bytes = &'static [u8];
    type View = &'static [u8];
    type Range = Endless;

    fn view(&mut self) -> Result<&'static [u8]> {
        Ok(self.0)
    }
    fn get_in(view: &&'static [u8], _: &[u8]) -> Result<Option<&'static [u8]>> {
        Ok(Some(view))
    }
    fn range(view: &&'static [u8], _: Bound<&[u8]>, _: Bound<&[u8]>) -> Result<Endless> {
        Ok(Endless(view))
    }
    fn put(&mut self, _: &[u8], _: &[u8]) -> Result<()> {
        Ok(())
    }
    fn erase(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }
    fn write(&mut self, _: Batch) -> Result<()> {
        Ok(())
    }
}

export_engine!(Null);
