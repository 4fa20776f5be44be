// The name that somebody probably meant, for "did you mean". Pure, for any thread.
#ifndef LEVELFIELD_BASE_NEAREST_H_
#define LEVELFIELD_BASE_NEAREST_H_

#include <span>
#include <string>
#include <string_view>

namespace levelfield {

// How many characters have to be inserted, dropped, replaced or swapped with their neighbour to
// turn one text into the other (Damerau and Levenshtein; no part is edited twice).
size_t EditDistance(std::string_view a, std::string_view b);

// The name with the fewest edits, the first one of those that tie; empty when nothing is near, that
// is when more than a third of the longer of the two would have to change.
std::string NearestName(std::string_view text, std::span<const std::string> names);

// "; did you mean 'num'?", for the end of a message; `otherwise` where nothing is near.
std::string DidYouMean(std::string_view text, std::span<const std::string> names,
                       std::string_view otherwise = "");

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_NEAREST_H_
