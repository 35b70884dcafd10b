//! One crash: what a writer does until then, what it leaves, and that the next one continues.

use std::sync::Arc;

use dudley::append::Append;

use super::disk::{Disk, Fault, Random};
use super::model::{Action, Model, state_of};

pub(crate) const FAULTS: [Fault; 3] = [Fault::Stop, Fault::Part, Fault::Full];

/// Does things until one fails; gives what was committed before, and after, that.
pub(crate) fn run(model: &Model, disk: &Disk, actions: &[Action]) -> (Model, Option<Model>, usize) {
    let (mut committed, mut append) = (model.clone(), None);
    for (done, action) in actions.iter().enumerate() {
        let next = committed.after(*action);
        match committed.act(append.take(), disk, *action) {
            Ok(still) => (append, committed) = (still, next),
            Err(_) => return (committed, Some(next), done),
        }
    }
    (committed, None, actions.len())
}

/// What a crash leaves: of a killed process, or of a power cut.
pub(crate) fn left(disk: &Disk, cut: bool, random: &mut Random) -> Vec<u8> {
    if cut { disk.after_power_cut(random) } else { disk.contents() }
}

/// Checks what a crash left; the next writer rolls back, finishes all, and everything is there.
pub(crate) fn recover(
    bytes: Vec<u8>,
    before: &Model,
    after: Option<&Model>,
    rest: &[Action],
) -> Vec<u8> {
    let models: Vec<&Model> = std::iter::once(before).chain(after).collect();
    let model = state_of(&bytes, &models);
    let disk = Disk::new(bytes);
    let append = Append::storage(Arc::new(disk.clone()), None).expect("it opens to be extended");
    model.check(append.stream()).expect("nothing that was committed is lost");
    drop(append);
    assert_eq!(state_of(&disk.contents(), &[model]), model);
    let (end, failed, _) = run(model, &disk, rest);
    assert!(failed.is_none(), "a writer goes on after a crash");
    state_of(&disk.contents(), &[&end]);
    disk.contents()
}
