//! Files that ranks write and read together: here the ranks are threads.

use std::path::Path;

use dudley::create::{Checksum, Create};
use dudley::family::{Build, Family};
use dudley::ndarray::{Array1, Array2, Array3};
use dudley::ranks::{self, Blocks, Communicator, Group, Thread};
use dudley::{Error, Result, Stream};

const TEXT: &str = "NY : i8  NX : i8  time = f8  rho = f8[NY, NX]  u = >f4[NY, NX, 2]";

pub(crate) fn layout(ny: u64, nx: u64) -> Create {
    let create = Create::text(TEXT).expect("a layout").overwrite(true);
    create.param("NY", ny).param("NX", nx)
}

fn rho(y: u64, x: u64) -> f64 {
    (y * 1000 + x) as f64
}

/// What a rank has in memory: ghost cells are -1.
pub(crate) fn filled(blocks: &Blocks, rank: usize) -> (Array2<f64>, Array3<f32>) {
    let block = blocks.block(rank);
    let shape = block.memory_shape();
    let mut memory = Array2::from_elem((shape[0], shape[1]), -1.0);
    let mut u = Array3::from_elem((shape[0], shape[1], 2), -1.0);
    let own = block.elements();
    let ghosts = (shape[0] as u64 - (own[0].end - own[0].start)) / 2;
    for y in own[0].clone() {
        for x in own[1].clone() {
            let at = [(y - own[0].start + ghosts) as usize, (x - own[1].start + ghosts) as usize];
            memory[at] = rho(y, x);
            u[[at[0], at[1], 0]] = y as f32;
            u[[at[0], at[1], 1]] = x as f32;
        }
    }
    (memory, u)
}

pub(crate) fn write<C: Communicator>(
    comm: &C,
    create: &Create,
    blocks: &Blocks,
    path: &Path,
) -> Result<()> {
    let writer = ranks::create(comm, create, path)?;
    let (rho, u) = filled(blocks, comm.rank());
    writer.write_block("/rho", blocks, &rho)?;
    writer.write_block("/u", blocks, &u)?;
    if comm.rank() + 1 == comm.size() {
        writer.write("/time", 1.5)?;
    }
    writer.finish()
}

fn read<C: Communicator>(comm: &C, blocks: &Blocks, path: &Path) -> Result<()> {
    let reader = ranks::open(comm, path)?;
    let block = blocks.block(comm.rank());
    let shape = block.memory_shape();
    let mut memory = Array2::from_elem((shape[0], shape[1]), -7.0);
    let mut u = Array3::from_elem((shape[0], shape[1], 2), -7_f32);
    reader.read_block("/rho", blocks, &mut memory)?;
    reader.read_block("/u", blocks, &mut u)?;
    let with = block.with_ghosts();
    let count = with.iter().map(|it| (it.end - it.start) as usize).product::<usize>();
    let mut seen = memory.iter().filter(|it| **it != -7.0).copied();
    let mut components = u.iter().filter(|it| **it != -7.0).copied();
    for y in with[0].clone() {
        for x in with[1].clone() {
            assert_eq!(seen.next(), Some(rho(y, x)), "{count}");
            assert_eq!((components.next(), components.next()), (Some(y as f32), Some(x as f32)));
        }
    }
    assert_eq!((seen.next(), components.next()), (None, None));
    Ok(())
}

/// What every rank returns, which is the same.
pub(crate) fn all(results: Vec<Result<()>>) -> Option<String> {
    let said: Vec<Option<String>> =
        results.into_iter().map(|it| it.err().map(|error| error.to_string())).collect();
    assert!(said.iter().all(|it| *it == said[0]), "{said:?}");
    said[0].clone()
}

#[test]
fn any_number_of_ranks_writes_the_same_bytes_and_any_other_reads_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let (ny, nx) = (11, 7);
    let create = layout(ny, nx);
    let one = folder.path().join("one.bd");
    let bare = Blocks::new(&[ny, nx], &[1, 1]).expect("a grid");
    assert_eq!(all(ranks::threads(1, |comm| write(comm, &create, &bare, &one))), None);
    let expected = std::fs::read(&one).expect("there");
    for (count, grid, ghosts) in [
        (2, [2, 1], 1),
        (3, [1, 3], 0),
        (4, [2, 2], 2),
        (5, [2, 2], 1),
        (9, [1, 9], 3),
        (16, [16, 1], 0),
    ] {
        let path = folder.path().join("many.bd");
        let blocks = Blocks::new(&[ny, nx], &grid).and_then(|it| it.ghosts(&[ghosts; 2]));
        let blocks = blocks.expect("a grid");
        let failed = all(ranks::threads(count, |comm| write(comm, &create, &blocks, &path)));
        assert_eq!(failed, None, "{grid:?}");
        assert!(std::fs::read(&path).expect("there") == expected, "{grid:?}");
        assert_eq!(all(ranks::threads(count, |comm| read(comm, &blocks, &one))), None);
        let other = Blocks::of_ranks(&[ny, nx], count + 1).expect("a grid");
        assert_eq!(all(ranks::threads(count + 1, |comm| read(comm, &other, &path))), None);
        let left = std::fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 2);
    }
}

/// The checksum of a file that ranks wrote in any order is that of its bytes, unless some were written twice.
#[test]
fn ranks_know_the_checksum_of_what_they_wrote() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    for (count, grid, twice) in
        [(1, [1, 1], false), (4, [2, 2], false), (7, [3, 2], false), (4, [2, 2], true)]
    {
        let create = layout(11, 7).checksum(true);
        let blocks =
            Blocks::new(&[11, 7], &grid).and_then(|it| it.ghosts(&[1, 1])).expect("a grid");
        let results = ranks::threads(count, |comm| {
            let writer = ranks::create(comm, &create, &path)?;
            let (rho, u) = filled(&blocks, comm.rank());
            writer.write_block("/u", &blocks, &u)?;
            writer.write_block("/rho", &blocks, &rho)?;
            if comm.rank() == 0 || twice && comm.rank() == 1 {
                writer.write("/time", 1.5)?;
            }
            writer.finish_summed()
        });
        let bytes = std::fs::read(&path).expect("there");
        let sum = Checksum { bytes: bytes.len() as u64, crc32c: crc32c::crc32c(&bytes) };
        for found in results {
            assert_eq!(found.expect("written"), (!twice).then_some(sum), "{grid:?}");
        }
    }
}

/// Every rank is of one group; a group writes its file alone, and an error of one is known to all of them.
#[test]
fn groups_of_ranks_write_files_that_are_one_dataset() {
    let folder = tempfile::tempdir().expect("a folder");
    for (count, groups) in [(1, 1), (4, 2), (7, 3), (5, 5)] {
        let files: Vec<_> =
            (0..groups).map(|it| folder.path().join(format!("{count}-{it}.bd"))).collect();
        let save = |comm: &Thread<'_>, bad: Option<usize>| {
            let group = Group::new(comm, groups)?;
            let rows = 3;
            let blocks = Blocks::new(&[rows * groups as u64, 5], &[groups as u64, 1])?;
            let own = blocks.block(group.number()).elements()[0].clone();
            let within = Blocks::new(&[rows, 5], &[1, group.size() as u64])?;
            let columns = within.block(group.rank()).elements()[1].clone();
            let rho = Array2::from_shape_fn((3, (columns.end - columns.start) as usize), |at| {
                rho(own.start + at.0 as u64, columns.start + at.1 as u64)
            });
            let create = Create::text("{first : i8}  rho = f8[3, 5]")?.overwrite(true);
            let create = create.param("first", own.start);
            let written =
                ranks::create(&group, &create, &files[group.number()]).and_then(|writer| {
                    writer.write_block("/rho", &within, &rho)?;
                    if bad == Some(comm.rank()) {
                        writer.fail(&Error::NotNative);
                    }
                    writer.finish()
                });
            ranks::agree(comm, written)
        };
        assert_eq!(all(ranks::threads(count, |comm| save(comm, None))), None);
        let catalog = folder.path().join(format!("{count}.bd"));
        Build::new().create(&catalog, &files, false).expect("members");
        let family = Family::open(&catalog).expect("a catalog");
        let members = family.select("first >= 0").expect("a condition");
        let stack = family.read("/rho", &members).and_then(|read| read.array::<f64>());
        let stack = stack.expect("of one shape");
        assert_eq!(stack.shape(), [groups, 3, 5]);
        for (at, value) in stack.iter().enumerate() {
            assert_eq!(*value, rho(at as u64 / 5, at as u64 % 5));
        }
        let error = all(ranks::threads(count, |comm| save(comm, Some(count - 1))));
        assert!(error.expect("an error").contains("no native stream"));
    }
    let results = ranks::threads(2, |comm| [0, 3].map(|it| Group::new(comm, it).is_err()));
    assert_eq!(results, [[true; 2]; 2]);
}

/// A step at which something goes wrong on a rank.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    /// It gives other params.
    Create,
    /// It has an array of another shape.
    Shape,
    /// It writes an item that there is not.
    Item,
    /// Its computation fails, and it drops the writer.
    Dropped,
    /// It says that it has failed.
    Failed,
    /// It ends before the file is created.
    EndsEarly,
    /// It does not write its block.
    Absent,
}

fn fails(comm: &Thread<'_>, bad: usize, wrong: Wrong, path: &Path) -> Result<()> {
    let is_bad = comm.rank() == bad;
    if is_bad && matches!(wrong, Wrong::EndsEarly) {
        return Err(Error::OfRank {
            rank: Some(bad as u64),
            why: "it has ended, and others wait for it".into(),
        });
    }
    let create = layout(8, if is_bad && matches!(wrong, Wrong::Create) { 9 } else { 8 });
    let blocks = Blocks::of_ranks(&[8, 8], comm.size())?;
    let writer = ranks::create(comm, &create, path)?;
    let (mut rho, u) = filled(&blocks, comm.rank());
    if comm.rank() == 0 {
        writer.write("/time", 1.0)?;
    }
    writer.write_block("/u", &blocks, &u)?;
    match wrong {
        Wrong::Shape if is_bad => rho = Array2::zeros((3, 3)),
        // A program that ignores the error gets it from `finish`.
        Wrong::Item if is_bad => drop(writer.write("/rhos", 1.0)),
        Wrong::Failed if is_bad => writer.fail(&Error::NotNative),
        Wrong::Dropped if is_bad => {
            drop(writer);
            return ranks::agree(comm, Ok(())).map(|()| panic!("others have no error"));
        }
        _ => {}
    }
    if !(is_bad && matches!(wrong, Wrong::Absent)) {
        drop(writer.write_block("/rho", &blocks, &rho));
    }
    let finished = writer.finish();
    if matches!(wrong, Wrong::Dropped) {
        return ranks::agree(comm, finished);
    }
    finished
}

#[test]
fn all_ranks_return_the_same_error_and_the_old_file_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    let blocks = Blocks::new(&[8, 8], &[1, 1]).expect("a grid");
    assert_eq!(all(ranks::threads(1, |comm| write(comm, &layout(8, 8), &blocks, &path))), None);
    let before = std::fs::read(&path).expect("there");
    for (wrong, said) in [
        (Wrong::Create, "a shared file of this layout and these params"),
        (Wrong::Shape, "`/rho`: expected shape"),
        (Wrong::Item, "no item `/rhos`"),
        (Wrong::Failed, "no native stream"),
        (Wrong::Dropped, "its writer was dropped and not finished"),
        (Wrong::EndsEarly, "it has ended, and others wait for it"),
        (Wrong::Absent, "nothing was given for `/rho["),
    ] {
        for bad in 0..6 {
            if bad == 0 && matches!(wrong, Wrong::Create) {
                // Then all others differ from it.
                continue;
            }
            let results = ranks::threads(6, |comm| fails(comm, bad, wrong, &path));
            let error = all(results).expect("an error");
            assert!(
                error.contains(said) && error.contains(&format!("rank {bad}: ")),
                "{wrong:?}: {error}"
            );
            assert!(std::fs::read(&path).expect("there") == before, "{wrong:?}");
            assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "{wrong:?}");
        }
    }
}

#[test]
fn what_is_no_stream_is_an_error_of_rank_0_on_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    std::fs::write(&path, "no stream").expect("space");
    let error = all(ranks::threads(3, |comm| ranks::open(comm, &path).map(|_| ())));
    assert!(error.expect("no stream").starts_with("rank 0: `"));
}

/// A rank without a block may have written the whole item by other means.
#[test]
fn what_a_rank_without_a_block_wrote_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    let blocks = Blocks::new(&[4], &[2]).expect("a grid");
    let create = Create::text("x = f8[4]").expect("a layout");
    let error = all(ranks::threads(3, |comm| {
        let writer = ranks::create(comm, &create, &path)?;
        if comm.rank() == 2 {
            writer.write("/x", &[1.0, 2.0, 3.0, 4.0])?;
            writer.write_block("/x", &blocks, &Array1::<f64>::zeros(0))?;
        }
        writer.finish()
    }));
    assert_eq!(error, None);
    let x = Stream::open(&path).and_then(|it| it.get("/x")?.read::<f64>());
    assert_eq!(x.expect("there").sum(), 10.0);
}

/// Messages and bytes that a rank sends must not grow with the number of ranks, except for those to the ranks below it.
#[test]
fn a_thousand_ranks_tell_each_other_little() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.bd");
    let mut most = Vec::new();
    for count in [10, 100, 1000] {
        let create = layout(4000, 8);
        let blocks = Blocks::new(&[4000, 8], &[count as u64 / 2, 2]).expect("a grid");
        let sent = ranks::threads(count, |comm| {
            write(comm, &create, &blocks, &path).expect("written");
            read(comm, &blocks, &path).expect("read");
            comm.sent()
        });
        let messages: u64 = sent.iter().map(|it| it.0).sum();
        // Three reductions and five broadcasts along a tree.
        assert_eq!(messages, 8 * (count as u64 - 1));
        most.push(sent.iter().map(|it| it.0).max().expect("some"));
        for (messages, bytes) in sent {
            assert!(bytes <= messages * 400, "{bytes} bytes in {messages} messages");
        }
    }
    let levels = |ranks: usize| u64::from(ranks.next_power_of_two().trailing_zeros());
    assert_eq!(most, [5 * levels(10), 5 * levels(100), 5 * levels(1000)]);
    let shape = Stream::open(&path).and_then(|it| it.get("/rho")?.shape());
    assert_eq!(shape.expect("there"), [4000, 8]);
}
