//! Params that are declared again, and members that are called like params: each has its own field, and its own value.

use dudley::Open;
use dudley::typed::{Create, Transfer};

dudley::layout!(mod again = r#"
N : u1
a = u1[N]
N : u1
b = u1[N]
d/
  N : u1
  c = u1[N]
  N : u1
  e = u1[N]
/
v = {n : u1  x = u1[n]  n : u1  y = u1[n]}[2]
w = {m : u1  m = u1[m]}
t = {n : u1  n : u1  z = u1}[2]
u = {k : u1  k = u1}
l = [/
  n : u1
  x = u1[n]
  n : u1
  y = u1[n]
]*2
"#, transfer);

const BYTES: [u8; 38] = [
    1, 10, 2, 11, 12, // a, b
    1, 13, 1, 14, // d
    1, 15, 2, 16, 17, 0, 1, 18, // v
    2, 19, 20, // w
    21, 22, 23, 24, 25, 26, // t
    27, 28, // u
    2, 29, 30, 1, 31, 0, 3, 32, 33, 34, // l
];

#[test]
fn each_has_its_own_value() {
    let open = Open::new().raw();
    let reader = again::Reader::from_open(open, |open: Open| open.bytes(BYTES.to_vec()));
    let reader = reader.expect("a stream");
    let params = reader.params().expect("there");
    let expected = again::Params { n: 1, n_2: 2, d_n: 1, d_n_2: 1 };
    assert_eq!(params, expected);
    assert_eq!(reader.b().read().expect("there").to_vec(), [11, 12]);
    assert_eq!(reader.d().e().read().expect("there").to_vec(), [14]);
    let v = reader.v().read().expect("there");
    assert_eq!((v[0].n, v[0].n_2, v[1].n, v[1].n_2), (1, 2, 0, 1));
    assert_eq!((v[0].x.to_vec(), v[0].y.to_vec()), (vec![15], vec![16, 17]));
    let w = reader.w().read().expect("there").into_scalar();
    assert_eq!((w.m, w.m_2.to_vec()), (2, vec![19, 20]));
    let t = reader.t().read().expect("there");
    assert_eq!((t[0].n, t[0].n_2, t[1].n, t[1].n_2), (21, 22, 24, 25));
    let u = reader.u().read().expect("there").into_scalar();
    assert_eq!((u.k, u.k_2), (27, 28));
    let item = reader.l().get(1).expect("there");
    assert_eq!((item.n().read().expect("there"), item.n_2().read().expect("there")), (0, 3));
    assert_eq!(item.y().read().expect("there").to_vec(), [32, 33, 34]);

    let create = || Create::new().raw().attach(false).memory::<again::Layout>(&params);
    let writer = create().expect("params");
    reader.transfer(&writer).expect("all of it");
    assert_eq!(writer.finish_bytes().expect("complete"), BYTES);

    // Written by hand.
    let writer = create().expect("params");
    writer.a().write(&[10]).expect("fits");
    writer.b().write(&[11, 12]).expect("fits");
    writer.d().c().write(&[13]).expect("fits");
    writer.d().e().write(&[14]).expect("fits");
    writer.v().write(&v).expect("fits");
    writer.w().write(&w).expect("fits");
    writer.t().write(&t).expect("fits");
    writer.u().write(&u).expect("fits");
    for at in 0..2 {
        let (from, to) = (reader.l().get(at).expect("there"), writer.l().get(at).expect("there"));
        to.n().write(from.n().read().expect("there")).expect("fits");
        to.x().write(&from.x().read().expect("there")).expect("fits");
        to.n_2().write(from.n_2().read().expect("there")).expect("fits");
        to.y().write(&from.y().read().expect("there")).expect("fits");
    }
    assert_eq!(writer.finish_bytes().expect("complete"), BYTES);
}
