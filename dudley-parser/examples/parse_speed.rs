//! Measures how fast layouts are parsed: `cargo xtask bench parse [file]`.

use dudley_parser::parse::parse;
use std::fmt::Write as _;
use std::time::Instant;

/// The made-up layout is about this long.
const LENGTH: usize = 10_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(file) => std::fs::read(file)?,
        None => made_up()?.into_bytes(),
    };
    let megabytes = text.len() as f64 / 1e6;
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let start = Instant::now();
        let parsed = parse(&text);
        let seconds = start.elapsed().as_secs_f64();
        best = best.min(seconds);
        let (items, found) = (parsed.ast.items.len(), parsed.diagnostics.len());
        println!(
            "{megabytes:.1} MB, {items} items, {found} diagnostics: {:.1} MB/s",
            megabytes / seconds
        );
    }
    println!("best: {:.1} MB/s", megabytes / best);
    Ok(())
}

/// Items of all kinds, as a simulation code might declare them.
fn made_up() -> Result<String, std::fmt::Error> {
    let mut text = String::from(
        "<\n{\n  IMAX := i8  ## first dimension\n  JMAX := i8\n  time = f8  ## (ns)\n}\n",
    );
    let mut n = 0;
    while text.len() < LENGTH {
        n += 1;
        match n % 16 {
            0 => writeln!(text, "/group_{n:04}/")?,
            4 => writeln!(
                text,
                "zone_{n} {{\n  N : i4\n  x = f8[N, 3]  ## (cm) position\n  flag = u1 %4\n}}"
            )?,
            8 => writeln!(text, "history_{n} [f8, f4[JMAX, IMAX+], / a = i4 b = f8[NGROUP]]*3")?,
            12 => writeln!(text, "part_{n} = {{x = f8  y = f8  id = i8}}[1000] %16  # particles")?,
            _ => writeln!(text, "density_{n:04} = f8[JMAX-, IMAX-]  ## (g/cc) zonal mass density")?,
        }
    }
    Ok(text)
}
