// What the harness itself costs, in words, and which figures are too near to it. Pure.
#ifndef LEVELFIELD_REPORT_PRICE_TEXT_H_
#define LEVELFIELD_REPORT_PRICE_TEXT_H_

#include <string>
#include <vector>

#include "result/result.h"

namespace levelfield {

// A paragraph each; none where no price is known.
std::vector<std::string> PriceLines(const Result& result);

}  // namespace levelfield

#endif  // LEVELFIELD_REPORT_PRICE_TEXT_H_
