#include "probe/medium_probe.h"

#include <cstdlib>
#include <filesystem>

#include "base/files_for_test.h"
#include "base/matchers_for_test.h"

namespace levelfield::medium_probe_test {

namespace fs = std::filesystem;

Medium Judged(const std::string& mount) { return JudgeMount(ParseMounts(mount).at(0)); }

// An invented machine, below a directory: its /proc/self/mountinfo, its /sys, and the paths named
// there.
class MediumOfAMachine : public testing::Test {
 protected:
  MediumOfAMachine() { Disk("sda", "8:0"); }

  // A disk that counts, has a cache and carries the store's file system, by its number.
  void Disk(const std::string& name, const std::string& number,
            const std::string& write_cache = "write back") {
    const std::string device = "/sys/devices/" + name;
    Write(device + "/queue/write_cache", write_cache + "\n");
    Write(device + "/queue/fua", "0\n");
    Write(device + "/queue/iostats", "1\n");
    Write(device + "/stat", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n");
    fs::create_directories(At(device + "/mq/0"));
    Link(device, "/sys/class/block/" + name);
    Link(device, "/sys/block/" + name);
    Link(device, "/sys/dev/block/" + number);
  }
  // A device that passes on what it gets, as md and dm do.
  void Assembled(const std::string& name, const std::string& number,
                 const std::vector<std::string>& parts) {
    Disk(name, number);
    fs::remove_all(At("/sys/devices/" + name + "/mq"));
    for (const std::string& part : parts) {
      Link("/sys/devices/" + part, "/sys/devices/" + name + "/slaves/" + part);
    }
  }
  void Loop(const std::string& name, const std::string& number, const std::string& image) {
    Disk(name, number);
    Write("/sys/devices/" + name + "/loop/backing_file", image + "\n");
    Write(image, "");
  }

  void Write(const std::string& path, const std::string& text) const {
    levelfield::Write(At(path), text);
  }
  void Link(const std::string& to, const std::string& path) const {
    fs::create_directories(fs::path(At(path)).parent_path());
    fs::create_symlink(At(to), At(path));
  }
  std::string At(const std::string& path) const { return root_.path() + path; }

  // The storage below /data, with these mounts.
  Storage Data(const std::string& mounts) const {
    Write("/proc/self/mountinfo", "21 1 8:0 / / rw - ext4 /dev/sda rw\n" + mounts);
    return StorageOf("/data/db", "", root_.path());
  }
  Medium DataMedium(const std::string& mounts) const { return Data(mounts).medium; }

 private:
  const TemporaryDirectory root_;
};

TEST(Medium, OfADiskMayKeepWhatIsSynced) {
  const Medium medium = Judged("22 21 8:2 / /data rw - xfs /dev/sda2 rw,attr2\n");
  EXPECT_EQ(medium.filesystem, "xfs");
  EXPECT_EQ(medium.volatile_because, "");
  EXPECT_EQ(medium.doubt, "");
}

TEST(Medium, ThatLivesInMemoryKeepsNothing) {
  for (const char* const type : {"tmpfs", "ramfs", "rootfs", "devtmpfs"}) {
    EXPECT_THAT(
        Judged(std::string("22 21 0:5 / /data rw - ") + type + " none rw\n").volatile_because,
        HasSubstr(std::string(type) + ", which forgets everything"));
  }
}

TEST(Medium, OfAnOverlayThatSyncsNothingIsKnownByBothSpellings) {
  for (const char* const option : {"volatile", "fsync=volatile"}) {
    EXPECT_THAT(Judged(std::string("23 21 0:6 / /data rw - overlay overlay rw,upperdir=/u,") +
                       option + "\n")
                    .volatile_because,
                HasSubstr("overlay mounted `volatile`"))
        << option;
  }
  EXPECT_EQ(Judged("23 21 0:6 / /data rw - overlay overlay rw,upperdir=/u,fsync=strict\n")
                .volatile_because,
            "");
}

TEST_F(MediumOfAMachine, IsTheDiskThatIsAsked) {
  const Storage storage = Data("");
  EXPECT_EQ(storage.medium.unverifiable_because, "");
  EXPECT_EQ(storage.medium.devices, "sda");
  EXPECT_EQ(storage.medium.write_cache, WriteCache::kWriteBack);
  EXPECT_EQ(storage.disks.size(), 1u);
  EXPECT_EQ(storage.devices.size(), 1u);
}

TEST_F(MediumOfAMachine, OfAPartitionAsksItsDisk) {
  Write("/sys/devices/sda/sda2/partition", "2\n");
  Link("/sys/devices/sda/sda2", "/sys/dev/block/8:2");
  const Storage storage = Data("22 21 8:2 / /data rw - ext4 /dev/sda2 rw\n");
  EXPECT_EQ(storage.medium.unverifiable_because, "");
  EXPECT_EQ(storage.medium.devices, "sda");
  EXPECT_THAT(storage.devices.at(0), testing::EndsWith("/sda2"));
}

TEST_F(MediumOfAMachine, OfAnOverlayIsItsUpperDirectory) {
  const std::string overlay =
      "23 21 0:6 / /data rw - overlay overlay rw,lowerdir=/,upperdir=/up\\040per/u,workdir=/w\n";
  fs::create_directories(At("/up per/u"));
  const Medium on_disk = DataMedium(overlay);
  EXPECT_EQ(on_disk.filesystem, "overlay on ext4");
  EXPECT_EQ(on_disk.volatile_because, "");
  EXPECT_EQ(on_disk.devices, "sda");
  EXPECT_EQ(on_disk.unverifiable_because, "");
  const Medium in_memory = DataMedium("22 21 0:5 / /up\\040per rw - tmpfs none rw\n" + overlay);
  EXPECT_EQ(in_memory.filesystem, "overlay on tmpfs");
  EXPECT_THAT(in_memory.volatile_because, HasSubstr("forgets everything"));
  EXPECT_THAT(DataMedium("22 21 8:0 / /up\\040per rw - ext4 /dev/sda rw,nobarrier\n" + overlay)
                  .volatile_because,
              HasSubstr("its upper directory is on ext4 mounted without barriers (nobarrier)"));
  Loop("loop0", "7:0", "/shm/image");
  EXPECT_EQ(DataMedium("22 21 0:5 / /shm rw - tmpfs none rw\n"
                       "24 21 7:0 / /up\\040per rw - xfs /dev/loop0 rw\n" +
                       overlay)
                .volatile_because,
            "its upper directory is on xfs, its image is on tmpfs, which forgets everything with "
            "the power");
}

TEST_F(MediumOfAMachine, OfAContainersOverlayCannotBeAsked) {
  const Medium medium = DataMedium(
      "23 21 0:6 / /data rw - overlay overlay rw,upperdir=/var/lib/docker/1/diff,workdir=/w\n");
  EXPECT_EQ(medium.volatile_because, "");
  EXPECT_THAT(medium.unverifiable_because,
              AllOf(HasSubstr("/var/lib/docker/1/diff"), HasSubstr("cannot be seen from here")));
  Write("/proc/self/mountinfo", "21 1 0:6 / / rw - overlay overlay rw,upperdir=/data,workdir=/w\n");
  fs::create_directories(At("/data"));
  EXPECT_THAT(StorageOf("/data/db", "", At("")).medium.unverifiable_because,
              HasSubstr("cannot be seen from here"))
      << "that path is in the overlay itself";
}

TEST_F(MediumOfAMachine, OfALoopDeviceIsWhatItsFileIsOn) {
  Loop("loop0", "7:0", "/images/a");
  const std::string loop = "24 21 7:0 / /data rw - ext4 /dev/loop0 rw\n";
  EXPECT_EQ(DataMedium(loop).volatile_because, "");
  EXPECT_EQ(DataMedium(loop).devices, "loop0") << "what comes to it is its own";
  EXPECT_THAT(DataMedium("22 21 0:5 / /images rw - tmpfs none rw\n" + loop).volatile_because,
              HasSubstr("its image is on tmpfs"));
  fs::create_directories(At("/u"));
  EXPECT_THAT(
      DataMedium("22 21 0:5 / /images rw - overlay o rw,upperdir=/u,fsync=volatile\n" + loop)
          .volatile_because,
      HasSubstr("its image is on overlay mounted `volatile`"));
  Write("/sys/devices/loop0/queue/write_cache", "write through\n");
  EXPECT_THAT(DataMedium(loop).volatile_because,
              AllOf(HasSubstr("loop0 is set to write through"), HasSubstr("never synced")));
  Write("/sys/devices/loop0/queue/write_cache", "write back\n");
  fs::remove(At("/images/a"));
  EXPECT_THAT(DataMedium(loop).unverifiable_because, HasSubstr("/images/a, cannot be seen"));
  Write("/sys/devices/loop0/loop/backing_file", "/images/a (deleted)\n");
  EXPECT_THAT(DataMedium(loop).unverifiable_because, HasSubstr("/images/a (deleted), cannot be"))
      << "its name is of no use";
}

TEST_F(MediumOfAMachine, OfALoopDeviceThatDoesNotTellItsFileIsNotTakenForGranted) {
  Loop("loop0", "7:0", "/images/a");
  EXPECT_EQ(DataMedium("24 21 7:0 / /data rw - ext4 /dev/loop0 rw\n").unverifiable_because,
            "which file is behind loop0 is told to root alone");
}

TEST_F(MediumOfAMachine, OfExt4WithoutAJournalIsDoubted) {
  const std::string doubt = "ext4 has no journal: ";
  Write("/sys/fs/ext4/sda/journal_task", "412\n");
  EXPECT_EQ(DataMedium("").doubt, "");
  Write("/sys/fs/ext4/sda/journal_task", "<none>\n");
  EXPECT_THAT(DataMedium("").doubt, HasSubstr(doubt));
  EXPECT_EQ(DataMedium("").volatile_because, "");
  fs::remove(At("/sys/fs/ext4/sda/journal_task"));  // Before Linux 5.0.
  EXPECT_EQ(DataMedium("").doubt, "") << "nothing is known";
  Write("/proc/fs/ext4/sda/options", "rw\ndata=ordered\nbarrier\n");
  EXPECT_EQ(DataMedium("").doubt, "");
  Write("/proc/fs/ext4/sda/options", "rw\nbarrier\n");
  EXPECT_THAT(DataMedium("").doubt, HasSubstr(doubt));
  EXPECT_EQ(DataMedium("24 21 8:0 / /data rw - xfs /dev/sda rw\n").doubt, "");
}

TEST_F(MediumOfAMachine, ThatIsSaidToBeADeviceByItsServerIsNone) {
  for (const char* const type : {"fuse", "fuse.x", "nfs4", "9p", "virtiofs", "zfs", "ecryptfs"}) {
    const Storage storage =
        Data(std::string("24 21 0:50 / /data rw - ") + type + " /dev/sda rw\n");
    EXPECT_EQ(storage.disks.size() + storage.devices.size(), 0u) << type;
    EXPECT_THAT(storage.medium.unverifiable_because, HasSubstr("it is on no block device"))
        << type;
  }
  EXPECT_EQ(DataMedium("24 21 8:0 / /data rw - fuseblk /dev/x rw\n").devices, "sda")
      << "the kernel has opened that one";
  Disk("sdb", "8:16");
  EXPECT_EQ(DataMedium("24 21 0:50 / /data rw - btrfs /dev/sda rw\n").devices, "sda");
  EXPECT_EQ(DataMedium("24 21 0:50 / /data rw - bcachefs /dev/sda:/dev/sdb rw\n").devices,
            "sda, sdb");
}

TEST_F(MediumOfAMachine, OfBtrfsIsTheWorstOfItsDevices) {
  Loop("loop0", "7:0", "/images/a");
  Loop("loop1", "7:1", "/shm/b");
  for (const char* const name : {"loop0", "loop1"}) {
    Link(std::string("/sys/devices/") + name, std::string("/sys/fs/btrfs/3e85/devices/") + name);
  }
  const Storage storage =
      Data("22 21 0:5 / /shm rw - tmpfs none rw\n24 21 0:39 / /data rw - btrfs /dev/loop0 rw\n");
  EXPECT_EQ(storage.medium.volatile_because,
            "its device loop1: its image is on tmpfs, which forgets everything with the power");
  EXPECT_EQ(storage.medium.devices, "loop0, loop1");
  EXPECT_EQ(storage.devices.size(), 2u);
}

TEST_F(MediumOfAMachine, OfMdAndDmIsTheWorstOfTheirParts) {
  Disk("sdb", "8:16");
  Loop("loop1", "7:1", "/shm/b");
  Assembled("md0", "9:0", {"sda", "sdb"});
  Assembled("dm-0", "253:0", {"sdb", "loop1"});
  Assembled("dm-1", "253:1", {"dm-0"});  // A volume on an encrypted pair.
  const std::string shm = "22 21 0:5 / /shm rw - tmpfs none rw\n";
  const Storage md = Data(shm + "24 21 9:0 / /data rw - ext4 /dev/md0 rw\n");
  EXPECT_EQ(md.medium.volatile_because, "");
  EXPECT_EQ(md.medium.unverifiable_because, "");
  EXPECT_EQ(md.medium.devices, "sda, sdb") << "they count";
  EXPECT_THAT(md.devices.at(0), testing::EndsWith("/md0")) << "the bytes are of this one";
  EXPECT_EQ(DataMedium(shm + "24 21 253:1 / /data rw - ext4 /dev/mapper/x rw\n").volatile_because,
            "its device dm-0: its device loop1: its image is on tmpfs, which forgets everything "
            "with the power");
}

TEST_F(MediumOfAMachine, OfXfsIsItsLogToo) {
  Loop("loop1", "7:1", "/shm/log");
  EXPECT_THAT(DataMedium("22 21 0:5 / /shm rw - tmpfs none rw\n"
                         "24 21 8:0 / /data rw - xfs /dev/sda rw,logdev=/dev/loop1\n")
                  .volatile_because,
              HasSubstr("its device loop1: its image is on tmpfs"));
}

TEST_F(MediumOfAMachine, IsWorthNoMoreThanTheDeviceOfItsJournal) {
  Loop("loop1", "7:1", "/shm/log");
  Data("22 21 0:5 / /shm rw - tmpfs none rw\n");
  const Storage storage = StorageOf("/data/db", "/dev/loop1", At(""));
  EXPECT_THAT(storage.medium.volatile_because,
              AllOf(HasSubstr("its journal is on loop1, "), HasSubstr("is on tmpfs")));
  EXPECT_EQ(storage.medium.devices, "sda");
}

TEST_F(MediumOfAMachine, OfExt4IsItsJournalToo) {
  Loop("loop1", "7:1", "/shm/log");
  Write("/sys/fs/ext4/sda/journal_task", "412\n");
  const std::string shm = "22 21 0:5 / /shm rw - tmpfs none rw\n";
  for (const char* const inside : {"jbd2/sda-8", "<none>"}) {
    Write("/proc/412/comm", std::string(inside) + "\n");
    EXPECT_EQ(DataMedium(shm).volatile_because, "") << inside;
  }
  Write("/proc/412/comm", "jbd2/loop1\n");
  EXPECT_THAT(DataMedium(shm).volatile_because,
              HasSubstr("its device loop1: its image is on tmpfs"));
  EXPECT_EQ(DataMedium(shm).devices, "sda, loop1");
}

TEST_F(MediumOfAMachine, OfAnNvmeDeviceAsksThePathsToIt) {
  Assembled("nvme0n1", "259:0", {});
  for (const char* const path : {"nvme0c0n1", "nvme0c1n1", "nvme1c0n1", "nvme0c0n11"}) {
    Disk(path, std::string("259:") + path);
  }
  const Medium medium = DataMedium("24 21 259:0 / /data rw - ext4 /dev/nvme0n1 rw\n");
  EXPECT_EQ(medium.unverifiable_because, "");
  EXPECT_EQ(medium.devices, "nvme0c0n1, nvme0c1n1");
}

TEST_F(MediumOfAMachine, OfADeviceThatDoesNotCountCannotBeAsked) {
  const auto why = [&] { return DataMedium("").unverifiable_because; };
  Write("/sys/devices/sda/queue/iostats", "0\n");
  EXPECT_THAT(why(), HasSubstr("sda counts nothing"));
  Write("/sys/devices/sda/queue/iostats", "1\n");
  Write("/sys/devices/sda/stat", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n");
  EXPECT_THAT(why(), HasSubstr("Linux 5.5"));
  Assembled("pmem0", "259:3", {});
  EXPECT_THAT(DataMedium("24 21 259:3 / /data rw - ext4 /dev/pmem0 rw\n").unverifiable_because,
              HasSubstr("pmem0 does not count"));
  EXPECT_THAT(DataMedium("24 21 0:7 / /data rw - zfs tank/data rw\n").unverifiable_because,
              HasSubstr("zfs: it is on no block device"));
}

TEST_F(MediumOfAMachine, OfADeviceWhoseCacheIsDeniedKeepsNothing) {
  Write("/sys/devices/sda/device/scsi_disk/0:0:0:0/cache_type", "write back\n");
  EXPECT_EQ(DataMedium("").volatile_because, "");
  Write("/sys/devices/sda/queue/write_cache", "write through\n");
  EXPECT_THAT(DataMedium("").volatile_because,
              HasSubstr("sda has a cache, but the kernel was told"));
  Write("/sys/devices/sda/device/scsi_disk/0:0:0:0/cache_type", "write through\n");
  EXPECT_EQ(DataMedium("").volatile_because, "") << "it has none";
}

TEST_F(MediumOfAMachine, ThatKeepsPagesInMemoryKeepsNothing) {
  for (const char* const name : {"zram0", "ram0", "nullb0"}) {
    Disk(name, std::string("251:") + name);
    EXPECT_THAT(DataMedium(std::string("24 21 251:") + name + " / /data rw - ext4 /dev/x rw\n")
                    .volatile_because,
                HasSubstr(std::string(name) + " forgets everything"));
  }
}

TEST(Medium, WithoutBarriersFlushesNoDevice) {
  for (const char* const option :
       {"nobarrier", "barrier=0", "fsync_mode=nobarrier", "journal_flush_disabled"}) {
    const Medium medium =
        Judged(std::string("22 21 8:2 / /data rw - ext4 /dev/sda2 rw,") + option + "\n");
    EXPECT_THAT(medium.volatile_because, HasSubstr("without barriers")) << option;
  }
  EXPECT_EQ(Judged("22 21 8:2 / /data rw - ext4 /dev/sda2 rw,barrier=1\n").volatile_because, "");
}

TEST(Medium, OfOthersAndOfWritebackJournalsIsDoubted) {
  for (const char* const type : {"9p", "nfs4", "fuse.sshfs"}) {
    const Medium medium = Judged(std::string("22 21 0:9 / /data rw - ") + type + " host:/x rw\n");
    EXPECT_THAT(medium.doubt, HasSubstr("depends on its server")) << type;
    EXPECT_EQ(medium.volatile_because, "");
  }
  EXPECT_THAT(Judged("22 21 8:2 / /data rw - ext4 /dev/sda2 rw,data=writeback\n").doubt,
              HasSubstr("data=writeback"));
}

TEST(Medium, WithoutAJournalIsDoubted) {
  EXPECT_THAT(Judged("22 21 8:2 / /data rw - ext2 /dev/sda2 rw\n").doubt,
              HasSubstr("ext2 has no journal"));
  EXPECT_EQ(Judged("22 21 8:2 / /data rw - ext3 /dev/sda2 rw\n").doubt, "");
}

// /proc/self/mountinfo does not name what a chroot stands on.
bool IsRootAMount() { return std::system("findmnt / >/dev/null") == 0; }

TEST(Medium, IsFoundForAPathOfThisMachine) {
  if (!IsRootAMount()) GTEST_SKIP() << "the root is no mount point";
  EXPECT_FALSE(MediumOf("/").filesystem.empty());
  if (!std::filesystem::exists("/dev/shm")) GTEST_SKIP() << "no /dev/shm here";
  EXPECT_THAT(MediumOf("/dev/shm").volatile_because, HasSubstr("tmpfs"));
}

TEST(Medium, IsWorthNoMoreThanWhatItsJournalIsOn) {
  if (!IsRootAMount()) GTEST_SKIP() << "the root is no mount point";
  if (!std::filesystem::exists("/dev/shm")) GTEST_SKIP() << "no /dev/shm here";
  EXPECT_THAT(MediumOf("/", "/dev/shm").volatile_because, HasSubstr("its journal is on tmpfs"));
  EXPECT_EQ(MediumOf("/", "/"), MediumOf("/"));
}

TEST(SyncEater, IsKnownByItsName) {
  EXPECT_EQ(SyncEaterIn("7f00-7f01 r-xp 0 8:1 12   /usr/lib/libc.so.6\n"), "");
  EXPECT_EQ(SyncEaterIn("7f00-7f01 r-xp 0 8:1 12   /usr/lib/libc.so.6\n"
                        "7f02-7f03 r-xp 0 8:1 13   /usr/lib/x/libeatmydata.so.1.3.0\n"),
            "/usr/lib/x/libeatmydata.so.1.3.0");
}

}  // namespace levelfield::medium_probe_test
