// Bytes as text, by RFC 4648's Base64, with padding. Pure.
#ifndef LEVELFIELD_BASE_BASE64_H_
#define LEVELFIELD_BASE_BASE64_H_

#include <string>
#include <string_view>

namespace levelfield {

std::string Base64(std::string_view bytes);

}  // namespace levelfield

#endif  // LEVELFIELD_BASE_BASE64_H_
