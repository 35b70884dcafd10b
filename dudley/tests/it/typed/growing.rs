//! Records appended through types: to lists and arrays of all kinds, right and wrong.

use std::path::{Path, PathBuf};

use dudley::append::Append;
use dudley::ndarray::{Array1, Ix1, arr0, array};
use dudley::typed::{Array, Create, Growing, Schema, Writing};
use dudley::{ByteOrder, Error, Writer, parse_layout};

dudley::layout! {
    mod run = r#"
NT : i8
M : i4
step {t = f8  n = i4}
hist = [/ t = f8  magic = u4  #: const = 7
  at/ x = f4[M, 2]  tag = S1[4]
  /
  last = step
]*NT
"#
}
dudley::layout!(mod columns = "NT : i8  hist = [/ t = f8  at/ x = f4[2]  /]*NT");
dudley::layout!(mod rows = "NT : i8  step {t = f8  n = i4}  hist = step[NT]");
dudley::layout!(mod ones = "NT : u2  step {t = f8  n = i4}  hist = [step]*NT");
dudley::layout!(mod plain = "NT : i8  hist = f8[NT, 3]");
dudley::layout!(mod sized = "NY : i8  NT : i8  hist = {t = f8  p = f4[NY]}[NT]");
dudley::layout!(mod flat = "NT : i8  hist = f4[NT]");
dudley::layout!(mod numbers = "NT : i8  hist = [f4]*NT");
dudley::layout!(mod several = "NT : i8  hist = [f4, f8]*NT");
dudley::layout!(mod strided = r#"NT : i8  hist = [/ t = f8  "" = {a = i4  b = i4}[3]]*NT"#);

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn empty<S: Schema>(&self, order: ByteOrder, params: &S::Params) -> PathBuf {
        let path = self.0.path().join("run.bd");
        let writer = Create::new().order(order).file::<S>(&path, params).expect("params");
        writer.finish().expect("no records");
        path
    }

    fn with(&self, text: &str) -> PathBuf {
        let path = self.0.path().join("other.bd");
        let layout = parse_layout(text.as_bytes()).expect("a layout");
        let writer = Writer::new(layout).param("/NT", 0).attach(true);
        writer.write_file(&path, false).expect("nothing but a param");
        path
    }
}

#[test]
fn dicts_of_a_list_are_written_item_by_item() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let folder = Folder::new();
        let path = folder.empty::<run::Layout>(order, &run::Params { nt: 0, m: 2 });
        let mut append = run::Append::open(&path).expect("a stream");
        let mut hist = append.grow(|run| run.hist()).expect("it grows");
        for step in 0..6_u8 {
            let n = i32::from(step);
            let pushed = hist.push_with(|record| {
                record.last().write(&run::Step { t: 2.5, n })?;
                record.t().write(f64::from(step))?;
                // Rows and columns of an array may come by themselves.
                record.at().x().write_part(dudley::ndarray::s![.., 0], &array![1.0, 2.0])?;
                record
                    .at()
                    .x()
                    .write_part(dudley::ndarray::s![.., 1], &array![3.0, f32::from(step)])?;
                record.at().tag().write("ab")
            });
            pushed.expect("it fits");
            if step == 2 {
                hist.commit().expect("space");
            }
        }
        assert_eq!(hist.len(), 6);
        hist.forget();
        assert_eq!(append.reader().expect("a stream").hist().len().expect("a list"), 3);
        let mut hist = append.grow(|run| run.hist()).expect("it grows");
        let again = hist.push_with(|record| {
            record.t().write(9.0)?;
            record.at().x().write(&array![[0.0, 1.0], [2.0, 3.0]])?;
            record.at().tag().write("z")?;
            record.last().write(&run::Step { t: 9.5, n: 9 })
        });
        again.and_then(|()| hist.commit()).expect("it fits");
        drop(hist);
        drop(append);

        let reader = run::Reader::open(&path).expect("it reads");
        assert_eq!((reader.hist().len().expect("a list"), reader.stream().order()), (4, order));
        let two = reader.hist().get(2).expect("there");
        assert_eq!(two.at().x().read().expect("there"), array![[1.0, 3.0], [2.0, 2.0]]);
        let three = reader.hist().get(3).expect("there");
        assert_eq!(three.t().read().expect("there"), 9.0);
        assert_eq!(three.at().tag().get().expect("text"), "z");
        assert_eq!(three.last().get().expect("there"), run::Step { t: 9.5, n: 9 });
        let magic = reader.stream().get("/hist/3/magic").expect("there").data().expect("there");
        assert_eq!(magic.scalar::<u32>().expect("there"), 7);
    }
}

/// A part of a program that has its appender, and learns of each step.
struct Output {
    append: run::Append,
}

impl Output {
    fn step(&mut self, t: f64) -> dudley::Result<()> {
        self.append.grow(|run| run.hist())?.push_with(|record| {
            record.t().write(t)?;
            record.at().x().write(&array![[0.0, 1.0], [2.0, 3.0]])?;
            record.at().tag().write("z")?;
            record.last().write(&run::Step { t, n: 9 })
        })
    }
}

#[test]
fn an_appender_is_held_in_a_struct() {
    let folder = Folder::new();
    let path = folder.empty::<run::Layout>(ByteOrder::Little, &run::Params { nt: 0, m: 2 });
    let mut output = Output { append: run::Append::open(&path).expect("a stream") };
    (0..10).for_each(|at| output.step(f64::from(at)).expect("it fits"));
    let error = output.append.grow(|run| run.hist()).and_then(|mut it| it.push_with(|_| Ok(())));
    assert!(matches!(error, Err(Error::Missing { .. })), "{error:?}");
    assert_eq!(output.append.reader().and_then(|it| it.hist().len()).expect("a list"), 0);
    output.append.close().expect("space");
    let reader = run::Reader::open(&path).expect("a stream");
    assert_eq!(reader.hist().len().expect("a list"), 10);
    assert_eq!(reader.hist().get(9).and_then(|it| it.t().read()).expect("there"), 9.0);
}

#[test]
fn what_is_missing_of_a_record_is_named_and_nothing_added() {
    let folder = Folder::new();
    let path = folder.empty::<run::Layout>(ByteOrder::Little, &run::Params { nt: 0, m: 2 });
    let mut append = run::Append::open(&path).expect("a stream");
    let mut hist = append.grow(|run| run.hist()).expect("it grows");
    let one = |hist: &mut dudley::typed::Growing<'_, _>, t: f64| {
        hist.push_with(|record: &run::HistItem<_>| {
            record.t().write(t)?;
            record.at().x().write(&array![[0.0, 1.0], [2.0, 3.0]])?;
            record.at().tag().write("z")?;
            record.last().write(&run::Step { t, n: 9 })
        })
    };
    one(&mut hist, 0.5).expect("it fits");
    let error = hist.push_with(|record| {
        record.t().write(1.0)?;
        record.at().x().write_rows(0, &array![[0.0, 1.0]])?;
        record.last().write(&run::Step { t: 9.5, n: 9 })
    });
    let error = error.expect_err("parts are missing").to_string();
    assert_eq!(error, "nothing was given for `/hist/1/at/x[1:2]`, `/hist/1/at/tag`");
    let error = hist.push_with(|record| record.at().x().write(&array![[0.0], [1.0]]));
    let error = error.expect_err("another shape");
    assert!(matches!(error, Error::WrongShape { .. }), "{error}");
    assert_eq!(error.item(), Some("/hist/1/at/x"));
    assert!(matches!(hist.push_with(|_| Err(Error::Cancelled)), Err(Error::Cancelled)));
    one(&mut hist, 1.5).and_then(|()| hist.commit()).expect("it fits");
    assert_eq!(hist.len(), 2);
    drop(hist);
    drop(append);
    let reader = run::Reader::open(&path).expect("it reads");
    let times: Vec<f64> = reader
        .hist()
        .iter()
        .expect("a list")
        .map(|it| it.and_then(|it| it.t().read()).expect("there"))
        .collect();
    assert_eq!(times, [0.5, 1.5]);
}

#[test]
fn records_are_pushed_by_columns() {
    let folder = Folder::new();
    let path = folder.empty::<columns::Layout>(ByteOrder::Big, &columns::Params { nt: 0 });
    let mut append = columns::Append::open(&path).expect("a stream");
    let mut hist = append.grow(|it| it.hist()).expect("it grows");
    let (t, x) = ([0.5, 1.5], array![[1.0_f32, 2.0], [3.0, 4.0]]);
    hist.push_columns(&[("at/x", (&x).into()), ("t", (&t).into())]).expect("they fit");
    let error = hist.push_columns(&[("t", (&t).into())]).expect_err("a part is missing");
    assert_eq!(error.to_string(), "nothing was given for `/hist/at/x`");
    let error = hist.push_columns(&[("at/x", (&x).into()), ("t", (&t[1..]).into())]);
    assert!(matches!(error, Err(Error::WrongShape { .. })), "{error:?}");
    hist.commit().expect("space");
    assert_eq!(hist.len(), 2);
    drop(hist);
    let reader = append.reader().expect("a stream");
    let last = reader.hist().get(1).expect("there");
    assert_eq!(last.t().read().expect("there"), 1.5);
    assert_eq!(last.at().x().read().expect("there"), array![3.0, 4.0]);
}

#[test]
fn structs_are_pushed_as_they_are() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let folder = Folder::new();
        let path = folder.empty::<rows::Layout>(order, &rows::Params { nt: 0 });
        let mut append = rows::Append::open(&path).expect("a stream");
        let mut hist = append.grow(|it| it.hist()).expect("it grows");
        let step = |n: i32| rows::Step { t: 0.5, n };
        hist.push(&step(1)).expect("it fits");
        hist.push_many(&[step(2), step(3)]).and_then(|()| hist.commit()).expect("they fit");
        drop(hist);
        drop(append);
        let read = rows::Reader::open(&path).expect("it reads").hist().read().expect("there");
        assert_eq!(read.to_vec(), [step(1), step(2), step(3)]);
    }
    let folder = Folder::new();
    let path = folder.empty::<ones::Layout>(ByteOrder::Big, &ones::Params { nt: 0 });
    let mut append = ones::Append::open(&path).expect("a stream");
    let mut hist = append.grow(|it| it.hist()).expect("it grows");
    let step = |n: i32| ones::Step { t: 0.5, n };
    hist.push_many(&[step(2), step(3)]).expect("they fit");
    hist.push_with(|record| record.write(&step(4))).expect("it fits");
    hist.commit().expect("space");
    assert!(!hist.is_empty());
    drop(hist);
    let read = append.reader().expect("a stream").hist().read().expect("there");
    assert_eq!(read.into_raw_vec_and_offset().0, [step(2), step(3), step(4)]);
}

#[test]
fn elements_and_rows_are_pushed() {
    let folder = Folder::new();
    let path = folder.empty::<plain::Layout>(ByteOrder::Big, &plain::Params { nt: 0 });
    let mut append = plain::Append::open(&path).expect("a stream");
    let mut hist = append.grow(|it| it.hist()).expect("it grows");
    hist.push_row(&array![1.0, 2.0, 3.0]).expect("it fits");
    let error = hist.push_row(&array![1.0]).expect_err("too few");
    assert!(matches!(error, Error::WrongShape { .. }), "{error}");
    hist.push_rows(&array![[4.0, 5.0, 6.0]]).and_then(|()| hist.commit()).expect("it fits");
    drop(hist);
    let read = append.reader().and_then(|reader| reader.hist().read()).expect("there");
    assert_eq!(read, array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);

    let folder = Folder::new();
    let path = folder.empty::<flat::Layout>(ByteOrder::Little, &flat::Params { nt: 0 });
    let mut append = flat::Append::open(&path).expect("a stream");
    let mut hist = append.grow(|it| it.hist()).expect("it grows");
    hist.push_row(&arr0(1.5)).and_then(|()| hist.commit()).expect("it fits");
    drop(hist);
    append.close().expect("space");
    assert_eq!(
        flat::Reader::open(&path).and_then(|it| it.hist().read()).expect("there"),
        array![1.5]
    );

    let folder = Folder::new();
    let path = folder.empty::<numbers::Layout>(ByteOrder::Little, &numbers::Params { nt: 0 });
    let mut append = numbers::Append::open(&path).expect("a stream");
    let mut hist = append.grow(|it| it.hist()).expect("it grows");
    hist.push(2.5).and_then(|()| hist.push(3.5)).and_then(|()| hist.commit()).expect("they fit");
    drop(hist);
    append.untyped().extend("z = f8").expect("a layout").put("/z", 1.0).commit().expect("space");
    let reader = append.reader().expect("a stream");
    assert_eq!(reader.hist().read().expect("there"), array![2.5, 3.5]);
}

#[test]
fn structs_whose_size_params_of_the_stream_decide_are_pushed() {
    let folder = Folder::new();
    let path = folder.empty::<sized::Layout>(ByteOrder::Big, &sized::Params { ny: 3, nt: 0 });
    let mut append = sized::Append::open(&path).expect("a stream");
    let mut hist = append.grow(|it| it.hist()).expect("it grows");
    let record = |t: f64, n: usize| sized::Hist { t, p: Array1::from_elem(n, 0.5) };
    hist.push(&record(1.0, 3)).and_then(|()| hist.push(&record(2.0, 3))).expect("they fit");
    let error = hist.push_many(&[record(3.0, 3), record(3.0, 2)]).expect_err("one is too short");
    assert!(error.to_string().contains("/hist"), "{error}");
    hist.push_many(&[record(4.0, 3), record(5.0, 3)])
        .and_then(|()| hist.push_many(&[]))
        .expect("they fit");
    let error = hist.push(&record(3.0, 2)).expect_err("too short");
    assert!(matches!(error, Error::WrongShape { .. } | Error::WrongValue { .. }), "{error}");
    assert!(error.to_string().contains("/hist"), "{error}");
    hist.commit().expect("space");
    drop(hist);
    let read = append.reader().and_then(|it| it.hist().read()).expect("there");
    assert_eq!(read.to_vec(), [1.0, 2.0, 4.0, 5.0].map(|t| record(t, 3)));
}

#[test]
fn a_history_is_cut_back_and_held_in_one_field() {
    struct History(Growing<'static, Array<f32, Ix1, Writing>>);
    let folder = Folder::new();
    let path = folder.empty::<flat::Layout>(ByteOrder::Little, &flat::Params { nt: 0 });
    let open = || flat::Append::open(&path).expect("a stream");
    let mut history = History(open().into_growing(|it| it.hist()).expect("it grows"));
    for t in [1.0, 2.0, 3.0] {
        history.0.push_row(&arr0(t)).expect("it fits");
    }
    history.0.close().expect("space");
    let mut append = open();
    append.truncate(|it| it.hist(), 1).expect("there are more");
    assert!(append.truncate(|it| it.hist(), 2).is_err(), "there are fewer");
    let mut history = History(append.into_growing(|it| it.hist()).expect("it grows"));
    history.0.push_row(&arr0(5.0)).and_then(|()| history.0.close()).expect("it fits");
    let read = flat::Reader::open(&path).and_then(|it| it.hist().read()).expect("there");
    assert_eq!(read, array![1.0, 5.0]);
}

#[test]
fn what_cannot_be_pushed_says_why() {
    let folder = Folder::new();
    let path = folder.empty::<several::Layout>(ByteOrder::Little, &several::Params { nt: 0 });
    let mut append = several::Append::open(&path).expect("a stream");
    let mut hist = append.grow(|it| it.hist()).expect("it grows");
    let error = hist.push_with(|_| Ok(())).expect_err("two items").to_string();
    assert!(error.ends_with("a record of it is several items: push it by names"), "{error}");
    drop(hist);
    // What is written while something is only named is refused.
    let named = append.grow(|it| {
        let item = it.hist().get(0);
        assert!(item.is_err(), "there is none");
        it.hist()
    });
    assert!(named.is_ok());

    let folder = Folder::new();
    let path = folder.empty::<strided::Layout>(ByteOrder::Little, &strided::Params { nt: 0 });
    let mut append = strided::Append::open(&path).expect("a stream");
    let error = append.grow(|it| it.hist()).expect_err("they are strided through each record");
    assert!(matches!(error, Error::CannotGrow { .. }), "{error}");

    let folder = Folder::new();
    let path = folder.empty::<plain::Layout>(ByteOrder::Little, &plain::Params { nt: 0 });
    let mut append = plain::Append::open(&path).expect("a stream");
    let grown = append.grow(|it| {
        let written = it.hist().write(&dudley::ndarray::Array2::zeros((0, 3)));
        assert!(matches!(written, Err(Error::Finished)), "{written:?}");
        it.hist()
    });
    drop(grown);
}

#[test]
fn a_stream_of_another_layout_is_refused() {
    let folder = Folder::new();
    // More is no harm; another comment is none either.
    let path =
        folder.with("NT : i8  ## records\nstep {t = f8  n = i4}  more = u1[0]  hist = step[NT]");
    let mut append = rows::Append::open(&path).expect("it has all");
    append.grow(|it| it.hist()).expect("it grows");
    drop(append);

    let folder = Folder::new();
    let path = folder.with("NT : i8  step {t = f8  n = i8}  hist = step[NT]");
    let error = rows::Append::open(&path).expect_err("it is of another layout");
    assert!(matches!(error.cause(), Error::Incompatible { .. }), "{error}");
    assert!(error.to_string().starts_with(&format!("`{}`: `/", path.display())), "{error}");
    assert!(rows::Append::open(Path::new("no such file")).is_err());

    // Of an empty list nothing is the matter before something is added to it.
    let folder = Folder::new();
    let path = folder.with("NT : i8  M : 2  hist = [/ t = f4  u = f4]*NT");
    dudley::layout!(mod times = "NT : i8  hist = [/ t = f8]*NT");
    let mut append = times::Append::open(&path).expect("nothing differs yet");
    let error = append.grow(|it| it.hist()).expect_err("another type").to_string();
    assert!(error.starts_with("`/hist/0/t`: the layout of the stream differs"), "{error}");
}

#[test]
fn a_stream_with_its_layout_apart_grows() {
    let folder = Folder::new();
    let path = folder.0.path().join("bare.bd");
    let params = rows::Params { nt: 0 };
    let writer = Create::new().attach(false).file::<rows::Layout>(&path, &params);
    writer.and_then(|it| it.finish()).expect("no records");
    let layout = parse_layout(rows::LAYOUT.as_bytes()).expect("a layout");
    let mut append = rows::Append::of(Append::with_layout(&path, layout).expect("a stream"))
        .expect("the same layout");
    let mut hist = append.grow(|it| it.hist()).expect("it grows");
    hist.push(&rows::Step { t: 1.0, n: 3 }).and_then(|()| hist.commit()).expect("it fits");
    drop(hist);
    assert_eq!(append.reader().and_then(|it| it.hist().read()).expect("there")[0].n, 3);
}

dudley::layout!(mod marked = "NT : i8  step {k = >u4  #: const = 7\n n = i4}  hist = step[NT]");
dudley::layout!(mod open_marks = "NT : i8  step {k = >u4  n = i4}  hist = step[NT]");

/// A type made from the layout leaves constants to it; one made from another layout may have them, and must have
/// the right ones.
#[test]
fn records_hold_the_constants_of_the_layout() {
    for order in [ByteOrder::Little, ByteOrder::Big] {
        let folder = Folder::new();
        let path = folder.empty::<marked::Layout>(order, &marked::Params { nt: 0 });
        let mut append = Append::open(&path).expect("a stream");
        let mut hist = append.records("/hist").expect("it grows");
        let with = |k, n| open_marks::Step { k, n };
        hist.push_record(&marked::Step { n: 1 }).expect("it fits");
        hist.push_records(&[marked::Step { n: 2 }, marked::Step { n: 3 }]).expect("they fit");
        hist.push_record(&with(7, 4)).expect("the right one");
        hist.push_records(&[with(7, 5)]).expect("the right one");
        let said = "`/hist.k`: expected 7, which the layout states, found 8";
        let wrong = hist.push_record(&with(8, 9)).expect_err("another one");
        assert_eq!(wrong.to_string(), said);
        let wrong = hist.push_records(&[with(7, 8), with(8, 9)]).expect_err("another one");
        assert_eq!(wrong.to_string(), said);
        hist.commit().expect("space");
        drop(hist);
        append.close().expect("space");
        let read = marked::Reader::open(&path).expect("it reads").hist().read();
        let numbers: Vec<_> = read.expect("right constants").iter().map(|it| it.n).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
    }
}

dudley::layout!(mod mixed = r#"NT : i8
hist = [/ t = f8  a/ x = f4[2, 2]  name = U1[4]  /
  b/ x = i2  /  "odd name" = u1  fixed = u1 #: const = 9
]*NT
"#);

/// Values of one record: what is written by parts, or after another value, is all the same in the end.
#[test]
fn parts_of_a_record_are_written_in_any_way() {
    use dudley::ndarray::s;
    let folder = Folder::new();
    let path = folder.empty::<mixed::Layout>(ByteOrder::Little, &mixed::Params { nt: 0 });
    let mut append = mixed::Append::open(&path).expect("a stream");
    let mut hist = append.grow(|run| run.hist()).expect("it grows");
    let mut held = None;
    for step in 0..8_u8 {
        let pushed = hist.push_with(|record| {
            record.t().write(-1.0)?;
            record.a().x().write(&array![[9.0, 9.0], [9.0, 9.0]])?;
            if step % 2 == 1 {
                // Over what is there.
                record.a().x().write_part(s![0, ..], &array![1.0, 2.0])?;
                record.a().x().write_part(s![1, ..], &array![3.0, 4.0])?;
            } else {
                record.a().x().write(&array![[1.0, 2.0], [3.0, 4.0]])?;
            }
            if step % 4 > 1 {
                record.odd_name().write(step)?;
            }
            record.b().x().write(i16::from(step))?;
            record.a().name().write("abc")?;
            assert_eq!(record.t().path(), format!("/hist/{step}/t"));
            record.t().write(f64::from(step))?;
            record.odd_name().write(step)?;
            held = Some(record.t());
            Ok(())
        });
        pushed.expect("it fits");
        // The record is in the list: it does not change any more.
        assert!(held.as_ref().expect("held").write(7.5).is_err());
        if step == 3 {
            held = None;
        }
    }
    let error = hist.push_with(|record| record.b().x().write(1)).expect_err("most is missing");
    let missing = ["/hist/8/t", "/hist/8/a/x", "/hist/8/a/name", "/hist/8/\"odd name\""];
    assert!(missing.iter().all(|path| error.to_string().contains(path)), "{error}");
    let error = hist.push_with(|record| record.a().x().write(&array![[1.0]])).expect_err("a shape");
    assert!(matches!(error, Error::WrongShape { .. }), "{error}");
    let error = hist.push_with(|record| record.a().name().write("abcde")).expect_err("too long");
    assert!(error.to_string().contains("/hist/8/a/name"), "{error}");
    hist.commit().expect("space");
    drop(hist);
    drop(append);
    let reader = mixed::Reader::open(&path).expect("it reads");
    assert_eq!(reader.hist().len().expect("a list"), 8);
    for step in 0..8_u8 {
        let record = reader.hist().get(step.into()).expect("there");
        assert_eq!(record.t().read().expect("there"), f64::from(step));
        assert_eq!(record.a().x().read().expect("there"), array![[1.0, 2.0], [3.0, 4.0]]);
        assert_eq!(record.a().name().get().expect("text"), "abc");
        assert_eq!(record.b().x().read().expect("there"), i16::from(step));
        assert_eq!(record.odd_name().read().expect("there"), step);
    }
}
