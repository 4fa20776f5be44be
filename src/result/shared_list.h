// A list whose copies share their elements. An element is copied only when one of the lists asks
// for it in order to change it. For lists of large elements that are copied to be read.
//
// As with any container, use a reference to an element only before the list is copied: a write
// through a reference from before the copy changes both. One thread.
#ifndef LEVELFIELD_RESULT_SHARED_LIST_H_
#define LEVELFIELD_RESULT_SHARED_LIST_H_

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace levelfield {

template <class T>
class SharedList {
 public:
  SharedList() = default;
  SharedList(std::initializer_list<T> elements) {
    for (const T& element : elements) push_back(element);
  }
  explicit SharedList(std::vector<T> elements) {
    for (T& element : elements) push_back(std::move(element));
  }

  size_t size() const { return elements_.size(); }
  bool empty() const { return elements_.empty(); }
  void clear() { elements_.clear(); }
  void resize(size_t size) {
    elements_.resize(std::min(size, elements_.size()));
    while (elements_.size() < size) emplace_back();
  }

  void push_back(T element) { elements_.push_back(std::make_shared<T>(std::move(element))); }
  T& emplace_back() { return *elements_.emplace_back(std::make_shared<T>()); }
  void pop_back() { elements_.pop_back(); }

  const T& operator[](size_t i) const { return *elements_[i]; }
  T& operator[](size_t i) {
    std::shared_ptr<T>& element = elements_[i];
    if (element.use_count() > 1) element = std::make_shared<T>(*element);
    return *element;
  }
  const T& at(size_t i) const { return *elements_.at(i); }
  T& at(size_t i) {
    (void)elements_.at(i);
    return (*this)[i];
  }
  const T& front() const { return *elements_.front(); }
  const T& back() const { return *elements_.back(); }
  T& front() { return (*this)[0]; }
  T& back() { return (*this)[size() - 1]; }

  template <class List, class Element>
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = T;
    using reference = Element&;
    using iterator_category = std::forward_iterator_tag;

    Iterator() = default;
    Iterator(List* list, size_t at) : list_(list), at_(at) {}
    Element& operator*() const { return (*list_)[at_]; }
    Element* operator->() const { return &(*list_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++at_;
      return before;
    }
    bool operator==(const Iterator&) const = default;

   private:
    List* list_ = nullptr;
    size_t at_ = 0;
  };

  auto begin() const { return Iterator<const SharedList, const T>(this, 0); }
  auto end() const { return Iterator<const SharedList, const T>(this, size()); }
  auto begin() { return Iterator<SharedList, T>(this, 0); }
  auto end() { return Iterator<SharedList, T>(this, size()); }

 private:
  std::vector<std::shared_ptr<T>> elements_;
};

}  // namespace levelfield

#endif  // LEVELFIELD_RESULT_SHARED_LIST_H_
