// Runs a program whose system calls of the given names are answered by a filter, before they come
// to the kernel, as a sandbox does: `with_answered_calls EPERM ptrace -- program words...`; 0 in
// place of an error says that all went well. Several names are joined by commas.
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

int main(int count, char** words) {
  const std::map<std::string, unsigned> kAnswers = {{"0", 0}, {"EPERM", EPERM}, {"ENOSYS", ENOSYS}};
  const std::map<std::string, unsigned> kCalls = {{"fsync", SYS_fsync},
                                                  {"fdatasync", SYS_fdatasync},
                                                  {"msync", SYS_msync},
                                                  {"syncfs", SYS_syncfs},
                                                  {"sync", SYS_sync},
                                                  {"sync_file_range", SYS_sync_file_range},
                                                  {"ptrace", SYS_ptrace},
                                                  {"seccomp", SYS_seccomp},
                                                  {"io_uring_setup", SYS_io_uring_setup}};
  if (count < 5 || kAnswers.count(words[1]) == 0 || std::string(words[3]) != "--") {
    std::fputs("usage: with_answered_calls 0|EPERM|ENOSYS call,call -- program words\n", stderr);
    return 2;
  }
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  std::istringstream names(words[2]);
  for (std::string name; std::getline(names, name, ',');) {
    if (kCalls.count(name) == 0) return 2;
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kCalls.at(name), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | kAnswers.at(words[1])));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    std::perror("with_answered_calls");
    return 125;
  }
  execv(words[4], words + 4);
  std::perror(words[4]);
  return 126;
}
