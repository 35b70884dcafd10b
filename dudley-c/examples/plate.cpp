// Heat flows through a plate. The program writes checkpoints and a history, and after a crash it continues from the newest
// checkpoint that is whole, to the same bytes.
//
// usage: plate DIRECTORY STEPS [STEP in which it kills itself]
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include <dudley.hpp>

namespace {

const char *const STATE = R"(## The plate after a step.
{
  NX : i8     ## cells along x
  NY : i8     ## cells along y
  STEP : i8   ## steps done
  time = f8   ## (s) time of this state
}
heat = f8[NY, NX]  ## (K) temperature of each cell
PROBE {
  x = i4      ## cell along x
  y = i4      ## cell along y
  high = f8   ## (K) highest temperature so far
}
probes = PROBE[2]  ## where the temperature is watched
)";

const char *const HISTORY = R"(## What is noted after each step.
NT : i8           ## steps noted
history [/
  time = f8       ## (s) time
  mean = f8       ## (K) mean temperature
  edge = f4[4]    ## (K) temperature in the corners
]*NT
)";

// As PROBE of the layout: structs are aligned as this compiler aligns them.
struct Probe {
    std::int32_t x, y;
    double high;
};

struct Plate {
    std::uint64_t nx = 40, ny = 30;
    std::uint64_t step = 0;
    double time = 0;
    std::vector<double> heat = std::vector<double>(nx * ny, 300.0);
    std::vector<Probe> probes = {{10, 10, 0}, {35, 25, 0}};

    double &at(std::uint64_t y, std::uint64_t x) { return heat[y * nx + x]; }

    void advance()
    {
        const double dt = 0.1, conduct = 0.8;
        std::vector<double> next = heat;
        for (std::uint64_t y = 1; y + 1 < ny; y++) {
            for (std::uint64_t x = 1; x + 1 < nx; x++) {
                const double around = at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1);
                next[y * nx + x] += dt * conduct * (around - 4 * at(y, x));
            }
        }
        heat.swap(next);
        // A flame moves along the middle.
        at(ny / 2, 1 + step % (nx - 2)) += 50;
        step++;
        time += dt;
        for (Probe &probe : probes) {
            const double here = at(static_cast<std::uint64_t>(probe.y), static_cast<std::uint64_t>(probe.x));
            if (here > probe.high) probe.high = here;
        }
    }

    double mean() const
    {
        double sum = 0;
        for (double cell : heat) sum += cell;
        return sum / static_cast<double>(heat.size());
    }

    // The checksum is computed while the file is written.
    dudley::checksum write(const std::string &path) const
    {
        dudley::plan plan(STATE);
        plan.param("NX", static_cast<std::int64_t>(nx)).param("NY", static_cast<std::int64_t>(ny));
        plan.param("STEP", static_cast<std::int64_t>(step)).overwrite().checksum();
        dudley::writer writer(plan, path);
        writer.value("/time", time);
        writer.write("/heat", heat);
        writer.structs("/probes", probes);
        return writer.finish_summed();
    }

    static Plate read(const std::string &path)
    {
        const dudley::file file(path);
        Plate plate;
        plate.ny = file.shape("/heat")[0];
        plate.nx = file.shape("/heat")[1];
        plate.step = static_cast<std::uint64_t>(file.param("/:STEP"));
        plate.time = file.value<double>("/time");
        plate.heat = file.read<double>("/heat");
        plate.probes = file.structs<Probe>("/probes");
        return plate;
    }
};

// A file of the directory that grows, with a record for each step.
class History {
public:
    explicit History(const std::string &path) : appender_(path) {}

    static void create(const std::string &path)
    {
        dudley::plan plan(HISTORY);
        dudley::writer(plan.param("NT", 0).overwrite(), path).finish();
    }

    void note(Plate &plate)
    {
        const double mean = plate.mean();
        const float edge[4] = {
            static_cast<float>(plate.at(0, 0)), static_cast<float>(plate.at(0, plate.nx - 1)),
            static_cast<float>(plate.at(plate.ny - 1, 0)), static_cast<float>(plate.at(plate.ny - 1, plate.nx - 1))};
        appender_.push("/history", 1, {{"time", &plate.time}, {"mean", &mean}, {"edge", edge, {4}}});
    }

    dudley::appender &appender() { return appender_; }

private:
    dudley::appender appender_;
};

void run(const std::string &directory, std::uint64_t steps, std::uint64_t killed)
{
    // Locked against a second run; the newest two are kept, and one is due every 10 steps.
    const dudley::checkpoints checkpoints(directory, 2, 10);
    const std::string path = directory + "/history.bd";
    Plate plate;
    std::uint64_t step = 0;
    const std::string latest = checkpoints.latest(step);
    if (latest.empty()) History::create(path);
    else plate = Plate::read(latest + "/state.bd");
    std::cout << "starts after step " << plate.step << "\n";

    History history(path);
    while (plate.step < steps) {
        plate.advance();
        history.note(plate);
        if (checkpoints.due(plate.step)) {
            dudley::draft draft = checkpoints.begin(plate.step);
            draft.checksum("state.bd", plate.write(draft.file("state.bd")));
            // The history is durable before the checkpoint that counts on it; a restart cuts it back to that.
            draft.history("history.bd", history.appender(), "/history");
            if (plate.step == killed) std::raise(SIGKILL);
            draft.publish();
        }
        if (plate.step == killed) std::raise(SIGKILL);
    }
    history.appender().close();
    plate.write(directory + "/final.bd");
}

} // namespace

int main(int count, char **arguments)
{
    if (count < 3) {
        std::cerr << "usage: plate DIRECTORY STEPS [STEP in which it kills itself]\n";
        return 2;
    }
    try {
        run(arguments[1], std::strtoull(arguments[2], nullptr, 10), count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 0);
    } catch (const std::exception &error) {
        std::cerr << "plate: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
