// The kernel's own writing back of dirty pages, which comes some seconds after a write and in an
// order of its own, brought forward: while this lives, a thread has the files below a directory
// written back at random moments. Without it a power cut would find nothing on the disk but what
// the engine has synced, and no store would ever be half there.
//
// Half of the times a write-back without a flush or a commit of the file system's journal, else a
// sync of the whole file system.
#ifndef LEVELFIELD_DURABILITY_WRITEBACK_H_
#define LEVELFIELD_DURABILITY_WRITEBACK_H_

#include <cstdint>
#include <string>
#include <thread>

namespace levelfield {

class Writeback {
 public:
  Writeback(std::string directory, uint64_t seed);
  // Waits until the thread is over and has no file open.
  ~Writeback() = default;
  Writeback(const Writeback&) = delete;
  Writeback& operator=(const Writeback&) = delete;

 private:
  std::jthread thread_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_DURABILITY_WRITEBACK_H_
