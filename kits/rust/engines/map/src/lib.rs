//! A map in memory: the smallest engine that passes conformance, and what `levelfield new engine
//! --language=rust` begins with.

use levelfield_engine::*;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, RwLock};

/// All sessions share it: here stands a handle of your library.
#[derive(Clone, Default)]
pub struct Map(Arc<RwLock<BTreeMap<Vec<u8>, Arc<[u8]>>>>);

impl Store for Map {
    type Session = MapSession;
    const FACTS: Facts = Facts {
        name: c"map_rust",
        summary: c"a map in memory, in Rust",
        license: c"BSD-3-Clause",
        // A store that keeps its entries has LF_BATCH_ATOMIC alone, or nothing.
        capabilities: LF_FLOOR | LF_VOLATILE | LF_BATCH_ATOMIC | LF_BY_NAME,
        options: &without_common_options(c"Everything is in memory."),
        durabilities: &durabilities(
            (LF_D0_NONE, c"keeps everything in memory"),
            (LF_D0_NONE, c"a baseline: kept in memory"),
            (LF_D0_NONE, c"a baseline: kept in memory"),
        ),
        alternatives: &[END_OF_ALTERNATIVES],
    };

    fn describe() -> Vec<(&'static str, String)> {
        vec![("version", env!("CARGO_PKG_VERSION").into())]
    }
    fn open(_: &Path, _: &Settings) -> Result<Self> {
        Ok(Map::default())
    }
    fn close(self) -> Result<()> {
        Ok(())
    }
    fn begin_session(&self) -> Result<MapSession> {
        Ok(MapSession(self.clone()))
    }
    fn sync(&self) -> Result<()> {
        Ok(())
    }
    fn compact(&self) -> Result<()> {
        Ok(())
    }
}

pub struct MapSession(Map);

/// Looks up each entry when it is asked for.
pub struct Entries {
    map: Map,
    from: Bound<Vec<u8>>,
    to: Bound<Vec<u8>>,
}

impl Iterator for Entries {
    type Item = Result<(Arc<[u8]>, Arc<[u8]>)>;
    fn next(&mut self) -> Option<Self::Item> {
        let map = self.map.0.read().unwrap();
        let (key, value) = map.range((self.from.clone(), self.to.clone())).next()?;
        self.from = Bound::Excluded(key.clone());
        Some(Ok((key.as_slice().into(), value.clone())))
    }
}
impl DoubleEndedIterator for Entries {
    fn next_back(&mut self) -> Option<Self::Item> {
        let map = self.map.0.read().unwrap();
        let (key, value) = map.range((self.from.clone(), self.to.clone())).next_back()?;
        self.to = Bound::Excluded(key.clone());
        Some(Ok((key.as_slice().into(), value.clone())))
    }
}

impl Session for MapSession {
    type Bytes = Arc<[u8]>;
    type View = Map;
    type Range = Entries;
    const VIEWS_ARE_SNAPSHOTS: bool = false;

    fn view(&mut self) -> Result<Map> {
        Ok(self.0.clone())
    }
    fn get_in(view: &Map, key: &[u8]) -> Result<Option<Arc<[u8]>>> {
        Ok(view.0.read().unwrap().get(key).cloned())
    }
    fn range(view: &Map, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Result<Entries> {
        let (from, to) = (from.map(<[u8]>::to_vec), to.map(<[u8]>::to_vec));
        Ok(Entries { map: view.clone(), from, to })
    }
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.0.0.write().unwrap().insert(key.to_vec(), value.into());
        Ok(())
    }
    fn erase(&mut self, key: &[u8]) -> Result<()> {
        self.0.0.write().unwrap().remove(key);
        Ok(())
    }
    fn write(&mut self, batch: Batch) -> Result<()> {
        let mut map = self.0.0.write().unwrap();
        for one in batch.iter() {
            match one {
                Write::Put(key, value) => drop(map.insert(key.to_vec(), value.into())),
                Write::Erase(key) => drop(map.remove(key)),
            }
        }
        Ok(())
    }
}

export_engine!(Map);
