//! How the gas moves: Euler's equations in two dimensions, by sweeps along x and along y.
//!
//! Each sweep is of second order (MUSCL-Hancock: limited slopes, half a step forward), with the
//! approximate Riemann solver HLLC between zones. What leaves one zone enters the next, so mass and
//! energy stay the same except for rounding.

use crate::state::{State, zone_of};

/// Mass, momentum along the sweep, momentum across it, energy: their densities, or their fluxes.
type Conserved = [f64; 4];

/// Density, speed along the sweep, speed across it, pressure.
type Primitive = [f64; 4];

/// Of the longest time step with which the fastest signal stays within a zone, this part is taken.
const COURANT: f64 = 0.6;

impl State {
    /// A time step (us) that is short enough, and not much longer than the last one.
    pub(crate) fn time_step(&self) -> f64 {
        let gamma = self.material.gamma;
        let mut fastest = 0f64;
        for ((j, i), &rho) in self.rho.indexed_iter() {
            let pressure = (gamma - 1.0) * (self.energy[[j, i]] - self.kinetic(j, i));
            let speed = self.momentum[[0, j, i]].abs().max(self.momentum[[1, j, i]].abs()) / rho;
            fastest = fastest.max(speed + (gamma * pressure / rho).sqrt());
        }
        let longest = COURANT * self.material.width / fastest;
        // The first is short, because the blast has not begun to move.
        if self.step == 0 { 0.1 * longest } else { longest.min(1.1 * self.dt) }
    }

    /// Moves the gas on by `dt`. Which sweep comes first changes from step to step.
    pub(crate) fn move_gas(&mut self, dt: f64) {
        let first = (self.step % 2) as usize;
        self.sweep(first, dt);
        self.sweep(1 - first, dt);
    }

    /// One sweep over all zones: along x (0) or along y (1).
    fn sweep(&mut self, along: usize, dt: f64) {
        let (jmax, imax) = self.rho.dim();
        let (lines, length) = if along == 0 { (jmax, imax) } else { (imax, jmax) };
        let (gamma, ratio) = (self.material.gamma, dt / self.material.width);
        let mut line = Vec::with_capacity(length);
        for at in 0..lines {
            let zone = |k| if along == 0 { [at, k] } else { [k, at] };
            line.clear();
            line.extend((0..length).map(|k| {
                let [j, i] = zone(k);
                let (u, v) = (self.momentum[[along, j, i]], self.momentum[[1 - along, j, i]]);
                [self.rho[[j, i]], u, v, self.energy[[j, i]]]
            }));
            let fluxes = fluxes(&line, gamma, ratio);
            for (k, old) in line.iter().enumerate() {
                let [j, i] = zone(k);
                let new = add(old, ratio, &fluxes[k], &fluxes[k + 1]);
                self.rho[[j, i]] = new[0];
                self.momentum[[along, j, i]] = new[1];
                self.momentum[[1 - along, j, i]] = new[2];
                self.energy[[j, i]] = new[3];
            }
        }
    }

    /// Moves the particles on by `dt`, each with the speed of its zone.
    pub(crate) fn move_tracers(&mut self, dt: f64) {
        let (width, zones) = (self.material.width, self.rho.nrows());
        for tracer in &mut self.tracers {
            let [j, i] = tracer.zone.map(|at| at as usize);
            let way = [0, 1].map(|along| dt * self.momentum[[along, j, i]] / self.rho[[j, i]]);
            tracer.place[0] += way[0];
            tracer.place[1] += way[1];
            tracer.path += (way[0] * way[0] + way[1] * way[1]).sqrt();
            tracer.zone = zone_of(tracer.place, width, zones);
        }
    }
}

/// The zone's content with what comes in from the left and goes out to the right.
fn add(old: &Conserved, ratio: f64, left: &Conserved, right: &Conserved) -> Conserved {
    std::array::from_fn(|k| old[k] + ratio * (left[k] - right[k]))
}

/// The fluxes through all sides of a line of zones, its ends (walls) included.
fn fluxes(line: &[Conserved], gamma: f64, ratio: f64) -> Vec<Conserved> {
    let zones: Vec<Primitive> = line.iter().map(|zone| primitive(zone, gamma)).collect();
    // Behind a wall lies the mirror image.
    let mirrored = |it: Primitive| [it[0], -it[1], it[2], it[3]];
    let last = zones.len() - 1;
    let mut sides = Vec::with_capacity(zones.len());
    for (k, zone) in zones.iter().enumerate() {
        let before = if k == 0 { mirrored(zones[0]) } else { zones[k - 1] };
        let after = if k == last { mirrored(zones[last]) } else { zones[k + 1] };
        sides.push(half_step_on(zone, &before, &after, gamma, ratio));
    }
    let mut fluxes = Vec::with_capacity(zones.len() + 1);
    fluxes.push(riemann(&mirrored(sides[0].0), &sides[0].0, gamma));
    for pair in sides.windows(2) {
        fluxes.push(riemann(&pair[0].1, &pair[1].0, gamma));
    }
    fluxes.push(riemann(&sides[last].1, &mirrored(sides[last].1), gamma));
    fluxes
}

/// The states at both sides of a zone, half a time step later.
fn half_step_on(
    zone: &Primitive,
    before: &Primitive,
    after: &Primitive,
    gamma: f64,
    ratio: f64,
) -> (Primitive, Primitive) {
    let slope: Primitive =
        std::array::from_fn(|k| limited(zone[k] - before[k], after[k] - zone[k]));
    let left = std::array::from_fn(|k| zone[k] - 0.5 * slope[k]);
    let right = std::array::from_fn(|k| zone[k] + 0.5 * slope[k]);
    let (inward, outward) = (flux(&left, gamma), flux(&right, gamma));
    let on = |side: &Primitive| {
        primitive(&add(&conserved(side, gamma), 0.5 * ratio, &inward, &outward), gamma)
    };
    let (left, right) = (on(&left), on(&right));
    let sound = |side: &Primitive| side[0] > 0.0 && side[3] > 0.0;
    // Where a steep slope has taken all mass or heat from a side, the zone is taken as flat.
    if sound(&left) && sound(&right) { (left, right) } else { (*zone, *zone) }
}

/// The limiter of van Leer: the harmonic mean of two differences, `None` where they turn.
fn limited(a: f64, b: f64) -> f64 {
    if a * b > 0.0 { 2.0 * a * b / (a + b) } else { 0.0 }
}

fn primitive(zone: &Conserved, gamma: f64) -> Primitive {
    let [rho, along, across, energy] = *zone;
    let (u, v) = (along / rho, across / rho);
    [rho, u, v, (gamma - 1.0) * (energy - 0.5 * (along * u + across * v))]
}

fn conserved(zone: &Primitive, gamma: f64) -> Conserved {
    let [rho, u, v, pressure] = *zone;
    [rho, rho * u, rho * v, pressure / (gamma - 1.0) + 0.5 * rho * (u * u + v * v)]
}

fn flux(zone: &Primitive, gamma: f64) -> Conserved {
    let [rho, u, v, pressure] = *zone;
    let energy = conserved(zone, gamma)[3];
    [rho * u, rho * u * u + pressure, rho * u * v, u * (energy + pressure)]
}

/// The flux between two states: HLLC (E. F. Toro, M. Spruce, W. Speares, 1994), with the speeds of
/// S. F. Davis.
fn riemann(left: &Primitive, right: &Primitive, gamma: f64) -> Conserved {
    let sound = |side: &Primitive| (gamma * side[3] / side[0]).sqrt();
    let (cl, cr) = (sound(left), sound(right));
    let slowest = (left[1] - cl).min(right[1] - cr);
    let fastest = (left[1] + cl).max(right[1] + cr);
    if slowest >= 0.0 {
        return flux(left, gamma);
    }
    if fastest <= 0.0 {
        return flux(right, gamma);
    }
    let (ml, mr) = (left[0] * (slowest - left[1]), right[0] * (fastest - right[1]));
    let contact = (right[3] - left[3] + ml * left[1] - mr * right[1]) / (ml - mr);
    let (side, speed, mass) =
        if contact >= 0.0 { (left, slowest, ml) } else { (right, fastest, mr) };
    let rho = mass / (speed - contact);
    let outer = conserved(side, gamma);
    let heat = outer[3] / side[0] + (contact - side[1]) * (contact + side[3] / mass);
    let inner = [rho, rho * contact, rho * side[2], rho * heat];
    let outer_flux = flux(side, gamma);
    std::array::from_fn(|k| outer_flux[k] + speed * (inner[k] - outer[k]))
}
