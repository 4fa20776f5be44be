#include "durability/acknowledgements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace levelfield {
namespace {

using ::testing::ElementsAre;

TEST(Acknowledgements, OfAWriterThatWasKilledAreThere) {
  StatusOr<Acknowledgements> ours = Acknowledgements::Make(2);
  ASSERT_TRUE(ours.ok()) << ours.status().message();
  const std::string path = ours->path();
  const pid_t writer = fork();
  if (writer == 0) {
    StatusOr<Acknowledgements> theirs = Acknowledgements::Open(path, 2);
    if (!theirs.ok()) _exit(1);
    theirs->slot(0).issued = 8;
    theirs->slot(1).issued = Acknowledgements::kMostCommits;
    theirs->slot(1).acked_ns[Acknowledgements::kMostCommits] = 77;
    theirs->slot(1).acked = Acknowledgements::kMostCommits;
    theirs->goal() = 5;
    (void)raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(ours->Issued(), ElementsAre(8, Acknowledgements::kMostCommits));
  EXPECT_THAT(ours->Acked(), ElementsAre(0, Acknowledgements::kMostCommits));
  EXPECT_EQ(ours->AckedNs(1, Acknowledgements::kMostCommits), 77u);
  EXPECT_EQ(ours->goal(), 5u);
}

TEST(Acknowledgements, OfAParentThatIsGoneAreAnError) {
  EXPECT_FALSE(Acknowledgements::Open("/proc/self/fd/1000000", 1).ok());
}

}  // namespace
}  // namespace levelfield
