/* Dudley for C++17 and later: handles that close themselves, exceptions, containers; std::span and std::mdspan where the
   library has them. All of it is in this file, over dudley.h.

       dudley::file run("run.bd");
       std::vector<double> rho = run.read<double>("/rho");
       std::vector<std::uint64_t> shape = run.shape("/rho");
       double time = run.value<double>("/time");

   What a function of dudley.h says holds for those here of that name. Each throws dudley::error if it returns an error.
   Shapes are in elements, the slowest varying dimension first. Objects can be moved, and not be copied. */
#ifndef DUDLEY_HPP
#define DUDLEY_HPP

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifdef __cpp_lib_span
#include <span>
#endif
#ifdef __cpp_lib_mdspan
#include <array>
#include <mdspan>
#endif

#include "dudley.h"

namespace dudley {

/* Elements in each dimension, the slowest first. */
using shape_t = std::vector<std::uint64_t>;

/* What went wrong: what() has the text, code() the group, such as DUD_NOT_FOUND. */
class error : public std::runtime_error {
public:
    explicit error(int code) : std::runtime_error(dud_error()), code_(code) {}
    int code() const noexcept { return code_; }

private:
    int code_;
};

namespace detail {

inline void check(int code)
{
    if (code != DUD_OK) throw error(code);
}

/* The number of a type of elements. */
template <class T> struct type;
template <> struct type<std::int8_t> { static constexpr int value = DUD_INT8; };
template <> struct type<std::int16_t> { static constexpr int value = DUD_INT16; };
template <> struct type<std::int32_t> { static constexpr int value = DUD_INT32; };
template <> struct type<std::int64_t> { static constexpr int value = DUD_INT64; };
template <> struct type<std::uint8_t> { static constexpr int value = DUD_UINT8; };
template <> struct type<std::uint16_t> { static constexpr int value = DUD_UINT16; };
template <> struct type<std::uint32_t> { static constexpr int value = DUD_UINT32; };
template <> struct type<std::uint64_t> { static constexpr int value = DUD_UINT64; };
template <> struct type<float> { static constexpr int value = DUD_FLOAT; };
template <> struct type<double> { static constexpr int value = DUD_DOUBLE; };
template <> struct type<std::complex<float>> { static constexpr int value = DUD_COMPLEX_FLOAT; };
template <> struct type<std::complex<double>> { static constexpr int value = DUD_COMPLEX_DOUBLE; };
template <> struct type<char> { static constexpr int value = DUD_CHAR; };
template <> struct type<bool> { static constexpr int value = DUD_BOOL; };

/* How many elements a shape has. The library finds out if memory does not hold them. */
inline std::size_t count(const shape_t &shape)
{
    std::size_t count = 1;
    for (std::uint64_t dim : shape) {
        if (dim != 0 && count > SIZE_MAX / dim) throw std::length_error("dudley: a shape is too large");
        count *= static_cast<std::size_t>(dim);
    }
    return count;
}

/* Numbers for each dimension of a shape, or NULL if there are none. */
inline const std::uint64_t *each(const std::string &path, const shape_t &numbers, const shape_t &shape)
{
    if (numbers.empty()) return nullptr;
    if (numbers.size() != shape.size()) {
        check(dud_fail(("`" + path + "`: start or stride is of another rank than the shape").c_str()));
    }
    return numbers.data();
}

/* A text that is asked for twice: for its length, and for itself. */
template <class Call> std::string text(Call call)
{
    std::size_t length = 0;
    check(call(nullptr, 0, &length));
    std::string text(length + 1, '\0');
    check(call(&text[0], text.size(), &length));
    text.resize(length);
    return text;
}

/* Texts, each with a NUL behind it. */
template <class Call> std::vector<std::string> texts(Call call)
{
    std::vector<std::string> texts;
    const std::string all = text(call);
    for (std::size_t at = 0; at < all.size(); at += texts.back().size() + 1) texts.emplace_back(all.c_str() + at);
    return texts;
}

template <class Call> shape_t numbers(Call call)
{
    std::size_t count = 0;
    check(call(nullptr, 0, &count));
    shape_t numbers(count);
    check(call(numbers.data(), count, &count));
    return numbers;
}

/* As many elements as a call writes. Those of std::vector<bool> have no addresses. */
template <class T, class Call> std::vector<T> elements(std::size_t count, Call call)
{
    if constexpr (std::is_same_v<T, bool>) {
        const auto memory = std::make_unique<bool[]>(count);
        check(call(memory.get()));
        return std::vector<bool>(memory.get(), memory.get() + count);
    } else {
        std::vector<T> elements(count);
        check(call(elements.data()));
        return elements;
    }
}

template <class Handle, int (*close)(Handle *)> struct closer {
    void operator()(Handle *handle) const noexcept { close(handle); }
};

template <class Handle, int (*close)(Handle *)> using owned = std::unique_ptr<Handle, closer<Handle, close>>;

} // namespace detail

/* What a file does not say itself. */
class options {
public:
    options()
    {
        dud_options *handle = nullptr;
        detail::check(dud_options_new(&handle));
        handle_.reset(handle);
    }
    options &layout(const std::string &text) { return check(dud_options_layout(get(), text.c_str())); }
    options &raw() { return check(dud_options_raw(get())); }
    options &unterminated() { return check(dud_options_unterminated(get())); }
    options &order(const std::string &order) { return check(dud_options_order(get(), order.c_str())); }
    options &param(const std::string &name, std::int64_t value)
    {
        return check(dud_options_param(get(), name.c_str(), value));
    }
    options &base(std::uint64_t bytes) { return check(dud_options_base(get(), bytes)); }
    options &threads(std::size_t count) { return check(dud_options_threads(get(), count)); }
    dud_options *get() const noexcept { return handle_.get(); }

private:
    options &check(int code)
    {
        detail::check(code);
        return *this;
    }
    detail::owned<dud_options, dud_options_free> handle_;
};

/* Elements of a file without a copy. They stay while this lives. */
template <class T> class view {
public:
    view(dud_file *file, const std::string &path, shape_t shape) : shape_(std::move(shape))
    {
        dud_view *handle = nullptr;
        const void *data = nullptr;
        std::size_t bytes = 0;
        detail::check(dud_view_open(file, path.c_str(), detail::type<T>::value, &handle, &data, &bytes));
        handle_.reset(handle);
        data_ = static_cast<const T *>(data);
        size_ = bytes / sizeof(T);
    }
    const T *data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }
    const shape_t &shape() const noexcept { return shape_; }
    const T *begin() const noexcept { return data_; }
    const T *end() const noexcept { return data_ + size_; }
    const T &operator[](std::size_t at) const noexcept { return data_[at]; }
#ifdef __cpp_lib_span
    std::span<const T> span() const noexcept { return {data_, size_}; }
#endif
#ifdef __cpp_lib_mdspan
    template <std::size_t Rank> std::mdspan<const T, std::dextents<std::size_t, Rank>> mdspan() const
    {
        if (shape_.size() != Rank) throw std::invalid_argument("dudley: the view is of another rank");
        std::array<std::size_t, Rank> dims{};
        for (std::size_t dim = 0; dim < Rank; dim++) dims[dim] = static_cast<std::size_t>(shape_[dim]);
        return std::mdspan<const T, std::dextents<std::size_t, Rank>>(data_, dims);
    }
#endif

private:
    detail::owned<dud_view, dud_view_close> handle_;
    const T *data_ = nullptr;
    std::size_t size_ = 0;
    shape_t shape_;
};

/* A file of any format. */
class file {
public:
    explicit file(const std::string &path) { open(path, nullptr); }
    file(const std::string &path, const options &how) { open(path, how.get()); }

    std::string format() const
    {
        return detail::text([&](char *to, std::size_t room, std::size_t *length) {
            return dud_format(get(), to, room, length);
        });
    }
    /* What is odd in the file or wrong with it, as far as that was seen so far. */
    std::vector<std::string> remarks() const
    {
        return detail::texts([&](char *to, std::size_t room, std::size_t *length) {
            return dud_remarks(get(), to, room, length);
        });
    }
    int kind(const std::string &path) const
    {
        int kind = 0;
        detail::check(dud_kind(get(), path.c_str(), &kind));
        return kind;
    }
    std::uint64_t len(const std::string &path) const
    {
        std::uint64_t length = 0;
        detail::check(dud_len(get(), path.c_str(), &length));
        return length;
    }
    std::vector<std::string> children(const std::string &path = "/") const { return texts(dud_children, path); }
    std::vector<std::string> params(const std::string &path = "/") const { return texts(dud_params, path); }
    std::vector<std::string> attrs(const std::string &path) const { return texts(dud_attrs, path); }
    std::int64_t param(const std::string &path) const
    {
        std::int64_t value = 0;
        detail::check(dud_param(get(), path.c_str(), &value));
        return value;
    }
    shape_t shape(const std::string &path) const
    {
        return detail::numbers([&](std::uint64_t *to, std::size_t room, std::size_t *rank) {
            return dud_shape(get(), path.c_str(), to, room, rank);
        });
    }
    int type(const std::string &path) const
    {
        int type = DUD_OTHER;
        detail::check(dud_type(get(), path.c_str(), &type));
        return type;
    }
    std::uint64_t element_size(const std::string &path) const
    {
        std::uint64_t bytes = 0;
        detail::check(dud_element_size(get(), path.c_str(), &bytes));
        return bytes;
    }
    std::uint64_t address(const std::string &path) const
    {
        std::uint64_t address = 0;
        detail::check(dud_address(get(), path.c_str(), &address));
        return address;
    }
    std::string dtype(const std::string &path) const { return text(dud_dtype, path); }
    std::string unit(const std::string &path) const { return text(dud_unit, path); }
    std::string doc(const std::string &path) const { return text(dud_doc, path); }
    std::string dim(const std::string &path, std::size_t dim) const
    {
        return detail::text([&](char *to, std::size_t room, std::size_t *length) {
            return dud_dim(get(), path.c_str(), dim, to, room, length);
        });
    }
    std::string attr(const std::string &path, const std::string &name) const
    {
        return detail::text([&](char *to, std::size_t room, std::size_t *length) {
            return dud_attr(get(), path.c_str(), name.c_str(), to, room, length);
        });
    }

    /* An attribute that is one number. */
    template <class T> T attr(const std::string &path, const std::string &name) const
    {
        T value{};
        detail::check(dud_attr_read(get(), path.c_str(), name.c_str(), &value, detail::type<T>::value, 0, nullptr));
        return value;
    }
    int attr_type(const std::string &path, const std::string &name) const
    {
        int type = DUD_OTHER;
        detail::check(dud_attr_type(get(), path.c_str(), name.c_str(), &type));
        return type;
    }
    shape_t attr_shape(const std::string &path, const std::string &name) const
    {
        return detail::numbers([&](std::uint64_t *to, std::size_t room, std::size_t *rank) {
            return dud_attr_shape(get(), path.c_str(), name.c_str(), to, room, rank);
        });
    }
    /* The numbers of an attribute. */
    template <class T> std::vector<T> attr_values(const std::string &path, const std::string &name) const
    {
        const shape_t dims = attr_shape(path, name);
        return detail::elements<T>(detail::count(dims), [&](T *to) {
            return dud_attr_read(get(), path.c_str(), name.c_str(), to, detail::type<T>::value, dims.size(), dims.data());
        });
    }
    std::vector<std::string> attr_texts(const std::string &path, const std::string &name) const
    {
        return detail::texts([&](char *to, std::size_t room, std::size_t *length) {
            return dud_attr_texts(get(), path.c_str(), name.c_str(), to, room, length);
        });
    }

    /* A number. */
    template <class T> T value(const std::string &path) const
    {
        T value{};
        read(path, &value, {});
        return value;
    }
    /* A text. */
    std::string text(const std::string &path) const { return text(dud_read_text, path); }
    /* All elements of what a path picks. */
    template <class T> std::vector<T> read(const std::string &path) const
    {
        const shape_t dims = shape(path);
        check_there(path, dims, detail::type<T>::value, sizeof(T));
        return detail::elements<T>(detail::count(dims), [&](T *to) {
            return dud_read(get(), path.c_str(), to, detail::type<T>::value, dims.size(), dims.data(), nullptr, nullptr);
        });
    }
    /* The physical values of all of them. */
    template <class T> std::vector<T> read_scaled(const std::string &path) const
    {
        const shape_t dims = shape(path);
        check_there(path, dims, detail::type<T>::value, sizeof(T), dud_read_scaled);
        return detail::elements<T>(detail::count(dims), [&](T *to) {
            return dud_read_scaled(get(), path.c_str(), to, detail::type<T>::value, dims.size(), dims.data(), nullptr,
                                   nullptr);
        });
    }
    template <class T>
    void read_scaled(const std::string &path, T *to, const shape_t &shape, const shape_t &start = {},
                     const shape_t &stride = {}) const
    {
        detail::check(dud_read_scaled(get(), path.c_str(), to, detail::type<T>::value, shape.size(), shape.data(),
                                      detail::each(path, start, shape), detail::each(path, stride, shape)));
    }
    /* Whether the physical values are others than those that are stored. */
    bool scaled(const std::string &path) const
    {
        int is = 0;
        detail::check(dud_scaled(get(), path.c_str(), &is, nullptr));
        return is != 0;
    }
    /* Elements into memory of a shape: all, or from start on by strides. */
    template <class T>
    void read(const std::string &path, T *to, const shape_t &shape, const shape_t &start = {},
              const shape_t &stride = {}) const
    {
        detail::check(dud_read(get(), path.c_str(), to, detail::type<T>::value, shape.size(), shape.data(),
                               detail::each(path, start, shape), detail::each(path, stride, shape)));
    }
    /* Which elements have no value, 1 for each that has none; empty if all have one. */
    std::vector<unsigned char> missing(const std::string &path) const
    {
        std::size_t count = 0;
        detail::check(dud_missing(get(), path.c_str(), nullptr, 0, &count));
        std::vector<unsigned char> missing(count);
        detail::check(dud_missing(get(), path.c_str(), missing.data(), count, &count));
        return missing;
    }
#ifdef __cpp_lib_span
    /* All elements of what a path picks, into memory for just as many. */
    template <class T> void read(const std::string &path, std::span<T> to) const
    {
        const shape_t dims = shape(path);
        if (detail::count(dims) != to.size()) throw std::length_error("dudley: " + path + ": another number of elements");
        read(path, to.data(), dims);
    }
#endif
    /* Structs that are laid out as those of the layout. */
    template <class T> std::vector<T> structs(const std::string &path) const
    {
        shape_t dims = shape(path);
        check_there(path, dims, DUD_BYTES, sizeof(T));
        std::vector<T> elements(detail::count(dims));
        dims.push_back(sizeof(T));
        detail::check(dud_read(get(), path.c_str(), elements.data(), DUD_BYTES, dims.size(), dims.data(), nullptr, nullptr));
        return elements;
    }
    template <class T> dudley::view<T> view(const std::string &path) const
    {
        return dudley::view<T>(get(), path, shape(path));
    }
    dud_file *get() const noexcept { return handle_.get(); }

private:
    /* Reads the last element of a large array: if it is not there, no memory is taken for all of them. */
    void check_there(const std::string &path, const shape_t &dims, int type, std::size_t size,
                     decltype(&dud_read) read = dud_read) const
    {
        constexpr std::size_t large = 1 << 26;
        if (dims.empty() || detail::count(dims) < large / size) return;
        shape_t one(dims.size(), 1), last(dims);
        for (std::uint64_t &index : last) --index;
        if (type == DUD_BYTES) one.push_back(size);
        std::vector<std::max_align_t> element(size / sizeof(std::max_align_t) + 1);
        detail::check(read(get(), path.c_str(), element.data(), type, one.size(), one.data(), last.data(), nullptr));
    }
    using text_of = int (*)(dud_file *, const char *, char *, std::size_t, std::size_t *);
    std::string text(text_of function, const std::string &path) const
    {
        return detail::text([&](char *to, std::size_t room, std::size_t *length) {
            return function(get(), path.c_str(), to, room, length);
        });
    }
    std::vector<std::string> texts(text_of function, const std::string &path) const
    {
        return detail::texts([&](char *to, std::size_t room, std::size_t *length) {
            return function(get(), path.c_str(), to, room, length);
        });
    }
    void open(const std::string &path, dud_options *how)
    {
        dud_file *handle = nullptr;
        detail::check(dud_open(path.c_str(), how, &handle));
        handle_.reset(handle);
    }
    detail::owned<dud_file, dud_close> handle_;
};

/* The layout and params of a stream that is to be written. */
class plan {
public:
    explicit plan(const std::string &layout)
    {
        dud_plan *handle = nullptr;
        detail::check(dud_plan_new(layout.c_str(), &handle));
        handle_.reset(handle);
    }
    plan &param(const std::string &name, std::int64_t value)
    {
        return check(dud_plan_param(get(), name.c_str(), value));
    }
    plan &order(const std::string &order) { return check(dud_plan_order(get(), order.c_str())); }
    plan &raw() { return check(dud_plan_raw(get())); }
    plan &overwrite(bool overwrite = true) { return check(dud_plan_overwrite(get(), overwrite)); }
    /* Has the checksum computed while a file is written, for finish_summed(). */
    plan &checksum(bool checksum = true) { return check(dud_plan_checksum(get(), checksum)); }
    dud_plan *get() const noexcept { return handle_.get(); }

private:
    plan &check(int code)
    {
        detail::check(code);
        return *this;
    }
    detail::owned<dud_plan, dud_plan_free> handle_;
};

/* The length of a file and the CRC-32C of all of it, if they are known. */
struct checksum {
    bool known;
    std::uint64_t bytes;
    std::uint32_t crc32c;
};

/* A stream that is written. Without finish() nothing of it appears. */
class writer {
public:
    /* By this process alone, or by several: one has it shared, and then the others join. */
    enum class by { one, shared, joined };

    writer(const plan &plan, const std::string &path, by who = by::one)
    {
        dud_writer *handle = nullptr;
        auto begin = who == by::one ? dud_create : who == by::shared ? dud_create_shared : dud_join;
        detail::check(begin(plan.get(), path.c_str(), &handle));
        handle_.reset(handle);
    }
    shape_t shape(const std::string &path) const
    {
        return detail::numbers([&](std::uint64_t *to, std::size_t room, std::size_t *rank) {
            return dud_writer_shape(get(), path.c_str(), to, room, rank);
        });
    }
    /* Elements from memory of a shape: all of an item, or a part from start on by strides. */
    template <class T>
    void write(const std::string &path, const T *from, const shape_t &shape, const shape_t &start = {},
               const shape_t &stride = {})
    {
        detail::check(dud_write(get(), path.c_str(), from, detail::type<T>::value, shape.size(), shape.data(),
                                detail::each(path, start, shape), detail::each(path, stride, shape)));
    }
    /* All elements of an item, in its shape. */
    template <class T> void write(const std::string &path, const std::vector<T> &from)
    {
        const shape_t dims = shape(path);
        if (detail::count(dims) != from.size()) throw std::length_error("dudley: " + path + ": another number of elements");
        if constexpr (std::is_same_v<T, bool>) {
            const auto memory = std::make_unique<bool[]>(from.size());
            std::copy(from.begin(), from.end(), memory.get());
            write(path, memory.get(), dims);
        } else {
            write(path, from.data(), dims);
        }
    }
#ifdef __cpp_lib_span
    /* All elements of an item, in its shape. */
    template <class T, std::size_t Extent> void write(const std::string &path, std::span<T, Extent> from)
    {
        const shape_t dims = shape(path);
        if (detail::count(dims) != from.size()) throw std::length_error("dudley: " + path + ": another number of elements");
        write<std::remove_const_t<T>>(path, from.data(), dims);
    }
#endif
    /* A number. */
    template <class T> void value(const std::string &path, T value) { write(path, &value, {}); }
    void text(const std::string &path, const std::string &text)
    {
        detail::check(dud_write_text(get(), path.c_str(), text.c_str()));
    }
    /* Structs that are laid out as those of the layout. */
    template <class T> void structs(const std::string &path, const std::vector<T> &from)
    {
        shape_t dims = shape(path);
        if (detail::count(dims) != from.size()) throw std::length_error("dudley: " + path + ": another number of structs");
        dims.push_back(sizeof(T));
        detail::check(dud_write(get(), path.c_str(), from.data(), DUD_BYTES, dims.size(), dims.data(), nullptr, nullptr));
    }
    void mark_written(const std::string &path) { detail::check(dud_mark_written(get(), path.c_str())); }
    std::string coverage() const
    {
        std::size_t length = 0;
        detail::check(dud_coverage(get(), nullptr, 0, &length));
        std::string bytes(length, '\0');
        detail::check(dud_coverage(get(), &bytes[0], length, &length));
        return bytes;
    }
    void cover(const std::string &coverage) { detail::check(dud_cover(get(), coverage.data(), coverage.size())); }
    void sync() { detail::check(dud_sync(get())); }
    void finish()
    {
        detail::check(dud_finish(get()));
        handle_.release(); // which closed the handle
    }
    /* As finish(); gives the checksum of the file, if the plan asked for it and it is known. */
    dudley::checksum finish_summed()
    {
        dudley::checksum sum = {};
        int known = 0;
        detail::check(dud_finish_summed(get(), &known, &sum.bytes, &sum.crc32c));
        handle_.release(); // which closed the handle
        sum.known = known != 0;
        return sum;
    }
    dud_writer *get() const noexcept { return handle_.get(); }

private:
    detail::owned<dud_writer, dud_abort> handle_;
};

/* A stream that grows. */
class appender {
public:
    explicit appender(const std::string &path)
    {
        dud_appender *handle = nullptr;
        detail::check(dud_append_open(path.c_str(), &handle));
        handle_.reset(handle);
    }
    /* A part of records: its name (empty if a record is one item), the elements of all, its shape in one. */
    class column {
    public:
        template <class T>
        column(std::string name, const T *from, shape_t shape = {})
            : name_(std::move(name)), shape_(std::move(shape)), from_(from), type_(detail::type<T>::value)
        {
        }
        dud_column get() const
        {
            return {name_.empty() ? nullptr : name_.c_str(), from_, type_, shape_.size(), shape_.data()};
        }

    private:
        std::string name_;
        shape_t shape_;
        const void *from_;
        int type_;
    };
    /* Adds records. Returns the number of records that the list then has. */
    std::uint64_t push(const std::string &path, std::uint64_t records, const std::vector<column> &columns)
    {
        std::vector<dud_column> given;
        for (const column &column : columns) given.push_back(column.get());
        std::uint64_t length = 0;
        detail::check(dud_append_push(get(), path.c_str(), records, given.data(), given.size(), &length));
        return length;
    }
    template <class T> void write(const std::string &path, const T *from, const shape_t &shape)
    {
        detail::check(dud_append_write(get(), path.c_str(), from, detail::type<T>::value, shape.size(), shape.data()));
    }
    void commit() { detail::check(dud_append_commit(get())); }
    void truncate(const std::string &path, std::uint64_t records)
    {
        detail::check(dud_append_truncate(get(), path.c_str(), records));
    }
    /* Commits and closes, and tells if that fails, which the destructor cannot. */
    void close() { detail::check(dud_append_close(handle_.release())); }
    dud_appender *get() const noexcept { return handle_.get(); }

private:
    detail::owned<dud_appender, dud_append_close> handle_;
};

/* A checkpoint that is written. Without publish() nothing of it appears. */
class draft {
public:
    draft(dud_checkpoints *checkpoints, std::uint64_t step)
    {
        dud_draft *handle = nullptr;
        detail::check(dud_draft_begin(checkpoints, step, &handle));
        handle_.reset(handle);
    }
    /* Where a file of it is to be written. */
    std::string file(const std::string &name) const
    {
        return detail::text([&](char *to, std::size_t room, std::size_t *length) {
            return dud_draft_folder(handle_.get(), to, room, length);
        }) + "/" + name;
    }
    /* Notes the checksum of a complete file, by its path in the folder, so that publish() need not read it. */
    void checksum(const std::string &file, const dudley::checksum &sum)
    {
        detail::check(dud_draft_checksum(handle_.get(), file.c_str(), sum.known, sum.bytes, sum.crc32c));
    }
    void history(const std::string &file, const appender &appender, const std::string &path)
    {
        detail::check(dud_draft_history(handle_.get(), file.c_str(), appender.get(), path.c_str()));
    }
    void publish() { detail::check(dud_draft_publish(handle_.release())); }

private:
    detail::owned<dud_draft, dud_draft_abandon> handle_;
};

/* A directory of checkpoints. */
class checkpoints {
public:
    checkpoints(const std::string &directory, std::size_t keep, std::uint64_t every)
    {
        dud_checkpoints *handle = nullptr;
        detail::check(dud_checkpoints_open(directory.c_str(), keep, every, &handle));
        handle_.reset(handle);
    }
    bool due(std::uint64_t step) const
    {
        int due = 0;
        detail::check(dud_checkpoint_due(handle_.get(), step, &due));
        return due != 0;
    }
    draft begin(std::uint64_t step) const { return draft(handle_.get(), step); }
    /* The folder of the newest that is whole, empty if there is none, and its step. */
    std::string latest(std::uint64_t &step) const
    {
        char folder[4096];
        std::size_t length = 0;
        const int code = dud_checkpoint_latest(handle_.get(), &step, folder, sizeof folder, &length);
        if (code == DUD_NOT_FOUND) return {};
        detail::check(code);
        return std::string(folder, length);
    }

private:
    detail::owned<dud_checkpoints, dud_checkpoints_close> handle_;
};

/* A catalog of many streams of one layout. */
class family {
public:
    explicit family(const std::string &catalog)
    {
        dud_family *handle = nullptr;
        detail::check(dud_family_open(catalog.c_str(), &handle));
        handle_.reset(handle);
    }
    static void create(const std::string &catalog, const std::vector<std::string> &files)
    {
        std::vector<const char *> names;
        for (const std::string &file : files) names.push_back(file.c_str());
        detail::check(dud_family_create(catalog.c_str(), names.data(), names.size()));
    }
    std::uint64_t len() const
    {
        std::uint64_t members = 0;
        detail::check(dud_family_len(handle_.get(), &members));
        return members;
    }
    std::vector<std::uint64_t> select(const std::string &condition) const
    {
        return detail::numbers([&](std::uint64_t *to, std::size_t room, std::size_t *count) {
            return dud_family_select(handle_.get(), condition.c_str(), to, room, count);
        });
    }
    std::string file(std::uint64_t member) const
    {
        return detail::text([&](char *to, std::size_t room, std::size_t *length) {
            return dud_family_file(handle_.get(), member, to, room, length);
        });
    }
    double value(std::uint64_t member, const std::string &column) const
    {
        double value = 0;
        detail::check(dud_family_value(handle_.get(), member, column.c_str(), &value));
        return value;
    }
    /* What is at a path of members, which are the first dimension of the shape. */
    template <class T>
    void read(const std::string &path, const std::vector<std::uint64_t> &members, T *to, const shape_t &shape) const
    {
        detail::check(dud_family_read(handle_.get(), path.c_str(), members.data(), members.size(), to,
                                      detail::type<T>::value, shape.size(), shape.data()));
    }

private:
    detail::owned<dud_family, dud_family_close> handle_;
};

} // namespace dudley

#endif
