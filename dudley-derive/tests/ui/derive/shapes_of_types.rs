use dudley::Dudley;

#[derive(Dudley)]
struct Pair(f64, f64);

#[derive(Dudley)]
struct Unit;

#[derive(Dudley)]
union Bits {
    a: u32,
    b: f32,
}

#[derive(Dudley)]
struct Borrowed<'a> {
    x: &'a [f64],
}

fn main() {
    let _ = (Pair::LAYOUT, Unit::LAYOUT);
}
