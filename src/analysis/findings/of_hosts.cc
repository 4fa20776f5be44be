// How far the machines of a merged result are apart, and which of them is behind the others.
#include <algorithm>
#include <map>

#include "analysis/findings/far_behind.h"
#include "analysis/findings/findings.h"
#include "base/quote.h"
#include "base/text.h"
#include "result/merge.h"
#include "stats/statistics.h"

namespace levelfield {
namespace {

// The rates of one engine, set in one way, in one workload.
struct RatesOfHosts {
  std::string engine;
  std::string workload;
  std::vector<std::pair<std::string, double>> rates;  // By host.

  double Median() const {
    std::vector<double> values;
    for (const auto& [host, rate] : rates) values.push_back(rate);
    return levelfield::Median(values);
  }
};

// The variant without its host.
Variant WithoutHost(const Variant& variant) {
  Variant without;
  for (const auto& setting : variant.settings) {
    if (setting.first != kHostSetting) without.settings.push_back(setting);
  }
  without.name = variant.name.substr(0, variant.name.rfind(kHostSetting));
  while (without.name.ends_with(' ')) without.name.pop_back();
  return without;
}

std::vector<RatesOfHosts> RatesByHost(const Findings& of) {
  std::vector<RatesOfHosts> all;
  for (const Series& series : of.series) {
    const std::string host = TextIn(series.sum.variant.settings, kHostSetting);
    if (host.empty()) continue;
    const std::string engine = RunName(series.sum.engine, WithoutHost(series.sum.variant));
    for (size_t place = 0; place < series.sum.phases.size(); ++place) {
      const PhaseResult& phase = series.sum.phases[place];
      const Figures figures = FiguresOf(series, place);
      if (phase.implicit || phase.repetition.warm_up || !figures.rate) continue;
      auto same = std::ranges::find_if(all, [&](const RatesOfHosts& rates) {
        return rates.engine == engine && rates.workload == phase.workload;
      });
      if (same == all.end()) {
        same = all.insert(same, {.engine = engine, .workload = phase.workload, .rates = {}});
      }
      same->rates.emplace_back(host, *figures.rate);
    }
  }
  std::erase_if(all, [](const RatesOfHosts& rates) { return rates.rates.size() < 2; });
  return all;
}

void FindSpread(const std::vector<RatesOfHosts>& all, Remarks& remarks) {
  Remark remark{.kind = RemarkKind::kHostsApart};
  for (const RatesOfHosts& of : all) {
    const auto [least, most] =
        std::ranges::minmax_element(of.rates, {}, [](const auto& rate) { return rate.second; });
    remark.cases.push_back(
        {.engine = Printable(of.engine),
         .workload = of.workload,
         .numbers = {{"share", (most->second - least->second) / of.Median(), RemarkUnit::kShare}}});
  }
  AddIfAny(std::move(remark), remarks);
}

void FindStragglers(const std::vector<RatesOfHosts>& all, Remarks& remarks) {
  Remark remark{.kind = RemarkKind::kStraggler};
  for (const RatesOfHosts& of : all) {
    const double median = of.Median();
    std::vector<double> values;
    for (const auto& [host, rate] : of.rates) values.push_back(rate);
    for (const size_t behind : FarBehind(values)) {
      const auto& [host, rate] = of.rates[behind];
      remark.cases.push_back({.engine = Printable(of.engine),
                              .workload = of.workload,
                              .numbers = {{"share", rate / median, RemarkUnit::kShare}},
                              .texts = {{"host", Printable(host)}}});
    }
  }
  AddIfAny(std::move(remark), remarks);
}

// An engine that is another version on another machine.
void FindVersions(const Findings& of, Remarks& remarks) {
  std::map<std::string, std::map<std::string, std::vector<std::string>>> hosts;  // By version.
  for (const Series& series : of.series) {
    const std::string host = TextIn(series.sum.variant.settings, kHostSetting);
    if (!host.empty() && !series.sum.version.empty()) {
      AddOnce(hosts[series.sum.engine][series.sum.version], host);
    }
  }
  for (const auto& [engine, versions] : hosts) {
    if (versions.size() < 2) continue;
    Remark remark{.kind = RemarkKind::kHostsVersions};
    for (const auto& [version, of_version] : versions) {
      remark.cases.push_back(
          {.engine = Printable(engine),
           .texts = {{"version", Printable(version)}, {"hosts", Printable(Listed(of_version))}}});
    }
    remarks.push_back(std::move(remark));
  }
}

}  // namespace

void FindHowFarHostsAreApart(const Findings& of, Remarks& remarks) {
  if (of.result.machines.size() < 2) return;
  const std::vector<RatesOfHosts> all = RatesByHost(of);
  FindSpread(all, remarks);
  FindStragglers(all, remarks);
  FindVersions(of, remarks);
}

}  // namespace levelfield
