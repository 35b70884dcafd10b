//! Items of lists whose params nothing but themselves tell, in any order.

use dudley::ndarray::Array1;
use dudley::typed::Create;

dudley::layout!(mod none = "N : i1\nx [/ K : i1  a = {m = {j : i1  v = i8} [K, 1]}[0]  b = f4[K, 0]]*2");

#[test]
fn params_may_follow_what_does_not_tell_them() {
    for first in [true, false] {
        let writer =
            Create::new().raw().attach(false).memory::<none::Layout>(&none::Params { n: 1 });
        let writer = writer.expect("params");
        for at in 0..2 {
            let item = writer.x().get(at).expect("there");
            if first {
                item.k().write(3).expect("a number");
            }
            item.a().write(&Array1::from_vec(Vec::new())).expect("none");
            item.b().write(&dudley::ndarray::Array2::<f32>::zeros((3, 0))).expect("none");
            if !first {
                item.k().write(3).expect("a number");
            }
        }
        assert_eq!(writer.finish_bytes().expect("complete"), [1, 3, 3]);
    }
}
