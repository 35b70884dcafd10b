/* Writes, reads, adds to and checks streams through the interface of C++. usage: use FOLDER */
#include <cmath>
#include <iostream>
#include <numeric>

#include "dudley.hpp"

#define CHECK(what)                                                                                                    \
    do {                                                                                                               \
        if (!(what)) {                                                                                                 \
            std::cerr << __LINE__ << ": " #what "\n";                                                                  \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

struct sample {
    std::int8_t kind;
    double value;
};

template <class Call> std::string refused(Call call, int code)
{
    try {
        call();
    } catch (const dudley::error &error) {
        return error.code() == code ? error.what() : "of another group";
    }
    return "no error";
}

static int run(const std::string &folder)
{
    const std::string path = folder + "/run.bd", history = folder + "/checkpoints/history.bd";
    dudley::plan plan("N : i8  time = f8  rho = f8[N, 2]  ## (g/cc) density\nname = U1[5]\n"
                      "raw = i2[3]  #: scale_factor = 0.25, add_offset = 1.0, _FillValue = -1, names = [\"a\", \"bc\"], at = [1, 2.5]\n"
                      "on = b1[2]  s = {a = i1  b = f8}[N]");
    plan.param("N", 3).order("<");
    {
        dudley::writer unfinished(plan, path);
        unfinished.value("/time", 0.5);
        CHECK(refused([&] { unfinished.finish(); }, DUD_BAD_VALUE).find("/rho") != std::string::npos);
    }
    CHECK(refused([&] { dudley::file file(path); }, DUD_FILE).find("run.bd") != std::string::npos);
    dudley::writer writer(plan, path), moved(std::move(writer));
    std::vector<double> rho(6);
    std::iota(rho.begin(), rho.end(), 0.0);
    moved.value("/time", 0.5f);
#ifdef __cpp_lib_span
    moved.write("/rho", std::span<double>(rho));
    moved.write("/rho", std::span<const double, 6>(rho.data(), 6));
#else
    moved.write("/rho", rho);
#endif
    moved.text("/name", "blast");
    moved.write("/on", std::vector<bool>{true, false});
    moved.structs("/s", std::vector<sample>{{1, 1.5}, {2, 2.5}, {3, 3.5}});
    moved.write("/raw", std::vector<std::int16_t>{0, 2, -1});
    moved.finish();

    dudley::options claims;
    claims.layout("x = f8[1000000000, 1000]  s = {a = i1  b = f8}[500000000000]").raw();
    claims.unterminated();
    const dudley::file cut(path, claims);
    CHECK(refused([&] { cut.read<double>("/x"); }, DUD_DATA).find("/x") != std::string::npos);
    CHECK(refused([&] { cut.read_scaled<double>("/x"); }, DUD_DATA).find("/x") != std::string::npos);
    CHECK(refused([&] { cut.structs<sample>("/s"); }, DUD_DATA).find("/s") != std::string::npos);
    dudley::file file(path);
    CHECK(file.value<double>("/time") == 0.5 && file.read<bool>("/on") == (std::vector<bool>{true, false}) && file.param("/:N") == 3);
    CHECK(file.read<double>("/rho") == rho && file.shape("/rho") == (dudley::shape_t{3, 2}));
    CHECK(file.read<float>("/rho[:, 1]") == (std::vector<float>{1, 3, 5}));
    CHECK(file.missing("/rho").empty());
    CHECK(file.unit("/rho") == "g/cc" && file.doc("/rho") == "density" && file.text("/name") == "blast");
    CHECK(file.children().size() == 6 && file.children()[1] == "/rho" && file.kind("/") == DUD_DICT);
    CHECK(file.structs<sample>("/s")[2].value == 3.5 && file.dim("/rho", 0) == "N" && file.dtype("/rho") == "<f8");
    double part[2];
    file.read("/rho", part, {2, 1}, {0, 1}, {2, 1});
    CHECK(part[0] == 1 && part[1] == 5);
    auto view = file.view<double>("/rho");
    file = dudley::file(path);
    CHECK(std::accumulate(view.begin(), view.end(), 0.0) == 15 && view.shape()[0] == 3);
#ifdef __cpp_lib_span
    CHECK(view.span().back() == 5);
    std::vector<float> single(6);
    file.read("/rho", std::span<float>(single));
    CHECK(single[5] == 5);
#endif
#ifdef __cpp_lib_mdspan
    const auto table = view.mdspan<2>();
    CHECK(table.extent(0) == 3 && table.extent(1) == 2 && (table[std::array{2, 0}] == 4));
#endif
    CHECK(file.attr<double>("/raw", "scale_factor") == 0.25 && file.attr<int>("/raw", "_FillValue") == -1);
    CHECK(file.attr_values<double>("/raw", "at") == (std::vector<double>{1, 2.5}));
    CHECK(file.attr_texts("/raw", "names") == (std::vector<std::string>{"a", "bc"}));
    CHECK(file.attr_type("/raw", "names") == DUD_CHAR && file.attr_shape("/raw", "at") == dudley::shape_t{2});
    CHECK(file.scaled("/raw") && !file.scaled("/rho") && std::isnan(file.read_scaled<double>("/raw")[2]));
    CHECK(file.read_scaled<float>("/raw")[1] == 1.5f && file.read<int>("/raw")[1] == 2);
    CHECK(refused([&] { file.read<int>("/rho"); }, DUD_BAD_VALUE).find("f8") != std::string::npos);
    CHECK(refused([&] { file.read<double>("/no"); }, DUD_NOT_FOUND).find("/no") != std::string::npos);
    double four[4];
    CHECK(refused([&] { file.read("/rho", four, {2, 2}, {0}); }, DUD_BAD_VALUE).find("rank") != std::string::npos);
    CHECK(refused([&] { file.read("/rho", four, {2, 2}, {0, 0}, {1}); }, DUD_BAD_VALUE).find("rank") != std::string::npos);
    CHECK(refused([&] { file.read_scaled("/rho", four, {2, 2}, {0}); }, DUD_BAD_VALUE).find("rank") != std::string::npos);

    dudley::checkpoints checkpoints(folder + "/checkpoints", 2, 2);
    dudley::writer(dudley::plan("{NT : i8}  hist [/ t = f8  r = f8[2]]*NT").param("NT", 0), history).finish();
    dudley::appender appender(history);
    for (std::uint64_t step = 1; step <= 5; step++) {
        const double t = 0.5 * static_cast<double>(step), r[2] = {t, 2 * t};
        CHECK(appender.push("/hist", 1, {{"t", &t}, {"r", r, {2}}}) == step);
        if (!checkpoints.due(step)) continue;
        dudley::draft draft = checkpoints.begin(step);
        dudley::writer state(dudley::plan("t = f8").checksum(), draft.file("state.bd"));
        state.value("/t", t);
        const dudley::checksum sum = state.finish_summed();
        CHECK(sum.known && sum.bytes > sizeof t);
        draft.checksum("state.bd", sum);
        draft.history("history.bd", appender, "/hist");
        draft.publish();
    }
    appender.close();
    std::uint64_t step = 0;
    CHECK(dudley::file(checkpoints.latest(step) + "/state.bd").value<double>("/t") == 2 && step == 4);
    {
        const dudley::plan plan("x = f8[2]");
        dudley::writer one(plan, folder + "/shared.bd", dudley::writer::by::shared);
        dudley::writer two(plan, folder + "/shared.bd", dudley::writer::by::joined);
        CHECK(refused([&] { one.write("/x", part, {1}, {0, 0}); }, DUD_BAD_VALUE).find("rank") != std::string::npos);
        one.write("/x", part, {1}, {0});
        two.write("/x", part, {1}, {1});
        two.sync();
        one.cover(two.coverage());
        one.finish();
    }
    dudley::family::create(folder + "/all.bd", {history});
    dudley::family family(folder + "/all.bd");
    double r[4][2];
    family.read("/hist[:]/r", family.select("NT = 4"), &r[0][0], {1, 4, 2});
    CHECK(family.len() == 1 && r[3][1] == 4 && family.value(0, "NT") == 4);
    return 0;
}

int main(int count, char **arguments)
{
    try {
        return count == 2 ? run(arguments[1]) : 2;
    } catch (const std::exception &error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
