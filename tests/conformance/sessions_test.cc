// Several sessions of one store: each sees what the others were told is written.
#include <atomic>
#include <chrono>
#include <future>
#include <iostream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "conformance.h"

namespace levelfield {
namespace {

CONFORMANCE_SUITE(Sessions, AnswersConformance);

TEST_P(Sessions, EachSeesTheOthersWritesAtOnce) {
  Store store = Open();
  TestSession one(store);
  TestSession two(store);
  for (int i = 0; i < 50; ++i) {
    const std::string value = std::to_string(i);
    ASSERT_EQ(one.Put("k", value), LF_OK);
    ASSERT_EQ(two.Get("k"), Value(value));
    ASSERT_EQ(two.Write({PutEntry("k", value + "!"), PutEntry("l", value)}), LF_OK);
    ASSERT_EQ(one.Get("k"), Value(value + "!"));
    ASSERT_EQ(one.Erase("l"), LF_OK);
    ASSERT_EQ(two.Get("l"), NotFound());
  }
}

TEST_P(Sessions, AScanSeesWhatOtherSessionsWroteBeforeIt) {
  Store store = Open();
  TestSession reader(store);
  TestSession writer(store);
  Model model;
  for (int i = 10; i < 60; ++i) {
    // The get ends the reader's scan: the contract does not say that an open one lets others write.
    ASSERT_EQ(reader.Get("absent"), NotFound());
    const std::string key = std::to_string(i);
    ASSERT_EQ(writer.Put(key, "v"), LF_OK);
    model[key] = "v";
    ASSERT_EQ(reader.Seek(LF_LAST), Entry(key, "v"));
    ASSERT_EQ(reader.Everything(), model);
  }
}

TEST_P(Sessions, AValueStaysUntilTheNextCallWhateverOthersWrite) {
  Store store = Open();
  TestSession reader(store);
  TestSession writer(store);
  const std::string before = Noise(3000);
  ASSERT_EQ(writer.Put("k", before), LF_OK);
  lf_bytes value{};
  ASSERT_EQ(engine().table().get(reader.get(), Bytes("k"), &value), LF_OK);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(writer.Put("k", Noise(3000, static_cast<uint64_t>(i) + 2)), LF_OK);
    ASSERT_EQ(writer.Put("k" + std::to_string(i), "another"), LF_OK);
    ASSERT_TRUE(std::string_view(value.data, value.size) == before) << "after " << i << " puts";
  }
  ASSERT_EQ(writer.Erase("k"), LF_OK);
  EXPECT_TRUE(std::string_view(value.data, value.size) == before);
}

TEST_P(Sessions, AnEntryOfAScanStaysUntilTheNextCallWhateverOthersWrite) {
  Store store = Open();
  TestSession reader(store);
  const std::string before = Noise(3000);
  ASSERT_EQ(reader.Put("k", before), LF_OK);
  lf_bytes key{};
  lf_bytes value{};
  ASSERT_EQ(engine().table().seek(reader.get(), LF_FIRST, Bytes(""), &key, &value), LF_OK);
  // On a thread of its own, because an engine may make it wait for the scan to end.
  std::mutex begin_and_end;
  auto writer = std::async(std::launch::async, [&] {
    std::unique_lock lock(begin_and_end);
    TestSession own(store);
    lock.unlock();
    lf_code code = LF_OK;
    for (int i = 0; i < 100 && code == LF_OK; ++i) {
      code = own.Put("k", Noise(3000, static_cast<uint64_t>(i) + 2));
      if (code == LF_OK) code = own.Put("k" + std::to_string(i), "another");
    }
    if (code == LF_OK) code = own.Erase("k");
    lock.lock();
    return code;
  });
  if (writer.wait_for(std::chrono::seconds(1)) == std::future_status::timeout) {
    std::cout << "[ recorded    ] " << GetParam() << ": an open scan makes writers wait\n";
  }
  EXPECT_EQ(std::string_view(key.data, key.size), "k");
  EXPECT_TRUE(std::string_view(value.data, value.size) == before);
  (void)reader.Get("absent");  // Ends the scan, so that the writer can.
  EXPECT_EQ(writer.get(), LF_OK);
  EXPECT_EQ(reader.Get("k"), NotFound());
}

TEST_P(Sessions, MayEndAndBeginAgainManyTimes) {
  Store store = Open();
  for (int i = 0; i < 300; ++i) {
    TestSession session(store);
    ASSERT_EQ(session.Put("k" + std::to_string(i % 7), std::to_string(i)), LF_OK);
    ASSERT_EQ(session.Seek(LF_FIRST).code, LF_OK);  // An open scan ends with its session.
  }
  TestSession session(store);
  EXPECT_EQ(session.Everything().size(), 7u);
}

TEST_P(Sessions, ThreadsThatWriteApartLoseNothing) {
  Store store = Open();
  constexpr int kThreads = 2;
  constexpr int kKeys = 1000;
  std::mutex begin_and_end;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      std::unique_lock lock(begin_and_end);
      TestSession session(store);
      lock.unlock();
      for (int i = 0; i < kKeys; ++i) {
        // The two threads' keys alternate, so that they meet in the same pages.
        const std::string key = std::to_string(10000 + i * kThreads + t);
        if (session.Put(key, key) != LF_OK || session.Get(key) != Value(key)) {
          ADD_FAILURE() << key << ": " << engine().table().last_error();
          break;
        }
      }
      lock.lock();
    });
  }
  for (std::thread& thread : threads) thread.join();
  Model model;
  for (int i = 10000; i < 10000 + kThreads * kKeys; ++i)
    model[std::to_string(i)] = std::to_string(i);
  TestSession session(store);
  EXPECT_TRUE(session.Everything() == model);
}

TEST_P(Sessions, ReadersNeverSeeHalfAValue) {
  Store store = Open();
  TestSession writer(store);
  const auto letters = [](int i) {
    return std::string(static_cast<size_t>(500 + i % 1000), static_cast<char>('a' + i % 26));
  };
  ASSERT_EQ(writer.Put("k", letters(0)), LF_OK);
  std::atomic<bool> is_done = false;
  std::atomic<int> reads = 0;
  constexpr int kFewestReads = 300;
  std::mutex begin_and_end;
  std::thread reader([&] {
    std::unique_lock lock(begin_and_end);
    TestSession session(store);
    lock.unlock();
    while (!is_done) {
      for (const Answer& answer : {session.Get("k"), session.Seek(LF_FIRST)}) {
        const bool is_whole =
            answer.code == LF_OK && answer.value.size() >= 500 &&
            answer.value.find_first_not_of(answer.value.front()) == std::string::npos;
        if (is_whole) continue;
        ADD_FAILURE() << ::testing::PrintToString(answer);
        reads = kFewestReads;
        lock.lock();
        return;
      }
      (void)session.Get("absent");  // Ends the scan.
      ++reads;
    }
    lock.lock();
  });
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(3);
  for (int i = 1; i < 1000 || reads < kFewestReads; ++i) {
    if (std::chrono::steady_clock::now() > deadline) break;  // For an engine that starves readers.
    const lf_code code = writer.Put("k", letters(i));
    EXPECT_EQ(code, LF_OK);
    if (code != LF_OK) break;
  }
  is_done = true;
  reader.join();
  EXPECT_GT(reads, 0);
  RecordProperty("reads", reads);
}

}  // namespace
}  // namespace levelfield
