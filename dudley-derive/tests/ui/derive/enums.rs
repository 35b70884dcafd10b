use dudley::Dudley;

#[derive(Clone, Copy, Dudley)]
enum Bare {
    A,
    B,
}

#[derive(Clone, Copy, Dudley)]
#[repr(usize)]
enum Wide {
    A,
}

#[derive(Clone, Copy, Dudley)]
#[repr(u8)]
enum Full {
    A(u8),
    B,
}

#[derive(Clone, Copy, Dudley)]
enum Empty {}

#[derive(Clone, Copy, Dudley)]
#[dudley(record)]
#[repr(u8)]
enum Record {
    #[dudley(name = "b")]
    A,
}

#[derive(Dudley)]
struct State {
    a: Bare,
    b: Vec<Wide>,
    c: Full,
}

fn main() {
    let _ = State::LAYOUT;
}
