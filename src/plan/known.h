// What a plan knows. It reads facts, and where they do not say what it needs, notes the question
// and has an error. Whoever wants the plan finds out the answers and makes it again, until nothing
// is open (facts/facts_here.h); who has no machine to ask shows the error. So each question stands
// once, where its answer is used, and nothing is asked that no plan needs.
//
// Pure. Each object belongs to one thread.
#ifndef LEVELFIELD_PLAN_KNOWN_H_
#define LEVELFIELD_PLAN_KNOWN_H_

#include <string>
#include <vector>

#include "base/status.h"
#include "plan/facts.h"
#include "settings/settings.h"

namespace levelfield {

struct OpenQuestion {
  enum class Kind {
    kMachine,
    kPlugIns,
    kEngine,  // What it is, and whether it takes the settings of `request`.
    kPlace,
    kEnclosingStore,
    kRecognition,
    kDisk,
    kWorkload,
    kTrace,
    kCheck,
  };
  Kind kind = Kind::kMachine;
  std::string words;        // "what lies at /data". No two questions have the same.
  std::string path = {};    // Or the kind of a file system.
  std::string engine = {};  // For kRecognition.
  bool may_be_one = false;
  ProbeRequest request = {};
  TracePlan trace = {};
  MachineCheck check = MachineCheck::kMemoryLimit;
};

class Known {
 public:
  // Notes in `open` what `facts` do not say. Both must outlive it.
  Known(const Facts& facts, std::vector<OpenQuestion>& open) : facts_(facts), open_(open) {}

  StatusOr<MachineFacts> Machine();
  // The names of the installed engines. An error if there is none.
  StatusOr<std::vector<std::string>> PlugIns();
  // What the engines are. With settings, also whether they take those. In their order.
  StatusOr<std::vector<ProbeReply>> Engines(const std::vector<std::string>& specs,
                                            const Settings* settings);
  // Whether an engine opens the store at `path` with these settings, without changing a byte.
  // Empty: it does; otherwise why not.
  StatusOr<std::string> WhyNotReadOnly(ProbeRequest request, const std::string& path);
  StatusOr<PlaceFacts> Place(const std::string& path);
  // The store around a path; `store` is empty if there is none.
  StatusOr<EnclosingStore> Enclosing(const std::string& path, bool may_be_one);
  // Those of the engines that recognize the path as a store of theirs. All builds of one share its
  // name.
  StatusOr<std::vector<std::string>> Recognizing(const std::string& path,
                                                 const std::vector<std::string>& engines);
  StatusOr<DiskFacts> Disk(const std::string& path);
  StatusOr<WorkloadText> WorkloadOf(const std::string& path);
  Status DescribeTrace(TracePlan& trace);
  // What the machine found. Ok: nothing is in the way.
  Status Found(MachineCheck check, const std::string& of = "");

  // Whether something is open. Then an error may be only that, and what seems fine may not be.
  bool HasOpen() const { return !open_.empty(); }
  // An error that says what is open.
  Status CheckAll() const;

 private:
  Status Ask(OpenQuestion question);
  StatusOr<ProbeReply> Engine(const ProbeRequest& request);

  const Facts& facts_;
  std::vector<OpenQuestion>& open_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_PLAN_KNOWN_H_
