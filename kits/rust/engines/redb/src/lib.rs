//! redb: a copy-on-write B-tree in one file, `data.redb`, with its own cache. https://docs.rs/redb
//!
//! A session reads by a read transaction of its own for each get and each scan, as the contract
//! wants every acknowledged write to be seen. A value is handed out where it is in redb's page, which
//! the guard keeps. Writers wait for each other.
//!
//! redb syncs a commit or keeps it in its memory. `process` is a synced commit on a file whose
//! syncs are left out: it is in the page cache, where kill -9 cannot reach it.

use levelfield_engine::*;
use redb::backends::FileBackend;
use redb::{
    AccessGuard, BackendError, Database, Durability, ReadOnlyTable, ReadableDatabase,
    StorageBackend, TableDefinition, WriteTransaction,
};
use std::fs::{self, File, OpenOptions};
use std::io::Read;
use std::iter::Map;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Slice = &'static [u8];
const TABLE: TableDefinition<Slice, Slice> = TableDefinition::new("levelfield");
const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";

/// A file that is written to and read as redb's own, and never synced.
#[derive(Debug)]
struct Unsynced(FileBackend);

type Io<T> = std::result::Result<T, std::io::Error>;
type Lock<T> = std::result::Result<T, BackendError>;

impl StorageBackend for Unsynced {
    fn len(&self) -> Io<u64> {
        self.0.len()
    }
    fn read(&self, offset: u64, out: &mut [u8]) -> Io<()> {
        self.0.read(offset, out)
    }
    fn set_len(&self, len: u64) -> Io<()> {
        self.0.set_len(len)
    }
    fn sync_data(&self) -> Io<()> {
        Ok(())
    }
    fn write(&self, offset: u64, data: &[u8]) -> Io<()> {
        self.0.write(offset, data)
    }
    fn close(&self) -> Io<()> {
        self.0.close()
    }
    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Lock<bool> {
        self.0.try_lock_range(start, end)
    }
    fn try_lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Lock<bool> {
        self.0.try_lock_shared_range(start, end)
    }
    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Lock<()> {
        self.0.lock_range(start, end)
    }
    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Lock<()> {
        self.0.lock_shared_range(start, end)
    }
    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Lock<()> {
        self.0.unlock_range(start, end)
    }
    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Lock<bool> {
        self.0.query_lock_range(start, end)
    }
}

/// How each write transaction is committed.
#[derive(Clone, Copy)]
struct Commits {
    durability: Durability,
    two_phase: bool,
    quick_repair: bool,
}

impl Commits {
    fn begin(&self, db: &Database) -> Result<WriteTransaction> {
        let mut transaction = db.begin_write().map_err(failed("begin a write"))?;
        transaction.set_durability(self.durability).map_err(failed("set the durability"))?;
        transaction.set_two_phase_commit(self.two_phase);
        transaction.set_quick_repair(self.quick_repair);
        Ok(transaction)
    }
}

pub struct Redb {
    // Compacting and checking want it alone: no session then has it.
    db: Mutex<Arc<Database>>,
    commits: Commits,
    cache_bytes: u64,
}

impl Redb {
    fn db(&self) -> MutexGuard<'_, Arc<Database>> {
        self.db.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn alone<T>(&self, what: &str, work: impl FnOnce(&mut Database) -> Result<T>) -> Result<T> {
        match Arc::get_mut(&mut *self.db()) {
            Some(db) => work(db),
            None => unsupported(format!("redb can {what} only while no session is open")),
        }
    }

    /// An empty commit that is durable makes all before it durable.
    fn commit_all(&self) -> Result<()> {
        let commits = Commits { durability: Durability::Immediate, ..self.commits };
        commits.begin(&self.db())?.commit().map_err(failed("commit"))
    }
}

fn file_of(path: &Path) -> PathBuf {
    if path.is_dir() {
        path.join("data.redb")
    } else {
        path.to_path_buf()
    }
}

fn recognizes(file: &Path) -> bool {
    let mut head = [0; MAGIC.len()];
    File::open(file).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == MAGIC
}

impl Store for Redb {
    type Session = RedbSession;
    const FACTS: Facts = Facts {
        name: c"redb",
        summary: c"redb: a copy-on-write B-tree in one file, in Rust",
        license: c"MIT OR Apache-2.0",
        capabilities: LF_ONE_WRITER | LF_BATCH_ATOMIC,
        options: &[
            bytes(c"cache_size", c"1G", c"Memory for pages that are read and written (Builder::set_cache_size)."),
            absent(c"write_buffer_size", c"Has no write buffer of its own: pages to be written are a part of its cache."),
            absent(c"block_size", c"Its pages have 4 KiB."),
            absent(c"bloom_bits", c"Has no filter."),
            absent(c"compression", c"Keeps values as they are."),
            absent(c"max_open_files", c"Opens one file."),
            flag(c"two_phase_commit", c"0", c"1 syncs twice a commit, against crafted crashes (WriteTransaction::set_two_phase_commit)."),
            flag(c"quick_repair", c"0", c"1 keeps in each commit what opening after a crash needs (WriteTransaction::set_quick_repair)."),
            END_OF_OPTIONS,
        ],
        durabilities: &durabilities(
            (LF_D0_NONE, c"Durability::None: commits stay in redb's memory until a durable one, at the latest when it is closed"),
            (LF_D1_PROCESS, c"Durability::Immediate on a file whose syncs are left out; a power cut can break it"),
            (LF_D4_SYNCED, c"Durability::Immediate: each commit syncs the file"),
        ),
        alternatives: &[
            alternative(
                c"quick_repair",
                c"quick_repair=1",
                c"process,synced",
                c"Slower commits, and opening after a crash takes no walk through the whole file.",
                c"https://docs.rs/redb/latest/redb/struct.WriteTransaction.html#method.set_quick_repair",
            ),
            END_OF_ALTERNATIVES,
        ],
    };

    fn describe() -> Vec<(&'static str, String)> {
        vec![
            ("version", env!("LEVELFIELD_LIBRARY_VERSION").into()),
            ("released", "2026".into()),
            ("build", concat!("the crate redb, ", env!("LEVELFIELD_RUSTC"), ", release, lto=thin").into()),
            ("assertions", "off".into()),
            ("checksums", "xxh3 of each page".into()),
            ("compared", "when a store is opened after a crash, and by check_integrity".into()),
        ]
    }

    fn check(settings: &Settings) -> Result<()> {
        settings.in_range("redb", "cache_size", 0, 1 << 46)
    }

    fn open(directory: &Path, settings: &Settings) -> Result<Self> {
        let file = file_of(directory);
        let class = settings.durability();
        let commits = Commits {
            durability: if class == "none" { Durability::None } else { Durability::Immediate },
            two_phase: settings.flag("two_phase_commit", false),
            quick_repair: settings.flag("quick_repair", false),
        };
        let cache_bytes = settings.number("cache_size", 1 << 30);
        if file.exists() && fs::metadata(&file).is_ok_and(|of| of.len() > 0) && !recognizes(&file) {
            return Err(Error::Failed(format!("{} is no file of redb", file.display())));
        }
        let mut builder = Database::builder();
        builder.set_cache_size(cache_bytes as usize);
        let db = if class == "synced" {
            builder.create(&file)
        } else {
            OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&file)
                .map_err(|error| redb::DatabaseError::Storage(error.into()))
                .and_then(FileBackend::new)
                .and_then(|backend| builder.create_with_backend(Unsynced(backend)))
        };
        let db = db.map_err(|error| {
            let text = format!("cannot open {}: {error}", file.display());
            match error {
                redb::DatabaseError::Storage(redb::StorageError::Corrupted(_)) => Error::Damaged(text),
                _ => Error::Failed(text),
            }
        })?;
        let store = Redb { db: Mutex::new(Arc::new(db)), commits, cache_bytes };
        let transaction = commits.begin(&store.db())?;
        transaction.open_table(TABLE).map_err(failed("make the table"))?;
        transaction.commit().map_err(failed("make the table"))?;
        Ok(store)
    }

    fn close(self) -> Result<()> {
        self.commit_all()?;
        let db = Arc::into_inner(self.db.into_inner().unwrap_or_else(PoisonError::into_inner));
        db.map_or(Ok(()), |db| db.close().map_err(failed("close")))
    }

    fn begin_session(&self) -> Result<RedbSession> {
        Ok(RedbSession { transaction: None, db: self.db().clone(), commits: self.commits })
    }

    fn sync(&self) -> Result<()> {
        if matches!(self.commits.durability, Durability::None) {
            return self.commit_all();
        }
        Ok(())
    }

    fn compact(&self) -> Result<()> {
        self.alone("compact", |db| {
            while db.compact().map_err(failed("compact"))? {}
            Ok(())
        })
    }

    fn property(&self, name: &str) -> Result<String> {
        match name {
            "options" => Ok(format!(
                "cache_size={}\ndurability={:?}\ntwo_phase_commit={}\nquick_repair={}\n",
                self.cache_bytes,
                self.commits.durability,
                u8::from(self.commits.two_phase),
                u8::from(self.commits.quick_repair)
            )),
            "stats" => {
                let transaction = self.commits.begin(&self.db())?;
                let stats = transaction.stats().map_err(failed("ask for stats"))?;
                Ok(format!("{stats:?}\n"))
            }
            "check" => self.alone("check", |db| match db.check_integrity() {
                Ok(true) => Ok("check_integrity finds nothing wrong".into()),
                Ok(false) => Err(Error::Damaged("check_integrity found damage and repaired it".into())),
                Err(error) => Err(Error::Damaged(format!("check_integrity: {error}"))),
            }),
            _ => unsupported(format!("redb has no property {name}")),
        }
    }

    fn recognize(path: &Path) -> Result<bool> {
        Ok(recognizes(&file_of(path)))
    }

    fn destroy(path: &Path) -> Result<()> {
        let file = file_of(path);
        if recognizes(&file) {
            fs::remove_file(&file).map_err(failed("remove the file"))?;
        }
        Ok(())
    }
}

pub struct RedbSession {
    transaction: Option<WriteTransaction>, // The session's own; dropped before the database.
    db: Arc<Database>,
    commits: Commits,
}

/// In redb's page, or copied out of the session's own transaction.
pub enum Found {
    There(AccessGuard<'static, Slice>),
    Copied(Vec<u8>),
}

impl AsRef<[u8]> for Found {
    fn as_ref(&self) -> &[u8] {
        match self {
            Found::There(guard) => guard.value(),
            Found::Copied(bytes) => bytes,
        }
    }
}

type Guards = (AccessGuard<'static, Slice>, AccessGuard<'static, Slice>);
type Stepped = redb::Result<Guards, redb::StorageError>;
type Entries = Map<redb::Range<'static, Slice, Slice>, fn(Stepped) -> Result<(Found, Found)>>;

fn entry(of: Stepped) -> Result<(Found, Found)> {
    let (key, value) = of.map_err(failed("step a scan"))?;
    Ok((Found::There(key), Found::There(value)))
}

impl RedbSession {
    /// In the open transaction, or in one of its own.
    fn change(&mut self, work: impl FnOnce(&mut redb::Table<Slice, Slice>) -> redb::Result<(), redb::StorageError>) -> Result<()> {
        let own = match &self.transaction {
            Some(_) => None,
            None => Some(self.commits.begin(&self.db)?),
        };
        let transaction = self.transaction.as_ref().or(own.as_ref()).expect("one of the two");
        let mut table = transaction.open_table(TABLE).map_err(failed("open the table"))?;
        work(&mut table).map_err(failed("write"))?;
        drop(table);
        own.map_or(Ok(()), |own| own.commit().map_err(failed("commit")))
    }
}

impl Session for RedbSession {
    type Bytes = Found;
    type View = ReadOnlyTable<Slice, Slice>;
    type Range = Entries;

    fn view(&mut self) -> Result<Self::View> {
        let transaction = self.db.begin_read().map_err(failed("begin a read"))?;
        transaction.open_table(TABLE).map_err(failed("open the table"))
    }
    fn get_in(view: &Self::View, key: &[u8]) -> Result<Option<Found>> {
        Ok(view.get(key).map_err(failed("get"))?.map(Found::There))
    }
    fn range(view: &Self::View, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Result<Entries> {
        let range = view.range::<&[u8]>((from, to)).map_err(failed("begin a scan"))?;
        Ok(range.map(entry as fn(Stepped) -> _))
    }
    fn get(&mut self, key: &[u8]) -> Result<Option<Found>> {
        if self.transaction.is_some() {
            return self.get_for_update(key);
        }
        Self::get_in(&self.view()?, key)
    }
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        self.change(|table| table.insert(key, value).map(drop))
    }
    fn erase(&mut self, key: &[u8]) -> Result<()> {
        self.change(|table| table.remove(key).map(drop))
    }
    fn write(&mut self, batch: Batch) -> Result<()> {
        self.change(|table| {
            for one in batch.iter() {
                match one {
                    Write::Put(key, value) => drop(table.insert(key, value)?),
                    Write::Erase(key) => drop(table.remove(key)?),
                }
            }
            Ok(())
        })
    }

    // Others wait for it, so nothing that it read can change before its commit.
    fn begin_transaction(&mut self) -> Result<()> {
        self.transaction = Some(self.commits.begin(&self.db)?);
        Ok(())
    }
    fn get_for_update(&mut self, key: &[u8]) -> Result<Option<Found>> {
        use redb::ReadableTable;
        let transaction = self.transaction.as_ref().expect("a transaction is open");
        let table = transaction.open_table(TABLE).map_err(failed("open the table"))?;
        let found = table.get(key).map_err(failed("get"))?;
        Ok(found.map(|guard| Found::Copied(guard.value().to_vec())))
    }
    fn commit_transaction(&mut self) -> Result<()> {
        let transaction = self.transaction.take().expect("a transaction is open");
        transaction.commit().map_err(failed("commit"))
    }
    fn roll_back_transaction(&mut self) -> Result<()> {
        self.transaction.take().map_or(Ok(()), |open| open.abort().map_err(failed("roll back")))
    }
}

export_engine!(Redb);
