// The facts of this machine, found out as a plan asks for them (plan/known.h). Here alone planning
// meets files, engines and the machine. Changes nothing. Each object belongs to one thread.
#ifndef LEVELFIELD_FACTS_FACTS_HERE_H_
#define LEVELFIELD_FACTS_FACTS_HERE_H_

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "plan/facts.h"
#include "plan/known.h"
#include "plan/make_plan.h"
#include "settings/settings.h"

namespace levelfield {

class FactsHere {
 public:
  FactsHere() = default;
  // Some are known already: the texts of workloads that are in no file.
  explicit FactsHere(Facts known) : facts_(std::move(known)) {}
  // Those of another machine, from that file: nothing is found out here.
  static StatusOr<FactsHere> FromFile(const std::string& path);

  // What `make` makes of a Known, a Status or a StatusOr. It is called until nothing is open.
  template <class Make>
  auto For(const Make& make) {
    for (;;) {
      std::vector<OpenQuestion> open;
      Known known(facts_, open);
      auto made = make(known);
      if (open.empty()) return made;
      if (Status status = FindOut(open); !status.ok()) return decltype(made)(std::move(status));
    }
  }

  const Facts& facts() const { return facts_; }

 private:
  // An error: a question stays open.
  Status FindOut(const std::vector<OpenQuestion>& open);
  void FindOutOne(const OpenQuestion& question);
  void AskEngines(const std::vector<OpenQuestion>& questions);
  void AskForStores(const std::vector<OpenQuestion>& questions);
  void Take(const ProbeRequest& request, const ProbeReply& reply);

  Facts facts_;
  std::set<std::string> asked_;  // Their words.
  std::string file_;             // Empty: this machine.
};

// The plan of these settings, typed as `command`.
StatusOr<Plan> MakePlan(const Settings& settings, std::string command, FactsHere& facts);

// Adds how the harness's own cost is measured.
Status AddOverheads(Plan& plan, FactsHere& facts);

// See plan/find_stores.h.
Status CheckOutsideStores(std::string_view what, const std::string& path);

}  // namespace levelfield

#endif  // LEVELFIELD_FACTS_FACTS_HERE_H_
