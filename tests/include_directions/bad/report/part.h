// A fixture of include_directions_test.cc; never compiled.
struct Part {
  double share;
};
