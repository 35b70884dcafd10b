//! After a crash at any call, in any state, the file is the old one or the new one, and the next update continues.

use asdf_bridge::asdf::Error;

use crate::update::disk::{Disk, Fault, Random};
use crate::update::model::{Action, Model, state_of};

/// Random cycles in an ordinary run; `DUDLEY_TORTURE` says their number in another.
const CYCLES: u64 = 400;

const FAULTS: [Fault; 3] = [Fault::Stop, Fault::Part, Fault::Full];

/// Does things until one fails; gives what was committed before, and after, that, and how many were done.
fn run(model: &Model, disk: &Disk, actions: &[Action]) -> (Model, Option<Model>, usize) {
    let (mut committed, mut done) = (model.clone(), 0);
    for action in actions {
        let next = committed.after(*action);
        match committed.on_disk(disk, *action) {
            Ok(updated) => {
                assert!(updated.in_place);
                (committed, done) = (next, done + 1);
            }
            Err(Error::NotInPlace) => {}
            Err(_) => return (committed, Some(next), done),
        }
    }
    (committed, None, done)
}

/// What a crash leaves: of a killed process, or of a power cut.
fn left(disk: &Disk, cut: bool, random: &mut Random) -> Vec<u8> {
    if cut { disk.after_power_cut(random) } else { disk.contents() }
}

#[test]
fn killed_at_every_single_call() {
    let actions = [
        Action::Count,
        Action::Add(10),
        Action::Add(300),
        Action::Remove(3),
        Action::Add(200),
        Action::Replace(200),
        Action::AddTwo(150, 40),
        Action::Count,
        Action::Remove(2),
        Action::Add(0),
    ];
    let (start, bytes) = Model::start(4000);
    let whole = Disk::new(bytes.clone()).sectors();
    let (_, failed, done) = run(&start, &whole, &actions);
    assert!(failed.is_none() && done == actions.len(), "{done} in place");
    assert!(whole.calls() > 40, "{} calls", whole.calls());
    let mut random = Random::new(7);
    for call in 0..whole.calls() {
        for fault in FAULTS {
            for cut in [false, true, true, true] {
                let disk = Disk::new(bytes.clone()).sectors().fault(call, fault);
                let (before, after, _) = run(&start, &disk, &actions);
                let left = left(&disk, cut, &mut random);
                let models: Vec<&Model> = std::iter::once(&before).chain(&after).collect();
                let model = state_of(&left, &models);
                // The next one continues.
                let disk = Disk::new(left).sectors();
                let (end, failed, done) = run(model, &disk, &[Action::Add(5), Action::Count]);
                assert!(failed.is_none() && done == 2, "after {fault:?} at call {call}");
                state_of(&disk.contents(), &[&end]);
            }
        }
    }
}

#[test]
fn killed_at_random_again_and_again() {
    let cycles = std::env::var("DUDLEY_TORTURE").ok().and_then(|cycles| cycles.parse().ok());
    let cycles: u64 = cycles.unwrap_or(CYCLES);
    let mut random = Random::new(1);
    let (mut model, mut bytes) = Model::start(3000);
    let mut all = 0;
    for cycle in 0..cycles {
        if cycle % 8 == 0 {
            (model, bytes) = Model::start(random.below(6000));
        }
        let actions: Vec<Action> = (0..6).map(|_| Action::any(&mut random)).collect();
        let fault = FAULTS[random.below(3) as usize];
        let disk = Disk::new(bytes).sectors().fault(random.below(30), fault).short(random.clone());
        let (before, after, done) = run(&model, &disk, &actions);
        all += done as u64;
        let cut = random.below(2) == 0;
        bytes = left(&disk, cut, &mut random);
        let models: Vec<&Model> = std::iter::once(&before).chain(&after).collect();
        model = state_of(&bytes, &models).clone();
    }
    assert!(all > cycles / 2, "only {all} updates were made");
}

#[test]
fn a_full_disk_leaves_the_old_file_and_a_whole_one_does_without() {
    let (start, bytes) = Model::start(4000);
    let disk = Disk::new(bytes).sectors().fault(1, Fault::Full);
    assert!(start.on_disk(&disk, Action::Add(3000)).is_err());
    state_of(&disk.contents(), &[&start]);
    start.on_disk(&disk, Action::Add(3000)).expect("there is space again");
    state_of(&disk.contents(), &[&start.after(Action::Add(3000))]);
}
