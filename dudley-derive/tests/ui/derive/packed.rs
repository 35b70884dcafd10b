use dudley::Dudley;

#[derive(Dudley)]
#[dudley(packed)]
struct Dict {
    x: f64,
}

#[derive(Dudley)]
#[dudley(record, packed = 3)]
struct Three {
    x: f64,
}

#[derive(Dudley)]
#[dudley(record, packed, packed = 2)]
struct Twice {
    x: f64,
}

#[derive(Clone, Copy, Dudley)]
#[dudley(packed)]
#[repr(u8)]
enum Kind {
    One,
}

#[derive(Dudley)]
#[dudley(record)]
struct Field {
    #[dudley(packed)]
    x: f64,
}

fn main() {}
