//! Ranks of a group whose blocks one of them writes: the same file, and one error on all ranks.

use std::path::Path;

use dudley::Result;
use dudley::create::{Checksum, Create};
use dudley::ndarray::{Array2, Array3};
use dudley::ranks::{self, Blocks, Communicator, Group, Thread};

use super::ranks::{all, filled, layout, write};

/// How ranks are divided into groups.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grouped {
    All,
    Neighbours,
    Single,
    EveryOther,
}

const GROUPED: [Grouped; 4] =
    [Grouped::All, Grouped::Neighbours, Grouped::Single, Grouped::EveryOther];

impl Grouped {
    fn ranks(self, rank: usize, count: usize) -> Vec<usize> {
        match self {
            Grouped::All => (0..count).collect(),
            Grouped::Neighbours => (rank / 2 * 2..count.min(rank / 2 * 2 + 2)).collect(),
            Grouped::Single => vec![rank],
            Grouped::EveryOther => (rank % 2..count).step_by(2).collect(),
        }
    }

    fn create<'c, 't>(
        self,
        comm: &'c Thread<'t>,
        create: &Create,
        path: &Path,
    ) -> Result<ranks::Writer<'c, Thread<'t>>> {
        let group = Group::of(comm, 0, self.ranks(comm.rank(), comm.size()))?;
        Ok(ranks::create(comm, create, path)?.aggregate(&group))
    }
}

#[test]
fn one_writer_of_a_group_writes_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, many) = (folder.path().join("one.bd"), folder.path().join("many.bd"));
    let (ny, nx) = (11, 7);
    let create = layout(ny, nx).checksum(true);
    let bare = Blocks::new(&[ny, nx], &[1, 1]).expect("a grid");
    assert_eq!(all(ranks::threads(1, |comm| write(comm, &create, &bare, &one))), None);
    let expected = std::fs::read(&one).expect("there");
    let sum = Checksum { bytes: expected.len() as u64, crc32c: crc32c::crc32c(&expected) };
    for count in [1, 2, 3, 4, 8] {
        let grids = [
            Blocks::new(&[ny, nx], &[count as u64, 1]).expect("a grid"),
            Blocks::new(&[ny, nx], &[1, count as u64]).expect("a grid"),
            Blocks::of_ranks(&[ny, nx], count).expect("a grid"),
            // Some ranks have no block.
            Blocks::new(&[ny, nx], &[1, (count as u64).div_ceil(2)]).expect("a grid"),
        ];
        for (at, blocks) in grids.into_iter().enumerate() {
            let blocks = blocks.ghosts(&[at as u64; 2]).expect("two dimensions");
            for how in GROUPED {
                let sums = ranks::threads(count, |comm| {
                    let writer = how.create(comm, &create, &many)?;
                    let (rho, u) = filled(&blocks, comm.rank());
                    writer.write_block("/rho", &blocks, &rho)?;
                    writer.write_block("/u", &blocks, &u)?;
                    if comm.rank() + 1 == comm.size() {
                        writer.write("/time", 1.5)?;
                    }
                    writer.finish_summed()
                });
                for found in sums {
                    assert_eq!(found.expect("written"), Some(sum), "{count} {blocks:?} {how:?}");
                }
                assert!(std::fs::read(&many).expect("there") == expected, "{blocks:?} {how:?}");
            }
        }
    }
}

/// An array that does not fit into one window, and one that is stored column by column.
#[test]
fn large_arrays_are_written_in_windows() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    let text = "m = u1[3, 1050, 700]  f = i4[5, 6]  #: order = \"F\"";
    let create = Create::text(text).expect("a layout").overwrite(true);
    let (planes, rows, columns) = (3, 1050, 700);
    let value = |plane: u64, row: u64, column: u64| (plane * 7 + row * 3 + column) as u8;
    for (grid, how) in [
        ([1, 4, 1], Grouped::All),
        ([2, 1, 2], Grouped::All),
        ([1, 2, 2], Grouped::All),
        ([1, 2, 2], Grouped::EveryOther),
    ] {
        let blocks = Blocks::new(&[planes, rows, columns], &grid).expect("a grid");
        let of_f = Blocks::new(&[5, 6], &[2, 2]).expect("a grid");
        let sent = ranks::threads(4, |comm| -> Result<(u64, u64)> {
            let writer = how.create(comm, &create, &path)?;
            let block = blocks.block(comm.rank());
            let (own, shape) = (block.elements(), block.memory_shape());
            let m = Array3::from_shape_fn((shape[0], shape[1], shape[2]), |(z, y, x)| {
                let [z, y, x] = [z, y, x].map(|at| at as u64);
                value(own[0].start + z, own[1].start + y, own[2].start + x)
            });
            let before = comm.sent();
            writer.write_block("/m", &blocks, &m)?;
            let after = comm.sent();
            let block = of_f.block(comm.rank());
            let (own, shape) = (block.elements(), block.memory_shape());
            let f = Array2::from_shape_fn((shape[0], shape[1]), |(y, x)| {
                (own[0].start as i32 + y as i32) * 10 + own[1].start as i32 + x as i32
            });
            writer.write_block("/f", &of_f, &f)?;
            writer.finish()?;
            Ok((after.0 - before.0, after.1 - before.1))
        });
        for (rank, sent) in sent.into_iter().enumerate() {
            let (messages, bytes) = sent.expect("written");
            if how.ranks(rank, 4)[0] == rank {
                assert_eq!(messages, 0);
                continue;
            }
            // A head, and at most three windows of a part of the array.
            assert!((2..=4).contains(&messages), "{grid:?} {how:?}: {messages}");
            let own = blocks.block(rank).elements();
            let own: u64 = own.iter().map(|it| it.end - it.start).product();
            assert!(bytes > own && bytes < own + 200, "{bytes} and {own}");
        }
        let stream = dudley::Stream::open(&path).expect("a stream");
        let m = stream.get("/m").and_then(|it| it.read::<u8>()).expect("numbers");
        assert!(
            m.indexed_iter()
                .all(|(at, found)| { *found == value(at[0] as u64, at[1] as u64, at[2] as u64) })
        );
        let f = stream.get("/f").and_then(|it| it.read::<i32>()).expect("numbers");
        assert!(f.indexed_iter().all(|(at, it)| *it == at[0] as i32 * 10 + at[1] as i32));
    }
}

/// What goes wrong on one rank.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wrong {
    /// Its array has another shape, in the dimensions of blocks or behind them.
    Shape,
    Components,
    /// Its array has another type.
    Type,
    /// It names an item that there is not.
    Item,
    /// It does not write its block.
    Absent,
    /// It writes a block of another decomposition.
    Grid,
    /// It writes its blocks in another order.
    Order,
    /// It drops its writer.
    Dropped,
    /// Nothing can be written from it.
    Write,
}

fn fails(comm: &Thread<'_>, how: Grouped, bad: usize, wrong: Wrong, path: &Path) -> Result<()> {
    let is_bad = comm.rank() == bad;
    let blocks = Blocks::of_ranks(&[8, 8], comm.size())?;
    let writer = how.create(comm, &layout(8, 8), path)?;
    let (rho, u) = filled(&blocks, comm.rank());
    if comm.rank() == 0 {
        writer.write("/time", 1.0)?;
    }
    // A program that ignores the error of a block gets it from `finish`.
    match wrong {
        Wrong::Shape if is_bad => {
            drop(writer.write_block("/u", &blocks, &Array3::<f32>::zeros((1, 1, 2))))
        }
        Wrong::Components if is_bad => {
            let shape = blocks.block(bad).memory_shape();
            let u = Array3::<f32>::zeros((shape[0], shape[1], 3));
            drop(writer.write_block("/u", &blocks, &u));
        }
        Wrong::Type if is_bad => drop(writer.write_block("/u", &blocks, &u.mapv(f64::from))),
        Wrong::Item if is_bad => drop(writer.write_block("/v", &blocks, &u)),
        Wrong::Absent if is_bad => {}
        Wrong::Grid if is_bad => {
            let blocks = Blocks::new(&[8, 8], &[1, 1])?;
            drop(writer.write_block("/u", &blocks, &Array3::<f32>::zeros((8, 8, 2))));
        }
        Wrong::Order if is_bad => drop(writer.write_block("/rho", &blocks, &rho)),
        Wrong::Dropped if is_bad => {
            drop(writer);
            return ranks::agree(comm, Ok(())).map(|()| panic!("others have no error"));
        }
        Wrong::Write if is_bad => {
            writer.alone().abort();
            drop(writer.write_block("/u", &blocks, &u));
        }
        _ => drop(writer.write_block("/u", &blocks, &u)),
    }
    if is_bad && wrong == Wrong::Order {
        drop(writer.write_block("/u", &blocks, &u));
    } else {
        drop(writer.write_block("/rho", &blocks, &rho));
    }
    let finished = writer.finish();
    if wrong == Wrong::Dropped { ranks::agree(comm, finished) } else { finished }
}

#[test]
fn all_ranks_return_the_same_error_of_a_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    let blocks = Blocks::new(&[8, 8], &[1, 1]).expect("a grid");
    assert_eq!(all(ranks::threads(1, |comm| write(comm, &layout(8, 8), &blocks, &path))), None);
    let before = std::fs::read(&path).expect("there");
    for (wrong, said) in [
        (Wrong::Shape, "`/u`: expected shape"),
        (Wrong::Components, "expected shape"),
        (Wrong::Type, "`/u`: expected elements of type"),
        (Wrong::Item, "no item `/v`"),
        (Wrong::Absent, "/u"),
        (Wrong::Grid, "/u"),
        (Wrong::Order, "of `/"),
        (Wrong::Dropped, "its writer was dropped and not finished"),
        (Wrong::Write, "is finished"),
    ] {
        for how in GROUPED {
            for bad in 0..6 {
                let alone = how.ranks(bad, 6).len() == 1;
                // A rank that is alone may have another order.
                let is_fault = match wrong {
                    Wrong::Order => !alone,
                    // It has all of the array then.
                    Wrong::Grid => !alone || bad > 0,
                    _ => true,
                };
                let error = all(ranks::threads(6, |comm| fails(comm, how, bad, wrong, &path)));
                if !is_fault {
                    assert_eq!(error, None);
                    std::fs::write(&path, &before).expect("space");
                    continue;
                }
                let error = error.expect("an error");
                assert!(error.contains(said), "{wrong:?} {how:?} {bad}: {error}");
                let by_its_writer = matches!(wrong, Wrong::Absent | Wrong::Grid | Wrong::Order);
                let names = error.contains(&format!("rank {bad}: "));
                assert!(names || by_its_writer, "{wrong:?} {how:?} {bad}: {error}");
                assert!(std::fs::read(&path).expect("there") == before, "{wrong:?} {how:?} {bad}");
                let files = std::fs::read_dir(folder.path()).expect("a folder").count();
                assert_eq!(files, 1, "{wrong:?} {how:?} {bad}");
            }
        }
    }
}

#[test]
fn a_group_has_its_rank_and_no_other_twice() {
    let results = ranks::threads(3, |comm| {
        let of = |ranks: &[usize]| Group::of(comm, 0, ranks.to_vec()).is_ok();
        [of(&[0, 1, 2]), of(&[]), of(&[1, 0]), of(&[0, 0, 1, 2]), of(&[0, 1, 2, 3]), of(&[1])]
    });
    let mine = |rank: usize| [true, false, false, false, false, rank == 1];
    assert_eq!(results, [mine(0), mine(1), mine(2)]);
}
