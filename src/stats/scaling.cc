#include "stats/scaling.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "stats/statistics.h"

namespace levelfield {
namespace {

using Row = std::array<double, 3>;
using Matrix = std::array<Row, 3>;

// By Gauss and Jordan, with pivots; nothing if the matrix is singular.
std::optional<Matrix> InverseOf(Matrix matrix) {
  Matrix inverse{Row{1, 0, 0}, Row{0, 1, 0}, Row{0, 0, 1}};
  for (size_t column = 0; column < 3; ++column) {
    size_t pivot = column;
    for (size_t row = column + 1; row < 3; ++row) {
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    }
    if (matrix[pivot][column] == 0 || !std::isfinite(matrix[pivot][column])) return std::nullopt;
    std::swap(matrix[pivot], matrix[column]);
    std::swap(inverse[pivot], inverse[column]);
    const double scale = matrix[column][column];
    for (size_t i = 0; i < 3; ++i) {
      matrix[column][i] /= scale;
      inverse[column][i] /= scale;
    }
    for (size_t row = 0; row < 3; ++row) {
      if (row == column) continue;
      const double factor = matrix[row][column];
      for (size_t i = 0; i < 3; ++i) {
        matrix[row][i] -= factor * matrix[column][i];
        inverse[row][i] -= factor * inverse[column][i];
      }
    }
  }
  return inverse;
}

// The factors of 1/lambda, sigma/lambda and kappa/lambda, divided by N/X: the regression is of 1.
Row TermsOf(const ScalingPoint& point) {
  const auto n = static_cast<double>(point.threads);
  const double weight = point.rate / n;
  return {weight, (n - 1) * weight, n * (n - 1) * weight};
}

// The standard error of the quotient of two coefficients, by the delta method.
double ErrorOfQuotient(double of, size_t index, double by, const Matrix& covariance) {
  const double quotient = of / by;
  const double variance = covariance[index][index] - 2 * quotient * covariance[index][0] +
                          quotient * quotient * covariance[0][0];
  return std::sqrt(std::max(0.0, variance)) / std::abs(by);
}

}  // namespace

StatusOr<ScalingFit> FitScaling(std::span<const ScalingPoint> points) {
  std::set<uint64_t> counts;
  for (const ScalingPoint& point : points) counts.insert(point.threads);
  if (counts.size() < kLeastThreadCounts) {
    return Status::Usage(
        fmt::format("{} different numbers of threads; a law of scaling takes {} or more",
                    counts.size(), kLeastThreadCounts));
  }
  Matrix normal{};
  Row right{};
  for (const ScalingPoint& point : points) {
    const Row terms = TermsOf(point);
    for (size_t i = 0; i < 3; ++i) {
      right[i] += terms[i];
      for (size_t j = 0; j < 3; ++j) normal[i][j] += terms[i] * terms[j];
    }
  }
  const std::optional<Matrix> inverse = InverseOf(normal);
  if (!inverse) return Status::Usage("no law of scaling goes through these points");
  Row solved{};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) solved[i] += (*inverse)[i][j] * right[j];
  }
  if (!(solved[0] > 0)) return Status::Usage("no law of scaling goes through these points");
  double residual = 0;
  for (const ScalingPoint& point : points) {
    const Row terms = TermsOf(point);
    const double miss = 1 - terms[0] * solved[0] - terms[1] * solved[1] - terms[2] * solved[2];
    residual += miss * miss;
  }
  const auto freedom = static_cast<double>(points.size() - 3);
  Matrix covariance = *inverse;
  for (Row& row : covariance) {
    for (double& value : row) value *= residual / freedom;
  }
  const double t = StudentErrors(freedom);
  ScalingFit fit;
  fit.lambda = 1 / solved[0];
  fit.sigma = solved[1] / solved[0];
  fit.kappa = solved[2] / solved[0];
  const double sigma_error = t * ErrorOfQuotient(solved[1], 1, solved[0], covariance);
  const double kappa_error = t * ErrorOfQuotient(solved[2], 2, solved[0], covariance);
  fit.sigma_interval = {fit.sigma - sigma_error, fit.sigma + sigma_error};
  fit.kappa_interval = {fit.kappa - kappa_error, fit.kappa + kappa_error};
  if (fit.kappa > 0 && fit.sigma < 1) fit.peak_threads = std::sqrt((1 - fit.sigma) / fit.kappa);
  return fit;
}

}  // namespace levelfield
