// What a source may not do: never compiled.
void Careless(const Json& json, const std::string& name, std::error_code& error) {
  const std::string text = json.dump();
  std::fputs(name.c_str(), stdout);
  const fs::path path = fs::canonical(name);
  for (const auto& entry : fs::directory_iterator(path, error)) Take(entry);  // ++ throws.
  const fs::path fine = fs::canonical(name, error);
}
