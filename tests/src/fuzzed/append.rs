//! Any script of a writer that is killed again and again: all that was committed is there, always.
//!
//! A script is cycles: a byte of what happens, one of when, one that chance begins with, then the
//! actions, two bytes each.

use crate::crash::{FAULTS, left, recover, run};
use crate::disk::{Disk, Random};
use crate::model::{Action, Model, state_of};

/// Longer input is no script: it would take long, and show nothing that shorter ones do not.
const LONGEST: usize = 128;

/// Cycles and actions of a script that are done at most.
const MOST: (usize, usize) = (6, 16);

/// Runs a script.
pub(super) fn append(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    let mut script = data.iter().copied();
    let mut next = || script.next();
    let mut left_over = MOST.1;
    let (mut model, mut bytes) = Model::start();
    for _ in 0..MOST.0 {
        let (Some(what), Some(when), Some(chance)) = (next(), next(), next()) else { return };
        let mut random = Random::new(u64::from(chance));
        let mut actions = Vec::new();
        for _ in 0..=what >> 5 {
            let (Some(kind), Some(size), true) = (next(), next(), left_over > 0) else { break };
            left_over -= 1;
            actions.push(action(kind, u64::from(size)));
        }
        let mut disk = Disk::new(bytes).fault(u64::from(when), FAULTS[usize::from(what) % 3]);
        if what & 4 != 0 {
            disk = disk.short(random.clone());
        }
        let (before, after, _) = run(&model, &disk, &actions);
        bytes = left(&disk, what & 8 != 0, &mut random);
        let models: Vec<&Model> = std::iter::once(&before).chain(&after).collect();
        model = state_of(&bytes, &models).clone();
        if what & 16 != 0 {
            bytes = recover(bytes, &model, None, &[]);
        }
    }
}

fn action(kind: u8, size: u64) -> Action {
    match kind % 6 {
        0 => Action::Extend(size),
        1 => Action::Push(size / 4),
        2 => Action::Push(1),
        3 => Action::Reserve(size * 16),
        4 => Action::Reopen,
        _ => Action::Close,
    }
}
