//! A layout with several errors, each shown with its line of this file.

dudley::layout!(mod faulty = r#"
N : i8
x = f9[N]
y = f8[M]
z = f8[]
N = f8
w : f8[3]
"#);

fn main() {}
