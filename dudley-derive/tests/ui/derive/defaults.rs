use dudley::Dudley;

#[derive(Dudley)]
struct State {
    #[dudley(default)]
    phase: Phase,
    #[dudley(default = "seven")]
    other: f64,
}

#[derive(Dudley)]
#[repr(u8)]
enum Phase {
    Solid,
}

fn seven() -> u32 {
    7
}

fn main() {}
