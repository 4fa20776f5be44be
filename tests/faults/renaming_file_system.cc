// A FUSE file system that hands all calls on to another directory, with libfuse's defaults: a file
// that is deleted while somebody has it open is renamed to .fuse_hidden... beside it, and goes when
// it is closed. NFS does the same (.nfs...). A close is taken note of some time after it has
// returned, as on other file systems of this kind, so that names stay a little longer.
//
//   renaming_file_system DIRECTORY MOUNT_POINT [MILLISECONDS [SOURCE]]
//
// It says that it was mounted from SOURCE. Goes to the background once it is mounted, and ends when it is unmounted.
#define FUSE_USE_VERSION 35
#include <dirent.h>
#include <fcntl.h>
#include <fuse.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

std::string root;        // Absolute: a daemon's working directory is "/".
int milliseconds = 0;  // A close is so late.

std::string At(const char* path) { return root + path; }
int Result(long returned) { return returned < 0 ? -errno : static_cast<int>(returned); }
int Handle(const fuse_file_info* info) { return static_cast<int>(info->fh); }

int OpenAs(const char* path, int flags, mode_t mode, fuse_file_info* info) {
  const int fd = open(At(path).c_str(), flags, mode);
  if (fd < 0) return -errno;
  info->fh = static_cast<uint64_t>(fd);
  return 0;
}

int ReadDirectory(const char* path, void* buffer, fuse_fill_dir_t fill) {
  DIR* const directory = opendir(At(path).c_str());
  if (directory == nullptr) return -errno;
  while (const dirent* entry = readdir(directory)) {
    fill(buffer, entry->d_name, nullptr, 0, fuse_fill_dir_flags{});
  }
  closedir(directory);
  return 0;
}

int Release(fuse_file_info* info) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  return Result(close(Handle(info)));
}

fuse_operations Operations() {
  fuse_operations its{};
  its.getattr = [](const char* path, struct stat* status, fuse_file_info* info) {
    return Result(info != nullptr ? fstat(Handle(info), status) : lstat(At(path).c_str(), status));
  };
  its.readlink = [](const char* path, char* to, size_t size) {
    const ssize_t length = readlink(At(path).c_str(), to, size - 1);
    if (length < 0) return -errno;
    to[length] = '\0';
    return 0;
  };
  its.mkdir = [](const char* path, mode_t mode) { return Result(mkdir(At(path).c_str(), mode)); };
  its.unlink = [](const char* path) { return Result(unlink(At(path).c_str())); };
  its.rmdir = [](const char* path) { return Result(rmdir(At(path).c_str())); };
  its.symlink = [](const char* to, const char* path) {
    return Result(symlink(to, At(path).c_str()));
  };
  its.rename = [](const char* from, const char* to, unsigned flags) {
    return Result(renameat2(AT_FDCWD, At(from).c_str(), AT_FDCWD, At(to).c_str(), flags));
  };
  its.link = [](const char* from, const char* to) {
    return Result(link(At(from).c_str(), At(to).c_str()));
  };
  its.chmod = [](const char* path, mode_t mode, fuse_file_info*) {
    return Result(chmod(At(path).c_str(), mode));
  };
  its.truncate = [](const char* path, off_t size, fuse_file_info* info) {
    return Result(info != nullptr ? ftruncate(Handle(info), size)
                                  : truncate(At(path).c_str(), size));
  };
  its.utimens = [](const char* path, const timespec times[2], fuse_file_info*) {
    return Result(utimensat(AT_FDCWD, At(path).c_str(), times, AT_SYMLINK_NOFOLLOW));
  };
  its.open = [](const char* path, fuse_file_info* info) {
    return OpenAs(path, info->flags, 0, info);
  };
  its.create = [](const char* path, mode_t mode, fuse_file_info* info) {
    return OpenAs(path, info->flags | O_CREAT, mode, info);
  };
  its.read = [](const char*, char* to, size_t size, off_t offset, fuse_file_info* info) {
    return Result(pread(Handle(info), to, size, offset));
  };
  its.write = [](const char*, const char* from, size_t size, off_t offset, fuse_file_info* info) {
    return Result(pwrite(Handle(info), from, size, offset));
  };
  its.fallocate = [](const char*, int mode, off_t offset, off_t length, fuse_file_info* info) {
    return Result(fallocate(Handle(info), mode, offset, length));
  };
  its.fsync = [](const char*, int data_only, fuse_file_info* info) {
    return Result(data_only != 0 ? fdatasync(Handle(info)) : fsync(Handle(info)));
  };
  its.release = [](const char*, fuse_file_info* info) { return Release(info); };
  its.readdir = [](const char* path, void* buffer, fuse_fill_dir_t fill, off_t, fuse_file_info*,
                   fuse_readdir_flags) { return ReadDirectory(path, buffer, fill); };
  its.statfs = [](const char* path, struct statvfs* status) {
    return Result(statvfs(At(path).c_str(), status));
  };
  return its;
}

}  // namespace

int main(int argc, char** argv) {
  char* const absolute = argc < 3 ? nullptr : realpath(argv[1], nullptr);
  if (absolute == nullptr) {
    std::fprintf(stderr, "renaming_file_system DIRECTORY MOUNT_POINT [MILLISECONDS [SOURCE]]\n");
    return 2;
  }
  root = absolute;
  milliseconds = argc > 3 ? std::atoi(argv[3]) : 0;
  const fuse_operations operations = Operations();
  std::string source = std::string("-ofsname=") + (argc > 4 ? argv[4] : argv[0]);
  char* words[] = {argv[0], argv[2], source.data()};
  return fuse_main(3, words, &operations, nullptr);
}
