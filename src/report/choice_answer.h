// What `choose` answered, in words and numbers: answer.json of its result, from which report.html
// says it again. Plain data.
#ifndef LEVELFIELD_REPORT_CHOICE_ANSWER_H_
#define LEVELFIELD_REPORT_CHOICE_ANSWER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/fields.h"

namespace levelfield {

// Of the result's directory.
inline constexpr const char* kAnswerFile = "answer.json";

struct AnsweredEngine {
  std::string engine;
  bool is_chosen = false;
  // Operations a second, or the highest rate that keeps the objective. Absent: it has no figure.
  std::optional<double> rate = {};
  std::optional<double> low = {};
  std::optional<double> high = {};
  bool is_at_least = false;          // Higher rates could not be measured.
  std::optional<double> ratio = {};  // Its rate over that of the best, round by round.
  std::optional<double> ratio_low = {};
  std::optional<double> ratio_high = {};
  std::string why;  // It was chosen, or was not.

  static constexpr Fields kFields{"an engine of the answer",
                                  Field("engine", &AnsweredEngine::engine),
                                  Field("is_chosen", &AnsweredEngine::is_chosen),
                                  Field("rate", &AnsweredEngine::rate),
                                  Field("low", &AnsweredEngine::low),
                                  Field("high", &AnsweredEngine::high),
                                  Field("is_at_least", &AnsweredEngine::is_at_least),
                                  Field("ratio", &AnsweredEngine::ratio),
                                  Field("ratio_low", &AnsweredEngine::ratio_low),
                                  Field("ratio_high", &AnsweredEngine::ratio_high),
                                  Field("why", &AnsweredEngine::why)};
  bool operator==(const AnsweredEngine&) const = default;
};

// The same question with one thing changed.
struct AnsweredChange {
  std::string question;  // "four times the keys".
  std::string answer;    // Or why it was not tried.
  bool is_tried = false;
  bool changes_answer = false;
  bool is_doubtful = false;  // It would, but the machine was busy in that round.

  static constexpr Fields kFields{"a change of the question",
                                  Field("question", &AnsweredChange::question),
                                  Field("answer", &AnsweredChange::answer),
                                  Field("is_tried", &AnsweredChange::is_tried),
                                  Field("changes_answer", &AnsweredChange::changes_answer),
                                  Field("is_doubtful", &AnsweredChange::is_doubtful).UnlessEmpty()};
  bool operator==(const AnsweredChange&) const = default;
};

struct ChoiceAnswer {
  std::string answer;
  std::string asked;
  std::string figure;                        // What the rates are: "ops/s".
  std::vector<AnsweredEngine> engines = {};  // The best first.
  std::vector<std::string> notes = {};
  std::vector<AnsweredChange> changes = {};

  static constexpr Fields kFields{"an answer of choose",
                                  Field("answer", &ChoiceAnswer::answer),
                                  Field("asked", &ChoiceAnswer::asked),
                                  Field("figure", &ChoiceAnswer::figure),
                                  Field("engines", &ChoiceAnswer::engines),
                                  Field("notes", &ChoiceAnswer::notes),
                                  Field("changes", &ChoiceAnswer::changes)};
  bool operator==(const ChoiceAnswer&) const = default;
};

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_CHOICE_ANSWER_H_
