//! Params are those of the layout, with their types.

dudley::layout!(mod run = "N : i4  M : i4  B : i4 #: presence\nx = f8[N, M]  y = f4[B]");

fn main() {
    let _ = run::Params { n: 3, b: true };
    let _ = run::Params { n: 3, m: -1, b: true };
    let _ = run::Params { n: 3, m: 2, b: 0 };
    let _ = run::Params { n: 3, m: 2, b: true, k: 1 };
}
