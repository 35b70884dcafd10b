//! Moments as dates, for people: what date is this many seconds, or nanoseconds, after 1970?

/// Seconds since 1970 as date and time.
pub(crate) fn utc(seconds: i64) -> String {
    let (mut days, clock) = (seconds.div_euclid(86400), seconds.rem_euclid(86400));
    // The calendar repeats every 400 years, of 146,097 days.
    let mut year = 1970 + 400 * days.div_euclid(146_097);
    days = days.rem_euclid(146_097);
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    while days >= 365 + i64::from(leap(year)) {
        days -= 365 + i64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + i64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in months {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (clock / 3600, clock / 60 % 60, clock % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

/// Nanoseconds since 1970 as date and time, with all of their digits.
pub(crate) fn utc_of_ns(ns: i64) -> String {
    let date = utc(ns.div_euclid(1_000_000_000));
    let fraction = format!(".{:09}Z", ns.rem_euclid(1_000_000_000));
    date.replace('Z', &fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_dates() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(-1), "1969-12-31T23:59:59Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_798_761_599), "2026-12-31T23:59:59Z");
        assert_eq!(utc_of_ns(1_798_761_599_000_000_001), "2026-12-31T23:59:59.000000001Z");
        assert_eq!(utc_of_ns(-1), "1969-12-31T23:59:59.999999999Z");
        for far in [i64::MIN, i64::MAX] {
            assert!(utc(far).ends_with('Z') && utc_of_ns(far).ends_with('Z'));
        }
    }
}
