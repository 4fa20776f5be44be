#include "result/environment.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/files_for_test.h"
#include "base/json_text.h"
#include "base/matchers_for_test.h"
#include "base/text.h"

namespace levelfield::environment_test {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::set<std::string> WordsOf(const std::string& text) {
  const std::vector<std::string> words = Split(text, ' ');
  return {words.begin(), words.end()};
}

// One file of a machine that does not exist, and the fields that hang on it.
struct Source {
  std::string path;
  std::string text;
  std::string fields;  // By their names.
  // Other sources answer for it, so that the field changes but stays known.
  bool has_fallback = false;
};

const std::vector<Source>& Sources() {
  const std::string block =
      "block_device block_stack block_transport block_vendor block_model block_firmware "
      "block_rotational block_scheduler block_write_cache block_fua block_discard_max_bytes "
      "block_logical_bytes block_physical_bytes block_read_ahead_kb block_partition_bytes "
      "block_disk_bytes block_written_bytes";
  const std::string cgroup =
      "cgroup_version cgroup_memory_limit_bytes cgroup_cpu_limit cgroup_cpuset";
  const std::string mounts =
      block + " " + cgroup +
      " filesystem_type filesystem_options filesystem_lifetime_written_bytes";
  static const std::vector<Source> kSources = {
      {"/proc/cpuinfo",
       "processor\t: 0\nmodel name\t: Test CPU @ 3.00GHz\nmicrocode\t: 0x12\n"
       "flags\t\t: fpu hypervisor sse4_2\n\nprocessor\t: 1\nmodel name\t: Another\n",
       "cpu_model cpu_microcode hypervisor"},
      {"/sys/devices/system/cpu/online", "0-3\n", "cpu_sockets cpu_cores cpu_threads_online"},
      {"/sys/devices/system/cpu/cpu0/topology/physical_package_id", "0", "cpu_sockets cpu_cores"},
      {"/sys/devices/system/cpu/cpu0/topology/core_id", "0", "cpu_cores"},
      {"/sys/devices/system/cpu/cpu1/topology/physical_package_id", "0", "cpu_sockets cpu_cores"},
      {"/sys/devices/system/cpu/cpu1/topology/core_id", "0", "cpu_cores"},
      {"/sys/devices/system/cpu/cpu2/topology/physical_package_id", "1", "cpu_sockets cpu_cores"},
      {"/sys/devices/system/cpu/cpu2/topology/core_id", "0", "cpu_cores"},
      {"/sys/devices/system/cpu/cpu3/topology/physical_package_id", "1", "cpu_sockets cpu_cores"},
      {"/sys/devices/system/cpu/cpu3/topology/core_id", "1", "cpu_cores"},
      {"/sys/devices/system/cpu/smt/control", "on", "cpu_smt"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/level", "1", "cpu_caches"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/type", "Data", "cpu_caches"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/size", "48K", "cpu_caches"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0-1", "cpu_caches"},
      {"/sys/devices/system/cpu/cpufreq/policy0/scaling_governor", "performance", "cpu_governor"},
      {"/sys/devices/system/cpu/cpufreq/policy0/cpuinfo_min_freq", "800000", "cpu_min_khz"},
      {"/sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq", "3600000", "cpu_max_khz"},
      {"/sys/devices/system/cpu/cpufreq/policy2/scaling_governor", "powersave", "cpu_governor"},
      {"/sys/devices/system/cpu/cpufreq/policy2/cpuinfo_min_freq", "400000", "cpu_min_khz"},
      {"/sys/devices/system/cpu/cpufreq/policy2/cpuinfo_max_freq", "3000000", "cpu_max_khz"},
      {"/sys/devices/system/cpu/intel_pstate/no_turbo", "1", "cpu_turbo"},
      {"/sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI", "cpu_mitigations",
       true},
      {"/proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-2\n", "cpu_affinity"},
      {"/sys/class/dmi/id/sys_vendor", "Maker", "machine_vendor"},
      {"/sys/class/dmi/id/product_name", "Box 9", "machine_product"},
      {"/proc/sys/kernel/osrelease", "6.1.0-test", "kernel"},
      {"/proc/sys/kernel/version", "#1 SMP", "kernel_build"},
      {"/proc/cmdline",
       "quiet mitigations=off ip=10.0.0.9::secret systemd.hostname=secret -- --token secret",
       "kernel_cmdline"},
      {"/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc", "clocksource"},
      {"/proc/sys/kernel/randomize_va_space", "2", "aslr"},
      {"/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never", "thp_enabled"},
      {"/sys/kernel/mm/transparent_hugepage/defrag", "always [never]", "thp_defrag"},
      {"/proc/sys/vm/swappiness", "60", "swappiness"},
      {"/proc/sys/vm/overcommit_memory", "0", "overcommit_memory"},
      {"/proc/sys/vm/dirty_ratio", "20", "dirty_ratio"},
      {"/proc/sys/vm/dirty_background_ratio", "10", "dirty_background_ratio"},
      {"/proc/sys/vm/dirty_bytes", "0", "dirty_bytes"},
      {"/proc/sys/vm/dirty_background_bytes", "0", "dirty_background_bytes"},
      {"/proc/sys/vm/dirty_expire_centisecs", "3000", "dirty_expire_centisecs"},
      {"/proc/sys/vm/dirty_writeback_centisecs", "500", "dirty_writeback_centisecs"},
      {"/proc/meminfo",
       "MemTotal:       16000000 kB\nMemFree: 1 kB\nMemAvailable:   8000000 kB\n"
       "SwapTotal:       2048 kB\n",
       "memory_gib memory_total_bytes memory_available_bytes swap_total_bytes"},
      {"/sys/devices/system/node/online", "0-1", "numa_nodes"},
      {"/proc/self/cgroup", "0::/outer/docker-1\n",
       "cgroup_version cgroup_memory_limit_bytes cgroup_cpu_limit cgroup_cpuset container_hints"},
      {"/proc/self/mountinfo",
       "20 1 8:2 / / rw shared:1 - xfs /dev/sda2 rw\n"
       "21 20 0:5 / /data rw - tmpfs hidden rw\n"
       "22 20 8:1 / /data rw,noatime - ext4 /dev/sda1 rw,barrier=1\n"
       "23 20 0:9 / /data\\040two rw - tmpfs none rw\n"
       "24 20 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
       mounts},
      {"/sys/fs/cgroup/outer/memory.max", "1000000", "cgroup_memory_limit_bytes", true},
      {"/sys/fs/cgroup/outer/docker-1/memory.max", "2000000", "", true},
      {"/sys/fs/cgroup/outer/docker-1/cpu.max", "150000 100000", "cgroup_cpu_limit", true},
      {"/sys/fs/cgroup/outer/cpu.max", "max 100000", "", true},
      {"/sys/fs/cgroup/outer/docker-1/cpuset.cpus.effective", "0-1", "cgroup_cpuset", true},
      {"/sys/fs/cgroup/cpuset.cpus.effective", "0-3", "", true},
      {"/sys/devices/pci0/ata1/block/sda/sda1/uevent", "MAJOR=8\nMINOR=1\nDEVNAME=sda1\n",
       "block_device filesystem_lifetime_written_bytes"},
      {"/sys/devices/pci0/ata1/block/sda/device/vendor", "ATA", "block_vendor"},
      {"/sys/devices/pci0/ata1/block/sda/device/model", "Disk 1", "block_model"},
      {"/sys/devices/pci0/ata1/block/sda/device/rev", "F9", "block_firmware"},
      {"/sys/devices/pci0/ata1/block/sda/queue/rotational", "0", "block_rotational"},
      {"/sys/devices/pci0/ata1/block/sda/queue/scheduler", "[none] bfq", "block_scheduler"},
      {"/sys/devices/pci0/ata1/block/sda/queue/write_cache", "write back", "block_write_cache"},
      {"/sys/devices/pci0/ata1/block/sda/queue/fua", "1", "block_fua"},
      {"/sys/devices/pci0/ata1/block/sda/queue/discard_max_bytes", "0", "block_discard_max_bytes"},
      {"/sys/devices/pci0/ata1/block/sda/queue/logical_block_size", "512", "block_logical_bytes"},
      {"/sys/devices/pci0/ata1/block/sda/queue/physical_block_size", "4096",
       "block_physical_bytes"},
      {"/sys/devices/pci0/ata1/block/sda/queue/read_ahead_kb", "128", "block_read_ahead_kb"},
      {"/sys/devices/pci0/ata1/block/sda/sda1/size", "1000", "block_partition_bytes"},
      {"/sys/devices/pci0/ata1/block/sda/size", "4000", "block_disk_bytes"},
      {"/sys/devices/pci0/ata1/block/sda/stat", "1 2 3 4 5 6 7000 8 9 10 11 12 13 14 15 16 17",
       "block_written_bytes"},
      {"/sys/fs/ext4/sda1/lifetime_write_kbytes", "9", "filesystem_lifetime_written_bytes"},
      {"/proc/self/maps",
       "7f00-7f01 r-xp 00000000 08:01 1 /usr/lib/libjemalloc.so.2\n"
       "7f02-7f03 r-xp 00000000 08:01 1 /usr/lib/libeatmydata.so\n",
       "allocator interposers"},
      {"/proc/pressure/cpu",
       "some avg10=1.50 avg60=0.00 avg300=0.00 total=42\n"
       "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
       "pressure_cpu"},
      {"/proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\n", "pressure_io"},
      {"/proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=2\n",
       "pressure_memory"},
      {"/proc/stat", "cpu  100 0 100 700 0 0 0 100 5 0\ncpu0 1 1\n", "steal"},
      {"/proc/loadavg", "0.50 0.25 0.10 1/100 42\n", "load_average"},
      {"/proc/uptime", "3600.25 7000.00\n", "uptime_s"},
  };
  return kSources;
}

class EnvironmentTest : public testing::Test {
 protected:
  EnvironmentTest() {
    fs::permissions(root_, fs::perms(0755));
    for (const Source& source : Sources()) Put(source.path, source.text);
    Put("/sys/devices/pci0/ata1/block/sda/sda1/partition", "1");  // Which is there or not.
    fs::create_directories(root_ + "/sys/dev/block");
    fs::create_symlink("../../devices/pci0/ata1/block/sda/sda1", root_ + "/sys/dev/block/8:1");
  }

  void Put(const std::string& path, const std::string& text) const { Write(root_ + path, text); }
  Json Capture(const std::string& store_path = "/data/store/x") const {
    Json environment =
        CaptureEnvironment(store_path, {.root = root_, .started = "2011-07-01T00:00:00Z"});
    // These are asked of the real file system, where others are at work.
    environment.erase("filesystem_fill_percent");
    environment.erase("filesystem_size_bytes");
    return environment;
  }

  const TemporaryDirectory temporary_;
  const std::string root_ = temporary_.path();
};

bool IsUnknown(const Json& value) {
  return value.is_string() && value.get<std::string>().rfind("unknown: ", 0) == 0 &&
         value.get<std::string>().size() > 12;
}

TEST_F(EnvironmentTest, ReadsEveryFieldOfAKnownMachine) {
  const Json e = Capture();
  for (const auto& [name, value] : e.items()) EXPECT_FALSE(IsUnknown(value)) << name << value;
  EXPECT_EQ(e["started"], "2011-07-01T00:00:00Z");
  EXPECT_EQ(e["store_path"], "/data/store/x");
  EXPECT_EQ(e["cpu_model"], "Test CPU @ 3.00GHz");
  EXPECT_EQ(e["cpu_sockets"], 2);
  EXPECT_EQ(e["cpu_cores"], 3);
  EXPECT_EQ(e["cpu_threads_online"], 4);
  EXPECT_EQ(e["cpu_caches"], (Json{{"L1 Data", "48K, cpus 0-1"}}));
  EXPECT_EQ(e["cpu_governor"], "performance, powersave");
  EXPECT_EQ(e["cpu_turbo"], "off");
  EXPECT_EQ(e["cpu_min_khz"], 400000);
  EXPECT_EQ(e["cpu_max_khz"], 3600000);
  EXPECT_EQ(e["cpu_mitigations"], (Json{{"meltdown", "Mitigation: PTI"}}));
  EXPECT_EQ(e["cpu_affinity"], "0-2");
  EXPECT_EQ(e["hypervisor"], "present");
  EXPECT_EQ(e["memory_gib"], 16);
  EXPECT_EQ(e["memory_total_bytes"], uint64_t{16000000} * 1024);
  EXPECT_EQ(e["numa_nodes"], 2);
  EXPECT_EQ(e["cgroup_version"], 2);
  EXPECT_EQ(e["cgroup_memory_limit_bytes"], 1000000) << "the outer group is the tighter one";
  EXPECT_EQ(e["cgroup_cpu_limit"], 1.5);
  EXPECT_EQ(e["cgroup_cpuset"], "0-1");
  EXPECT_EQ(e["container_hints"], Json::array({"docker in /proc/self/cgroup"}));
  EXPECT_EQ(e["filesystem_type"], "ext4") << "the later of two mounts on one point is on top";
  EXPECT_EQ(e["filesystem_options"], "rw,noatime | rw,barrier=1");
  EXPECT_EQ(e["block_device"], "sda1");
  EXPECT_EQ(e["block_model"], "Disk 1") << "a partition has the model of its disk";
  EXPECT_EQ(e["block_firmware"], "F9");
  EXPECT_EQ(e["block_transport"], "ata");
  EXPECT_EQ(e["block_rotational"], 0);
  EXPECT_EQ(e["block_partition_bytes"], 1000 * 512);
  EXPECT_EQ(e["block_disk_bytes"], 4000 * 512);
  EXPECT_EQ(e["block_written_bytes"], 7000 * 512) << "by all partitions of the disk";
  EXPECT_EQ(e["filesystem_lifetime_written_bytes"], 9 << 10);
  EXPECT_EQ(e["uptime_s"], 3600);
  EXPECT_EQ(e["allocator"], "libjemalloc.so.2");
  EXPECT_EQ(e["interposers"], "libeatmydata.so");
  EXPECT_EQ(e["pressure_cpu"]["some"]["avg10_percent"], 1.5);
  EXPECT_EQ(e["pressure_cpu"]["some"]["total_us"], 42);
  EXPECT_EQ(e["steal"]["steal_s"].get<double>() * 10, e["steal"]["all_s"].get<double>());
  EXPECT_EQ(e["load_average"], Json::array({0.5, 0.25, 0.1}));
}

TEST_F(EnvironmentTest, EverySourceThatIsMissingOrUnreadableCostsItsOwnFieldsOnly) {
  const Json whole = Capture();
  enum Damage { kMissing, kDirectory, kForbidden };
  std::set<std::string> degraded;
  for (const Damage damage : {kMissing, kDirectory, kForbidden}) {
    // Root may read everything, so it becomes somebody else for a moment.
    const bool becomes_another = damage == kForbidden && geteuid() == 0;
    for (const Source& source : Sources()) {
      const std::string path = root_ + source.path;
      if (damage == kForbidden) {
        ASSERT_EQ(chmod(path.c_str(), 0), 0);
      } else {
        fs::remove(path);
        if (damage == kDirectory) fs::create_directory(path);
      }
      if (becomes_another) {
        ASSERT_EQ(seteuid(65534), 0);
      }
      const Json damaged = Capture();
      if (becomes_another) {
        ASSERT_EQ(seteuid(0), 0);
      }
      ASSERT_EQ(damaged.size(), whole.size()) << "a field is gone without " << source.path;
      std::set<std::string> changed;
      for (const auto& [name, value] : whole.items()) {
        if (damaged[name] == value) continue;
        changed.insert(name);
        if (!source.has_fallback) {
          EXPECT_TRUE(IsUnknown(damaged[name])) << name << " is " << damaged[name];
        }
        degraded.insert(name);
      }
      // What cannot be read may well be tighter than what can: with no file there is no limit, but
      // with a file that keeps its secret the limit is unknown.
      if (source.has_fallback && damage != kMissing) {
        EXPECT_LE(changed.size(), 1u) << source.path;
      } else {
        EXPECT_EQ(changed, WordsOf(source.fields)) << source.path << ", damage " << damage;
      }
      fs::remove(path);
      Put(source.path, source.text);
    }
  }
  EXPECT_EQ(Capture(), whole);
  // The control: all that is read from somewhere was lost at some time.
  std::set<std::string> constant;
  for (const auto& [name, value] : whole.items()) {
    if (degraded.count(name) == 0) constant.insert(name);
  }
  EXPECT_EQ(constant,
            (std::set<std::string>{"started", "store_path", "harness_version", "harness_git",
                                   "harness_flags", "compiler", "libc", "open_files_limit"}));
}

TEST_F(EnvironmentTest, AnUnreadableLimitIsUnknownAndNotNone) {
  fs::remove(root_ + "/sys/fs/cgroup/outer/memory.max");
  fs::create_directory(root_ + "/sys/fs/cgroup/outer/memory.max");
  EXPECT_TRUE(IsUnknown(Capture()["cgroup_memory_limit_bytes"]));
}

TEST_F(EnvironmentTest, AnEmptyMachineIsAllUnknownAndNoCrash) {
  for (const char* directory : {"/proc", "/sys"}) fs::remove_all(root_ + directory);
  const Json e = Capture();
  int unknown = 0;
  for (const auto& [name, value] : e.items()) unknown += IsUnknown(value);
  EXPECT_GT(unknown, 50);
}

TEST_F(EnvironmentTest, GarbageInASourceIsUnknownAndAlwaysFitsIntoJson) {
  for (const std::string& garbage :
       {std::string("\xff\xfe\n\0\x01 - : =", 11), std::string("9-1"), std::string(200'000, '9'),
        std::string("0-99999999999999999999")}) {
    for (const Source& source : Sources()) Put(source.path, garbage);
    const Json captured = Capture();
    EXPECT_EQ(ParseJsonText(JsonText(captured)), captured);
  }
  EXPECT_EQ(ParseJsonText(JsonText(Capture("/data/\xff\xfe")))["store_path"], "/data/\xff\xfe");
}

TEST_F(EnvironmentTest, TheSecretsInTheCommandLineAreWithheld) {
  const Json e = Capture();
  EXPECT_EQ(e["kernel_cmdline"],
            "quiet mitigations=off ip=(withheld) systemd.hostname=(withheld) -- (withheld)");
  EXPECT_EQ(e.dump().find("secret"), std::string::npos);
}

TEST_F(EnvironmentTest, TheHostsNameIsNotRecorded) {
  Put("/proc/sys/kernel/hostname", "my-secret-host");
  Put("/etc/hostname", "my-secret-host");
  EXPECT_EQ(Capture().dump().find("my-secret-host"), std::string::npos);
}

TEST_F(EnvironmentTest, ReadsTheLimitsOfTheOldControlGroups) {
  Put("/proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a/b\n3:cpuset:/\n0::/a\n");
  Put("/proc/self/mountinfo",
      "20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "21 20 0:31 / /cg/memory rw - cgroup cgroup rw,memory\n"
      // In a container a part of the hierarchy is mounted, and the path is that of the host.
      "22 20 0:32 /a /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
      "23 20 0:33 / /cg/cpuset rw - cgroup cgroup rw,cpuset\n"
      "24 20 0:34 / /cg/unified rw - cgroup2 cgroup rw\n");
  Put("/cg/memory/memory.limit_in_bytes", "9223372036854771712");
  Put("/cg/memory/a/memory.limit_in_bytes", "5000000");
  Put("/cg/memory/a/b/memory.limit_in_bytes", "9223372036854771712");
  Put("/cg/cpu/cpu.cfs_quota_us", "50000");
  Put("/cg/cpu/cpu.cfs_period_us", "100000");
  Put("/cg/cpuset/cpuset.effective_cpus", "2-3");
  Json e = Capture();
  EXPECT_EQ(e["cgroup_version"], 1);
  EXPECT_EQ(e["cgroup_memory_limit_bytes"], 5000000);
  EXPECT_EQ(e["cgroup_cpu_limit"], 0.5);
  EXPECT_EQ(e["cgroup_cpuset"], "2-3");
  Put("/cg/cpu/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(Capture()["cgroup_cpu_limit"], "none");
  fs::remove(root_ + "/cg/cpu/cpu.cfs_quota_us");
  fs::remove(root_ + "/cg/cpu/cpu.cfs_period_us");
  EXPECT_TRUE(IsUnknown(Capture()["cgroup_cpu_limit"]));
}

TEST_F(EnvironmentTest, FindsTheDiskOfASubvolumeAndSaysWhenThereIsNone) {
  Put("/proc/self/mountinfo",
      "20 1 0:40 /sub / rw - btrfs /dev/sda1 rw\n21 20 0:41 / /data\\040two rw - tmpfs none rw\n");
  fs::create_directories(root_ + "/sys/class/block");
  fs::create_symlink("../../devices/pci0/ata1/block/sda/sda1", root_ + "/sys/class/block/sda1");
  EXPECT_EQ(Capture()["block_model"], "Disk 1");
  const Json volatile_store = Capture("/data two/x");
  EXPECT_EQ(volatile_store["filesystem_type"], "tmpfs");
  EXPECT_EQ(volatile_store["block_model"], "unknown: no block device is known for tmpfs (0:41)");
}

TEST_F(EnvironmentTest, TellsWhatLiesBetweenTheFileSystemAndTheDisk) {
  Put("/sys/dev/block/8:1/dm/uuid", "CRYPT-LUKS2-0123456789abcdef-secret");
  fs::create_directories(root_ + "/sys/dev/block/8:1/slaves/md0");
  EXPECT_EQ(Capture()["block_stack"], (Json{{"mapper", "CRYPT"}, {"on", Json::array({"md0"})}}));
}

TEST_F(EnvironmentTest, TheFingerprintIsOfTheMachineAndNotOfTheMoment) {
  const std::string before = Fingerprint(Capture());
  EXPECT_EQ(before.size(), 16u);
  EXPECT_EQ(before.find_first_not_of("0123456789abcdef"), std::string::npos);
  Put("/proc/loadavg", "9.50 0.25 0.10 1/100 42\n");
  Put("/proc/meminfo", "MemTotal: 15999000 kB\nMemAvailable: 5 kB\nSwapTotal: 0 kB\n");
  EXPECT_EQ(Fingerprint(Capture("/elsewhere")), before);
  // It must also outlive the manifest's way through a file.
  EXPECT_EQ(Fingerprint(Json::parse(Capture().dump(2))), before);
  std::set<std::string> different = {before};
  for (const char* path : {"/proc/sys/kernel/osrelease", "/proc/sys/vm/swappiness",
                           "/sys/devices/system/cpu/smt/control", "/proc/cmdline"}) {
    Put(path, "changed");
    EXPECT_TRUE(different.insert(Fingerprint(Capture())).second) << path;
  }
}

TEST_F(EnvironmentTest, ConditionsAreOfTheDiskAndTheLimitsAndNotOfTheMoment) {
  const auto before = LastingConditions(Capture());
  Put("/proc/loadavg", "9.50 0.25 0.10 1/100 42\n");
  EXPECT_EQ(LastingConditions(Capture()), before);
  Json environment = Capture();
  environment["block_model"] = "another disk";
  EXPECT_NE(LastingConditions(environment), before);
  // For whatever reason it is unknown; also in a manifest from before there was such a field.
  environment["block_model"] = "unknown: one reason";
  const auto unknown = LastingConditions(environment);
  environment["block_model"] = "unknown: another";
  EXPECT_EQ(LastingConditions(environment), unknown);
  environment.erase("block_model");
  EXPECT_EQ(LastingConditions(environment), unknown);
}

TEST(Environment, OfThisMachineKnowsItsKernelAndItsFileSystem) {
  // /proc/self/mountinfo does not name what a chroot stands on.
  if (std::system("findmnt --target . >/dev/null") != 0) GTEST_SKIP() << "no mount is named here";
  const Json e = CaptureEnvironment("./not/yet");
  EXPECT_EQ(e["store_path"], "./not/yet");
  for (const char* name : {"started", "kernel", "memory_total_bytes", "cpu_threads_online",
                           "filesystem_type", "filesystem_size_bytes", "compiler", "libc",
                           "harness_version", "harness_git", "harness_flags", "allocator"}) {
    EXPECT_FALSE(IsUnknown(e[name])) << name << ": " << e[name];
  }
  EXPECT_EQ(Fingerprint(e), Fingerprint(CaptureEnvironment("/tmp")));
}

TEST(DriveWarnings, AreOfAFileSystemThatIsMoreThanFourFifthsFull) {
  EXPECT_THAT(DriveWarnings({{"filesystem_fill_percent", 80.0}}), IsEmpty());
  EXPECT_THAT(DriveWarnings({{"filesystem_fill_percent", 80.1}}),
              ElementsAre(HasSubstr("was 80.1 % full before the run")));
}

TEST(DriveWarnings, AreNotOfWhatIsNotKnown) {
  EXPECT_THAT(DriveWarnings(Json::object()), IsEmpty());
  EXPECT_THAT(DriveWarnings({{"filesystem_fill_percent", "unknown: statvfs: denied"}}), IsEmpty());
}

TEST(DriveWarnings, UnderstandWhatIsCapturedHere) {
  const Json environment = CaptureEnvironment(".");
  ASSERT_TRUE(environment["filesystem_fill_percent"].is_number());
  const bool is_full = environment["filesystem_fill_percent"].get<double>() > 80;
  EXPECT_EQ(DriveWarnings(environment).size(), is_full ? 1u : 0u);
}

}  // namespace levelfield::environment_test
