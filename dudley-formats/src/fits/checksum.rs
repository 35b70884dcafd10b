//! Finds faults in the cards and the bytes of an HDU: values, keywords, CHECKSUM, DATASUM, sizes.

use dudley::Result;
use dudley::Severity;
use dudley::bytes::Source;
use dudley::verify::Finding;

use super::card::{CARD, Value};
use super::hdu::Hdu;
use super::said::Found;

/// Bytes of a single read; a multiple of four.
const AT_ONCE: u64 = 1 << 20;

/// Reports faults of cards that do not prevent reading the data.
pub(super) fn cards(hdu: &Hdu, found: &mut Found<'_>) {
    for (at, card) in hdu.header.cards.iter().enumerate() {
        let mut say = |what: String| {
            found(Finding::new(Severity::Warning, "fits-card", what).at(card.address, CARD as u64));
        };
        if let Some(fault) = card.fault() {
            say(fault);
        }
        let commentary = matches!(card.keyword.as_str(), "COMMENT" | "HISTORY" | "");
        if !commentary && card.value.is_some() && !hdu.header.is_first(at) {
            say(format!("{} is there already: the first one counts", card.keyword));
        }
        if card.keyword == "CONTINUE" {
            say("CONTINUE follows no text that goes on".to_owned());
        }
    }
}

/// Compares the checksums in a header with the bytes, and reports a file that ends before the data do.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn verify(
    source: &dyn Source,
    hdu: &Hdu,
    found: &mut Found<'_>,
    advance: &mut dyn FnMut(u64),
) -> Result<()> {
    let (data, end) = (hdu.data(), hdu.end());
    if end > source.len() {
        let missing = end - source.len();
        let what = format!("the file ends {missing} bytes before HDU {} does", hdu.number);
        let severity =
            if data + hdu.size > source.len() { Severity::Error } else { Severity::Warning };
        found(Finding::new(severity, "fits-size", what).at(data, hdu.size));
        return Ok(());
    }
    let said = |keyword: &str| hdu.header.text(keyword);
    let (of_all, of_data) = (said("CHECKSUM"), said("DATASUM"));
    if of_all.is_none() && of_data.is_none() {
        return Ok(());
    }
    let sum = sum(source, data, end, advance)?;
    let is_wrong = |text: &str| text.parse::<u32>() != Ok(sum);
    if let Some(said) = of_data.filter(|text| is_wrong(text)) {
        let what = format!("DATASUM is {said}, and the sum of the data {sum}");
        found(Finding::new(Severity::Error, "fits-datasum", what).at(data, end - data));
    }
    if of_all.is_some_and(|text| text != "0") {
        let all = add(sum, self::sum(source, hdu.header.start, data, advance)?);
        if all != u32::MAX {
            let what = "the sum of the HDU is not the one that CHECKSUM says";
            let at = hdu.header.start;
            found(Finding::new(Severity::Error, "fits-checksum", what).at(at, end - at));
        }
    }
    if let Some(Some(Value::Int(_))) = hdu.header.card("DATASUM").map(|card| &card.value) {
        let what = "DATASUM is a number, which should be a text";
        found(Finding::new(Severity::Warning, "fits-card", what).at(hdu.header.start, CARD as u64));
    }
    Ok(())
}

/// The ones' complement sum of 4-byte numbers.
fn sum(source: &dyn Source, mut at: u64, end: u64, advance: &mut dyn FnMut(u64)) -> Result<u32> {
    let mut sum = 0;
    let mut bytes = vec![0; (end - at).min(AT_ONCE) as usize];
    while at < end {
        let here = &mut bytes[..(end - at).min(AT_ONCE) as usize];
        source.read_at(at, here)?;
        sum = add(sum, sum_of(here));
        at += here.len() as u64;
        advance(here.len() as u64);
    }
    Ok(sum)
}

/// The sum of at most [`AT_ONCE`] bytes; their number is a multiple of four.
pub(super) fn sum_of(bytes: &[u8]) -> u32 {
    let numbers =
        bytes.chunks_exact(4).map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]]));
    let all: u64 = numbers.map(u64::from).sum();
    add(all as u32, (all >> 32) as u32)
}

/// The ones' complement sum of two numbers, with an end-around carry.
pub(super) fn add(one: u32, two: u32) -> u32 {
    let (sum, carried) = one.overflowing_add(two);
    sum + u32::from(carried)
}
