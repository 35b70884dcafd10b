use dudley::Dudley;

#[derive(Dudley)]
#[dudley(layout = "no/such.dud")]
struct Absent {
    x: f64,
}

#[derive(Dudley)]
#[dudley(layout = "faulty.dud")]
struct Faulty {
    x: f64,
}

#[derive(Dudley)]
#[dudley(layout = "restart.dud", order = "big", record)]
struct Both {
    #[dudley(unit = "cm", shape = "N")]
    x: Vec<f64>,
}

fn main() {
    let _ = (Absent::LAYOUT, Faulty::LAYOUT);
}
