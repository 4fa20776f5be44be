#include "engine/features.h"

#include <utility>

#include "base/quote.h"

namespace levelfield {
namespace {

constexpr lf_bytes kKey{"a", 1};
constexpr lf_bytes kBehindIt{"b", 1};

lf_code TryTransaction(const lf_engine& table, lf_session* session) {
  if (table.begin_transaction == nullptr) return LF_UNSUPPORTED;
  const lf_code code = table.begin_transaction(session);
  return code == LF_OK ? table.roll_back_transaction(session) : code;
}

lf_code TrySnapshot(const lf_engine& table, lf_session* session) {
  if (table.take_snapshot == nullptr) return LF_UNSUPPORTED;
  lf_snapshot* snapshot = nullptr;
  const lf_code code = table.take_snapshot(session, &snapshot);
  if (code == LF_OK) table.release_snapshot(session, snapshot);
  return code;
}

lf_code TryMerge(const lf_engine& table, lf_session* session) {
  return table.merge != nullptr ? table.merge(session, kKey, kKey) : LF_UNSUPPORTED;
}

lf_code TryMultiGet(const lf_engine& table, lf_session* session) {
  if (table.multi_get == nullptr) return LF_UNSUPPORTED;
  lf_bytes value{};
  lf_code code = LF_OK;
  return table.multi_get(session, &kKey, 1, &value, &code);
}

lf_code TryDeleteRange(const lf_engine& table, lf_session* session) {
  return table.delete_range != nullptr ? table.delete_range(session, kKey, kBehindIt)
                                       : LF_UNSUPPORTED;
}

struct Trial {
  lf_code (*attempt)(const lf_engine& table, lf_session* session);
  // Whether the table has it at all: if not, `last_error` is of another call.
  bool (*is_offered)(const lf_engine& table);
};
// In the order of kFeatures.
constexpr Trial kTrials[] = {
    {TryTransaction, [](const lf_engine& it) { return it.begin_transaction != nullptr; }},
    {TrySnapshot, [](const lf_engine& it) { return it.take_snapshot != nullptr; }},
    {TryMerge, [](const lf_engine& it) { return it.merge != nullptr; }},
    {TryMultiGet, [](const lf_engine& it) { return it.multi_get != nullptr; }},
    {TryDeleteRange, [](const lf_engine& it) { return it.delete_range != nullptr; }},
};
static_assert(std::size(kTrials) == std::size(kFeatures));

}  // namespace

StatusOr<std::vector<Feature>> FeaturesOf(Store& store) {
  ASSIGN_OR_RETURN(Session session, store.BeginSession());
  const lf_engine& table = store.engine().table();
  std::vector<Feature> features;
  for (size_t i = 0; i < std::size(kTrials); ++i) {
    Feature feature{std::string(kFeatures[i].name), false, "its plug-in does not offer it"};
    if (kTrials[i].is_offered(table)) {
      feature.is_there = kTrials[i].attempt(table, session.get()) == LF_OK;
      feature.reason = feature.is_there ? "" : Printable(table.last_error());
    }
    features.push_back(std::move(feature));
  }
  return features;
}

}  // namespace levelfield
