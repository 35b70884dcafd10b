//! How radiation spreads and exchanges heat with the gas: grey diffusion.
//!
//! The radiation has energy but no momentum, is not carried along by the gas, and spreads however
//! fast the gradients say (there is no flux limiter). That is what it does in gas that is thick and
//! slow beside light. Both steps are implicit, and keep the energy except for rounding.

use dudley::ndarray::{Array2, ArrayViewMut1, Axis};

use crate::state::{RADIATION_CONSTANT, State};

pub(crate) const LIGHT: f64 = 29_979.245_8; // cm/us

impl State {
    /// Lets radiation spread and be exchanged for `dt`, if there is any.
    pub(crate) fn radiate(&mut self, dt: f64) {
        let Some(mut erad) = self.erad.take() else { return };
        let absorption = self.rho.mapv(|rho| self.material.kappa * rho); // 1/cm
        // As with the gas, the direction that comes first changes.
        let first = (self.step % 2) as usize;
        for along in [first, 1 - first] {
            spread(&mut erad, &absorption, Axis(1 - along), dt, self.material.width);
        }
        for ((j, i), erad) in erad.indexed_iter_mut() {
            let heat = self.energy[[j, i]] - self.kinetic(j, i);
            let capacity = self.rho[[j, i]] * self.material.cv;
            let gain = absorbed(heat, capacity, *erad, dt * LIGHT * absorption[[j, i]]);
            self.energy[[j, i]] += gain;
            *erad -= gain;
        }
        self.erad = Some(erad);
    }
}

/// Diffusion along one axis, each line of zones for itself, backward in time.
pub(crate) fn spread(
    erad: &mut Array2<f64>,
    absorption: &Array2<f64>,
    axis: Axis,
    dt: f64,
    width: f64,
) {
    for (line, absorption) in erad.lanes_mut(axis).into_iter().zip(absorption.lanes(axis)) {
        let side = |k: usize| {
            let mean = 0.5 * (absorption[k] + absorption[k + 1]);
            dt * LIGHT / (3.0 * mean * width * width)
        };
        let sides: Vec<f64> = (0..absorption.len() - 1).map(side).collect();
        solve(line, &sides);
    }
}

/// Solves for the line `x` with x[k] - s[k] (x[k+1] - x[k]) + s[k-1] (x[k] - x[k-1]) = what it is
/// now; nothing goes through the ends.
fn solve(mut x: ArrayViewMut1<'_, f64>, sides: &[f64]) {
    let last = sides.len();
    let mut above = Vec::with_capacity(last);
    let (mut before, mut carried) = (0.0, 0.0);
    for k in 0..=last {
        let next = if k < last { sides[k] } else { 0.0 };
        // Elimination from the first to the last; the matrix has a heavy diagonal.
        let from = if k > 0 { above[k - 1] } else { 0.0 };
        let pivot = 1.0 + next + before * (1.0 - from);
        carried = (x[k] + before * carried) / pivot;
        x[k] = carried;
        above.push(next / pivot);
        before = next;
    }
    for k in (0..last).rev() {
        x[k] += above[k] * x[k + 1];
    }
}

/// What a zone of gas takes from the radiation (less than nothing if it gives), of which it absorbs
/// `depth` times itself: backward in time. Energies are densities.
pub(crate) fn absorbed(heat: f64, capacity: f64, erad: f64, depth: f64) -> f64 {
    let old = heat / capacity;
    let emitted = |t: f64| RADIATION_CONSTANT * t * t * t * t;
    // The root of a convex function that grows; Newton's steps from above stay above.
    let mut t = old.max((erad / RADIATION_CONSTANT).sqrt().sqrt());
    for _ in 0..100 {
        let off = capacity * (1.0 + depth) * (t - old) + depth * (emitted(t) - erad);
        let slope = capacity * (1.0 + depth) + 4.0 * depth * emitted(t) / t;
        let next = t - off / slope;
        if next >= t * (1.0 - 1e-15) {
            break;
        }
        t = next;
    }
    capacity * (t - old)
}
