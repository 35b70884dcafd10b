//! After a crash at any call, in any state, all that was committed is there, and the next writer continues.

use std::sync::Arc;

use dudley::append::Append;
use dudley::{Open, Severity};

use super::crash::{FAULTS, left, recover, run};
use super::disk::{Disk, Fault, Random};
use super::model::{Action, Model, state_of};

/// Random cycles in an ordinary run; `DUDLEY_TORTURE` says their number in another.
const CYCLES: u64 = 200;

#[test]
fn killed_at_every_single_call() {
    let actions = [
        Action::Extend(10),
        Action::Push(3),
        Action::Push(2),
        Action::Extend(0),
        Action::Reserve(500),
        Action::Extend(100),
        Action::Push(4),
        Action::Close,
        Action::Push(400),
        Action::Reserve(100),
        Action::Reopen,
        Action::Extend(20),
        Action::Close,
    ];
    let (start, bytes) = Model::start();
    let whole = Disk::new(bytes.clone());
    assert!(run(&start, &whole, &actions).1.is_none());
    assert!(whole.calls() > 60, "{} calls", whole.calls());
    let mut random = Random::new(7);
    for call in 0..whole.calls() {
        for fault in FAULTS {
            for cut in [false, true, true] {
                let disk = Disk::new(bytes.clone()).fault(call, fault);
                let (before, after, done) = run(&start, &disk, &actions);
                let left = left(&disk, cut, &mut random);
                recover(left, &before, after.as_ref(), &actions[(done + 1).min(actions.len())..]);
            }
        }
    }
}

#[test]
fn killed_at_random_again_and_again() {
    let cycles = std::env::var("DUDLEY_TORTURE").ok().and_then(|cycles| cycles.parse().ok());
    let cycles: u64 = cycles.unwrap_or(CYCLES);
    let mut random = Random::new(1);
    let (mut model, mut bytes) = Model::start();
    for cycle in 0..cycles {
        if cycle % 16 == 0 {
            (model, bytes) = Model::start();
        }
        let actions: Vec<Action> = (0..6).map(|_| Action::any(&mut random)).collect();
        let fault = FAULTS[random.below(3) as usize];
        let disk = Disk::new(bytes).fault(random.below(40), fault).short(random.clone());
        let (before, after, _) = run(&model, &disk, &actions);
        let cut = random.below(2) == 0;
        bytes = left(&disk, cut, &mut random);
        let models: Vec<&Model> = std::iter::once(&before).chain(&after).collect();
        model = state_of(&bytes, &models).clone();
        // Now and then the next one is killed while it rolls back.
        bytes = recover(bytes, &model, None, &[]);
    }
}

#[test]
fn rolling_back_may_be_killed_too() {
    let actions = [Action::Extend(10), Action::Push(3), Action::Extend(200)];
    let (start, bytes) = Model::start();
    let whole = Disk::new(bytes.clone());
    run(&start, &whole, &actions);
    let mut random = Random::new(3);
    for call in 0..whole.calls() {
        let disk = Disk::new(bytes.clone()).fault(call, Fault::Stop);
        let (before, after, _) = run(&start, &disk, &actions);
        let left = disk.contents();
        let models: Vec<&Model> = std::iter::once(&before).chain(&after).collect();
        let model = state_of(&left, &models);
        for second in 0..8 {
            let disk = Disk::new(left.clone()).fault(second, Fault::Part);
            let _ = Append::storage(Arc::new(disk.clone()), None);
            state_of(&disk.contents(), &[model]);
            recover(disk.after_power_cut(&mut random), model, None, &[Action::Push(2)]);
        }
    }
}

#[test]
fn as_few_syncs_as_are_safe() {
    let (model, bytes) = Model::start();
    let disk = Disk::new(bytes);
    let mut syncs = 0;
    let mut now = |disk: &Disk| {
        let more = disk.syncs() - syncs;
        syncs = disk.syncs();
        more
    };
    let append = model.act(None, &disk, Action::Extend(10)).expect("space");
    let model = model.after(Action::Extend(10));
    assert_eq!(now(&disk), 4, "copy, its address, data with layout, its address");
    let append = model.act(append, &disk, Action::Push(3)).expect("space");
    let model = model.after(Action::Push(3));
    assert_eq!(now(&disk), 4, "layout further on, its address, data, count");
    let append = model.act(append, &disk, Action::Push(3)).expect("space");
    let model = model.after(Action::Push(3));
    assert_eq!(now(&disk), 2, "data, count");
    let append = model.act(append, &disk, Action::Extend(10)).expect("space");
    let model = model.after(Action::Extend(10));
    assert_eq!(now(&disk), 2, "data with layout in the room before the old one, its address");
    assert!(append.is_some());
    state_of(&disk.contents(), &[&model]);
}

#[test]
fn verify_tells_an_interruption_until_the_next_writer() {
    let actions = [Action::Extend(10), Action::Push(3), Action::Extend(200)];
    let (start, bytes) = Model::start();
    let whole = Disk::new(bytes.clone());
    run(&start, &whole, &actions);
    let codes = |bytes: Vec<u8>| {
        let mut codes = Vec::new();
        let mut found = |finding: dudley::verify::Finding| match finding.severity {
            Severity::Note => {}
            Severity::Warning | Severity::Error => codes.push(finding.code),
        };
        dudley::verify::verify(Open::new(), bytes, &mut found, &mut |_| ());
        codes
    };
    assert_eq!(codes(bytes.clone()), [""; 0]);
    let mut interrupted = 0;
    for call in 0..whole.calls() {
        let disk = Disk::new(bytes.clone()).fault(call, Fault::Stop);
        let (before, after, _) = run(&start, &disk, &actions);
        let left = disk.contents();
        let found = codes(left.clone());
        let models: Vec<&Model> = std::iter::once(&before).chain(&after).collect();
        let model = state_of(&left, &models);
        let disk = Disk::new(left);
        let append = Append::storage(Arc::new(disk.clone()), None).expect("it opens");
        let said = append.findings().iter().any(|finding| finding.is_interruption());
        assert_eq!(said, found == ["interrupted"], "{found:?} at call {call}");
        assert!(said || found.is_empty(), "{found:?} at call {call}");
        interrupted += u32::from(said);
        drop(append);
        // Opened once to be extended, it is as good as it was.
        assert_eq!(codes(disk.contents()), [""; 0]);
        assert_eq!(state_of(&disk.contents(), &[model]), model);
    }
    assert!(interrupted > 3, "{interrupted} of {} calls", whole.calls());
}
