//! What is simulated: the gas and the radiation in square zones, and particles that go with the gas.

use dudley::ndarray::{Array2, Array3, s};

use crate::dump::restart::Tracer;

/// Of radiation in equilibrium: its energy density is this times the temperature (eV) to the fourth.
pub(crate) const RADIATION_CONSTANT: f64 = 137.2e-12; // Mbar/eV4

/// The energy per length of a blast in a gas of density rho whose front comes to radius r at time t is
/// this times rho r^4 / t^2: L. I. Sedov's solution for a cylinder and gamma = 1.4, as computed by
/// J. R. Kamm and F. X. Timmes, LA-UR-07-2849 (2007).
const SEDOV: f64 = 0.984_074;

/// Everything that the rest of a run depends on, and that is why it is what a dump has.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    pub(crate) step: i64,
    pub(crate) time: f64, // us
    pub(crate) dt: f64,   // us
    pub(crate) material: Material,
    pub(crate) rho: Array2<f64>,          // g/cc
    pub(crate) momentum: Array3<f64>,     // g/cm2/us
    pub(crate) energy: Array2<f64>,       // Mbar
    pub(crate) erad: Option<Array2<f64>>, // Mbar
    pub(crate) tracers: Vec<Tracer>,
}

/// What does not change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Material {
    pub(crate) gamma: f64,
    pub(crate) cv: f64,    // Mbar cc/g/eV
    pub(crate) kappa: f64, // cm2/g
    pub(crate) width: f64, // cm
}

/// A blast: energy set free along the axis x = y = 0 of cold gas at rest. By symmetry the quarter of
/// positive x and y is enough; no side lets anything through.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blast {
    pub(crate) zones: usize,
    pub(crate) radiation: bool,
}

impl Blast {
    pub(crate) const RHO: f64 = 0.1; // g/cc
    /// The front is to be at this radius ...
    pub(crate) const RADIUS: f64 = 0.75; // cm
    /// ... at this time, without radiation.
    pub(crate) const END: f64 = 0.1; // us
    /// Of the gas before the blast.
    const COLD: f64 = 0.1; // eV

    pub(crate) fn start(self) -> State {
        let zones = self.zones;
        let material = Material { gamma: 1.4, cv: 0.1, kappa: 1e5, width: 1.0 / zones as f64 };
        let rho = Array2::from_elem((zones, zones), Self::RHO);
        let mut energy = Array2::from_elem((zones, zones), Self::RHO * material.cv * Self::COLD);
        let blast = SEDOV * Self::RHO * Self::RADIUS.powi(4) / (Self::END * Self::END);
        // Not in one zone, in which a square would be seen for long: in a disc three zones wide.
        let middle = |i: usize| i as f64 + 0.5;
        let hot: Vec<(usize, usize)> = (0..3)
            .flat_map(|j| (0..3).map(move |i| (j, i)))
            .filter(|(j, i)| middle(*j).powi(2) + middle(*i).powi(2) < 9.0)
            .collect();
        for zone in &hot {
            let volume = hot.len() as f64 * material.width * material.width;
            energy[*zone] += blast / 4.0 / volume;
        }
        let equilibrium = RADIATION_CONSTANT * Self::COLD.powi(4);
        let erad = self.radiation.then(|| Array2::from_elem((zones, zones), equilibrium));
        let momentum = Array3::zeros((2, zones, zones));
        // Some that lie on a diagonal, none of them where four zones meet.
        let tracers = (0..16).map(|id| {
            let place = [(f64::from(id) + 0.3) / 16.0, (f64::from(id) + 0.4) / 16.0];
            Tracer { id, zone: zone_of(place, material.width, zones), place, path: 0.0 }
        });
        State {
            step: 0,
            time: 0.0,
            dt: 0.0,
            material,
            rho,
            momentum,
            energy,
            erad,
            tracers: tracers.collect(),
        }
    }
}

/// The zone (j, i) that a place is in.
pub(crate) fn zone_of(place: [f64; 2], width: f64, zones: usize) -> [i32; 2] {
    [place[1], place[0]].map(|x| ((x / width) as i32).clamp(0, zones as i32 - 1))
}

/// Sums over all zones, per length along z.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Totals {
    pub(crate) mass: f64,    // g/cm
    pub(crate) gas: f64,     // Mbar cm2
    pub(crate) kinetic: f64, // Mbar cm2
    pub(crate) rad: f64,     // Mbar cm2
}

impl State {
    /// Motion's part of the energy density of a zone.
    pub(crate) fn kinetic(&self, j: usize, i: usize) -> f64 {
        let (u, v) = (self.momentum[[0, j, i]], self.momentum[[1, j, i]]);
        0.5 * (u * u + v * v) / self.rho[[j, i]]
    }

    pub(crate) fn totals(&self) -> Totals {
        let volume = self.material.width * self.material.width;
        let kinetic: f64 = self.rho.indexed_iter().map(|((j, i), _)| self.kinetic(j, i)).sum();
        Totals {
            mass: self.rho.sum() * volume,
            gas: self.energy.sum() * volume,
            kinetic: kinetic * volume,
            rad: self.erad.as_ref().map_or(0.0, |erad| erad.sum() * volume),
        }
    }

    /// The radius of the shock front: where, seen from outside, the density first is half way
    /// between what it was and its peak; the mean of what is seen along x, along y, between them.
    pub(crate) fn shock(&self) -> f64 {
        let width = self.material.width;
        let along_y = self.rho.slice(s![.., 0]);
        let along_x = self.rho.slice(s![0, ..]);
        let between = self.rho.diag();
        let rays = [(along_x, width), (along_y, width), (between, width * 2f64.sqrt())];
        let radii = rays.map(|(rho, spacing)| {
            let peak = rho.iter().copied().fold(Blast::RHO, f64::max);
            let half = 0.5 * (Blast::RHO + peak);
            let Some(at) = rho.iter().rposition(|rho| *rho >= half) else { return 0.0 };
            let next = rho.get(at + 1).copied().unwrap_or(Blast::RHO);
            let part = (rho[at] - half) / (rho[at] - next).max(f64::MIN_POSITIVE);
            (at as f64 + 0.5 + part) * spacing
        });
        radii.iter().sum::<f64>() / 3.0
    }
}
