//! Lists in lists in the brackets that they have when repetitions are found anew: items of a list that are alike except
//! for brackets within have one text then.

use super::items::Items;
use super::put::put;
use super::shape;
use crate::layout::{Layout, ListId};

/// A layout with the lists that stand in others so; `None` if all of them do.
pub(super) fn plain(layout: &Layout) -> Option<Layout> {
    let depths: Vec<usize> =
        (0..layout.lists.len()).map(|at| depth(layout, ListId(at as u32))).collect();
    let mut plain: Option<Layout> = None;
    // What stands in a list has to be plain before it is known to be alike.
    for depth in (1..=depths.iter().copied().max()?).rev() {
        let of = plain.as_ref().unwrap_or(layout);
        let mut items = Items::new(of, of);
        let mut all = Vec::new();
        for at in (0..depths.len()).filter(|at| depths[*at] == depth) {
            let list = ListId(at as u32);
            let wanted = items.plainest(list).filter(|wanted| *wanted != shape(of, list));
            if let Some(fitted) = wanted.and_then(|wanted| items.fit(list, &wanted)) {
                all.push((list, fitted));
            }
        }
        if !all.is_empty() {
            let plain = plain.get_or_insert_with(|| layout.clone());
            all.into_iter().for_each(|(list, fitted)| put(plain, list, fitted));
        }
    }
    plain
}

/// How many lists are around one.
fn depth(layout: &Layout, mut list: ListId) -> usize {
    let around = |list: ListId| {
        let home = layout[layout[list].dict].home;
        layout[list].outer.or(layout[home].list)
    };
    let mut depth = 0;
    while let Some(outer) = around(list) {
        list = outer;
        depth += 1;
    }
    depth
}
