//! Made-up layouts of any length, as a simulation code might have them: without errors.

use std::fmt::Write as _;

use crate::Outcome;

const HEAD: &str = "\
<  ## A made-up layout.
{
  time = f8  ## (ns) simulated time
  cycle = i8  ## number of the step
}
IMAX : i8  ## zones along a row
JMAX : i8  ## rows
NGROUP : i4  ## photon groups
zone {
  x = f8[3]  ## (cm) position
  volume = f8  ## (cc)
  flag = u1 %4
}
";

/// Adds blocks of lines until there is enough.
fn grow(text: &mut String, enough: impl Fn(&str, usize) -> bool) -> Outcome<()> {
    let mut lines = text.lines().count();
    let mut block = 0;
    while !enough(text, lines) {
        block += 1;
        lines += 20;
        write!(
            text,
            "
/package_{block:05}/  ## one of the physics packages
  NZONE : i4  ## zones of this package
  density = f8[JMAX-, IMAX-]  ## (g/cc) zonal mass density
  energy = f8[NGROUP, JMAX-, IMAX-]  ## (jrk/g) specific energy
  velocity = f8[2, JMAX, IMAX]  #: units = \"cm/ns\", valid_range = [-100, 100]
  # work arrays
  region = i4[JMAX-, IMAX-] %16
  zones = zone[NZONE]  ## all that is kept of a zone
  names = S1[NZONE, 16]
  part = {{
    x = f4[3]
    id = u8  ## unique
  }}[NZONE+]
  history [f8, f4[NGROUP], / COUNT : i4  loss = f8[COUNT]]*3
  spectrum/
    \"photon energy\" = f4[NGROUP+]  ## (keV) group boundaries
    flux = >f4[NGROUP]  ## (erg/cm2/s)
  ..
  checksum = u4
"
        )?;
    }
    Ok(())
}

/// A layout of about this many bytes.
pub(crate) fn of_bytes(bytes: usize) -> Outcome<String> {
    let mut text = String::with_capacity(bytes + 4096);
    text += HEAD;
    grow(&mut text, |text, _| text.len() >= bytes)?;
    Ok(text)
}

/// A layout of about this many lines.
pub(crate) fn of_lines(lines: usize) -> Outcome<String> {
    let mut text = String::from(HEAD);
    grow(&mut text, |_, found| found >= lines)?;
    Ok(text)
}

/// A layout of this many items, a line each.
pub(crate) fn of_items(items: usize) -> Outcome<String> {
    let mut text = String::from("<\nN : i8\n");
    for item in 0..items {
        let dtype = ["f8[N]", "i2[3]", "f4", "u1[N, 5]"][item % 4];
        writeln!(text, "item_{item} = {dtype}")?;
    }
    Ok(text)
}
