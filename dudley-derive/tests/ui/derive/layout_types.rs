use dudley::Dudley;

#[derive(Dudley)]
#[dudley(layout = "restart.dud")]
struct Restart {
    #[dudley(name = "NCYCLE")]
    cycle: f64,
    time: f32,
    rho: Vec<f64>,
    title: Vec<String>,
    velocity: Vec<f32>,
    mesh: f64,
    points: Vec<Mesh>,
}

#[derive(Dudley)]
struct Mesh {
    x: Vec<f64>,
}

fn main() {
    let _ = Restart::LAYOUT;
}
