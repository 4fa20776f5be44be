//! fjall: a log-structured merge tree in Rust, after LevelDB and RocksDB. https://docs.rs/fjall
//!
//! The store is one keyspace, `default`. Values are counted references to its blocks. Scans and
//! snapshots read a snapshot of the database, and a get reads the newest.

use fjall::config::{
    BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry,
};
use fjall::{
    CompressionType, Database, Keyspace, KeyspaceCreateOptions, PersistMode, Readable, Snapshot,
};
use levelfield_engine::*;
use std::fs;
use std::iter::Map;
use std::ops::Bound;
use std::path::Path;
use std::time::Duration;

const NEEDS_A_KEY: &str = "fjall takes keys of 1 to 65,535 bytes";

pub struct Fjall {
    keyspace: Keyspace,
    db: Database,
    class: Class,
    options: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    None,
    Process,
    Synced,
}

impl Class {
    /// What follows a write. A single write hands itself to the operating system, and a batch only
    /// where it is told so (fjall 3.1.13, WriteBatch::commit).
    fn of_batch(self) -> Option<PersistMode> {
        match self {
            Class::None => None,
            Class::Process => Some(PersistMode::Buffer),
            Class::Synced => Some(PersistMode::SyncData),
        }
    }
}

impl Store for Fjall {
    type Session = FjallSession;
    const FACTS: Facts = Facts {
        name: c"fjall",
        summary: c"fjall: a log-structured merge tree, in Rust",
        license: c"MIT OR Apache-2.0",
        // A get reads the newest of its key, and a batch reaches the memtable entry by entry.
        capabilities: 0,
        options: &[
            bytes(c"cache_size", c"32M", c"Cache of blocks (DatabaseBuilder::cache_size)."),
            bytes(c"write_buffer_size", c"64M", c"Largest memtable (KeyspaceCreateOptions::max_memtable_size)."),
            bytes(c"block_size", c"4k", c"Size of a data block (data_block_size_policy)."),
            count(c"bloom_bits", c"10", c"Bits a key of the Bloom filters of all levels; 0: none (filter_policy)."),
            choice(c"compression", c"none", c"none|lz4", c"Compression of data blocks (data_block_compression_policy)."),
            count(c"max_open_files", c"900", c"Table files that it keeps open (DatabaseBuilder::max_cached_files)."),
            count(c"worker_threads", c"the processors, at most 4", c"Threads that flush and compact (DatabaseBuilder::worker_threads)."),
            bytes(c"max_journaling_size", c"512M", c"Most bytes of journals before memtables are flushed (DatabaseBuilder::max_journaling_size)."),
            END_OF_OPTIONS,
        ],
        durabilities: &durabilities(
            (LF_D0_NONE, c"manual_journal_persist(true): writes stay in the journal's buffer in memory"),
            (LF_D1_PROCESS, c"the default: each write is handed to the operating system"),
            (LF_D4_SYNCED, c"PersistMode::SyncData with each write: fdatasync of the journal"),
        ),
        alternatives: &[
            alternative(
                c"block_16k",
                c"block_size=16k",
                c"none,process,synced",
                c"Blocks of 16 to 64 KiB take less space; gets are faster with 4 to 8.",
                c"https://docs.rs/fjall/latest/fjall/struct.KeyspaceCreateOptions.html#method.data_block_size_policy",
            ),
            END_OF_ALTERNATIVES,
        ],
    };

    fn describe() -> Vec<(&'static str, String)> {
        vec![
            ("version", env!("LEVELFIELD_LIBRARY_VERSION").into()),
            ("released", "2026".into()),
            ("build", concat!("the crate fjall, ", env!("LEVELFIELD_RUSTC"), ", release, lto=thin").into()),
            ("assertions", "off".into()),
            ("compressors", "none, lz4".into()),
            ("checksums", "xxh3 of each block and each batch of the journal".into()),
            ("compared", "each block when it is read from its file, and the journal when it is replayed".into()),
        ]
    }

    fn check(settings: &Settings) -> Result<()> {
        settings.in_range("fjall", "cache_size", 0, 1 << 46)?;
        settings.in_range("fjall", "write_buffer_size", 1 << 10, 1 << 40)?;
        settings.in_range("fjall", "block_size", 1 << 10, 1 << 20)?;
        settings.in_range("fjall", "bloom_bits", 0, 100)?;
        settings.in_range("fjall", "max_open_files", 10, 1 << 20)?;
        settings.in_range("fjall", "worker_threads", 1, 256)?;
        settings.in_range("fjall", "max_journaling_size", 64 << 20, 1 << 46)
    }

    fn open(directory: &Path, settings: &Settings) -> Result<Self> {
        let class = match settings.durability() {
            "none" => Class::None,
            "synced" => Class::Synced,
            _ => Class::Process,
        };
        if !directory.is_dir() {
            return Err(Error::Failed(format!("{} is no directory", directory.display())));
        }
        let mut builder = Database::builder(directory)
            .cache_size(settings.number("cache_size", 32 << 20))
            .manual_journal_persist(class == Class::None);
        if let Some(threads) = settings.text("worker_threads").and_then(|text| text.parse().ok()) {
            builder = builder.worker_threads(threads);
        }
        if let Some(files) = settings.text("max_open_files").and_then(|text| text.parse().ok()) {
            builder = builder.max_cached_files(Some(files));
        }
        if settings.text("max_journaling_size").is_some() {
            builder = builder.max_journaling_size(settings.number("max_journaling_size", 0));
        }
        let db = builder.open().map_err(failed("open"))?;
        let bloom = settings.number("bloom_bits", 10);
        let block = settings.number("block_size", 4 << 10);
        let buffer = settings.number("write_buffer_size", 64 << 20);
        let compression = settings.text("compression").unwrap_or("none");
        let make = || {
            KeyspaceCreateOptions::default()
                .manual_journal_persist(class == Class::None)
                .max_memtable_size(buffer)
                .data_block_size_policy(BlockSizePolicy::all(block as u32))
                .filter_policy(FilterPolicy::all(match bloom {
                    0 => FilterPolicyEntry::None,
                    bits => FilterPolicyEntry::Bloom(BloomConstructionPolicy::BitsPerKey(bits as f32)),
                }))
                .data_block_compression_policy(CompressionPolicy::all(match compression {
                    "lz4" => CompressionType::Lz4,
                    _ => CompressionType::None,
                }))
        };
        let keyspace = db.keyspace("default", make).map_err(failed("open the keyspace"))?;
        let options = format!(
            "cache_size={}\nmax_memtable_size={buffer}\ndata_block_size={block}\nbloom_bits={bloom}\n\
             compression={compression}\nmanual_journal_persist={}\n",
            db.cache_capacity(),
            u8::from(class == Class::None),
        );
        Ok(Fjall { keyspace, db, class, options })
    }

    fn close(self) -> Result<()> {
        let mode = if self.class == Class::Synced { PersistMode::SyncData } else { PersistMode::Buffer };
        self.db.persist(mode).map_err(failed("write the journal"))
    }

    fn begin_session(&self) -> Result<FjallSession> {
        Ok(FjallSession {
            keyspace: self.keyspace.clone(),
            db: self.db.clone(),
            class: self.class,
        })
    }

    fn sync(&self) -> Result<()> {
        self.db.persist(PersistMode::SyncData).map_err(failed("sync"))
    }

    fn compact(&self) -> Result<()> {
        self.flush()?;
        self.keyspace.major_compact().map_err(failed("compact"))
    }

    fn flush(&self) -> Result<()> {
        self.keyspace.rotate_memtable_and_wait().map_err(failed("flush"))
    }

    fn wait_for_background(&self) -> Result<()> {
        // It tells how many there are, and has no call that waits for them.
        while self.db.outstanding_flushes() > 0 || self.db.active_compactions() > 0 {
            std::thread::sleep(Duration::from_millis(1));
        }
        Ok(())
    }

    fn property(&self, name: &str) -> Result<String> {
        match name {
            "options" => Ok(self.options.clone()),
            "stats" => Ok(format!(
                "tables={}\ntables_of_level_0={}\njournals={}\nwrite_buffer_bytes={}\n\
                 compactions_completed={}\n",
                self.keyspace.table_count(),
                self.keyspace.l0_table_count(),
                self.db.journal_count(),
                self.db.write_buffer_size(),
                self.db.compactions_completed(),
            )),
            _ => unsupported(format!("fjall has no property {name}")),
        }
    }

    /// By its file `version` and its directory of keyspaces.
    fn recognize(path: &Path) -> Result<bool> {
        let version = fs::read(path.join("version")).unwrap_or_default();
        Ok(version.starts_with(b"FJL") && path.join("keyspaces").is_dir())
    }

    fn destroy(path: &Path) -> Result<()> {
        if !Self::recognize(path)? {
            return Ok(());
        }
        fs::remove_dir_all(path.join("keyspaces")).map_err(failed("remove the keyspaces"))?;
        for entry in fs::read_dir(path).map_err(failed("read the directory"))?.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".jnl") || name == "version" || name == "lock" {
                fs::remove_file(entry.path()).map_err(failed("remove a file"))?;
            }
        }
        Ok(())
    }
}

pub struct FjallSession {
    keyspace: Keyspace,
    db: Database,
    class: Class,
}

pub struct View {
    snapshot: Snapshot,
    keyspace: Keyspace,
}

type Found = fjall::Slice;
type Entries = Map<fjall::Iter, fn(fjall::Guard) -> Result<(Found, Found)>>;

fn entry(guard: fjall::Guard) -> Result<(Found, Found)> {
    guard.into_inner().map_err(failed("step a scan"))
}

fn check_key(key: &[u8]) -> Result<()> {
    if key.is_empty() || key.len() > usize::from(u16::MAX) {
        return unsupported(NEEDS_A_KEY);
    }
    Ok(())
}

impl FjallSession {
    fn synced(&self) -> Result<()> {
        if self.class != Class::Synced {
            return Ok(());
        }
        self.db.persist(PersistMode::SyncData).map_err(failed("sync"))
    }
}

impl Session for FjallSession {
    type Bytes = Found;
    type View = View;
    type Range = Entries;

    fn view(&mut self) -> Result<View> {
        Ok(View { snapshot: self.db.snapshot(), keyspace: self.keyspace.clone() })
    }
    fn get_in(view: &View, key: &[u8]) -> Result<Option<Found>> {
        check_key(key)?;
        view.snapshot.get(&view.keyspace, key).map_err(failed("get"))
    }
    fn range(view: &View, from: Bound<&[u8]>, to: Bound<&[u8]>) -> Result<Entries> {
        Ok(view.snapshot.range::<&[u8], _>(&view.keyspace, (from, to)).map(entry as fn(_) -> _))
    }
    fn get(&mut self, key: &[u8]) -> Result<Option<Found>> {
        check_key(key)?;
        self.keyspace.get(key).map_err(failed("get"))
    }
    fn put(&mut self, key: &[u8], value: &[u8]) -> Result<()> {
        check_key(key)?;
        self.keyspace.insert(key, value).map_err(failed("put"))?;
        self.synced()
    }
    fn erase(&mut self, key: &[u8]) -> Result<()> {
        check_key(key)?;
        self.keyspace.remove(key).map_err(failed("erase"))?;
        self.synced()
    }
    fn write(&mut self, batch: Batch) -> Result<()> {
        let mut writes = self.db.batch().durability(self.class.of_batch());
        for one in batch.iter() {
            match one {
                Write::Put(key, value) => {
                    check_key(key)?;
                    writes.insert(&self.keyspace, key, value);
                }
                Write::Erase(key) => {
                    check_key(key)?;
                    writes.remove(&self.keyspace, key);
                }
            }
        }
        writes.commit().map_err(failed("write a batch"))
    }
}

export_engine!(Fjall);
