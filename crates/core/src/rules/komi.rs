//! Komi: parsing and bounds.

/// The largest komi, for either side.
pub const MAX_KOMI: f64 = 10_000.0;

/// Komi is rounded to a millionth of a point.
const PARTS: f64 = 1e6;

/// The text or number is not a komi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("expected komi, a number from -{MAX_KOMI} to {MAX_KOMI}")]
pub struct KomiError;

/// Parses komi.
///
/// # Errors
/// The text is not a number, or is out of bounds.
pub fn parse_komi(text: &str) -> Result<f64, KomiError> {
    to_komi(text.trim().parse().map_err(|_| KomiError)?)
}

/// The number as komi: rounded to a millionth, zero without a sign.
///
/// # Errors
/// The number is out of bounds.
pub fn to_komi(number: f64) -> Result<f64, KomiError> {
    if number.abs() <= MAX_KOMI {
        Ok((number * PARTS).round() / PARTS + 0.0)
    } else {
        Err(KomiError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_has_few_digits() {
        for (text, komi) in [
            ("6.5", 6.5),
            ("-7", -7.0),
            ("10000", MAX_KOMI),
            ("0.3", 0.3),
            ("1e-300", 0.0),
            ("-0", 0.0),
        ] {
            assert_eq!(parse_komi(text), Ok(komi), "{text}");
            assert!(parse_komi(text).is_ok_and(|komi| !komi.is_sign_negative() || komi < 0.0));
        }
        assert_eq!(to_komi(0.1 + 0.2).map(|komi| komi.to_string()), Ok("0.3".to_owned()));
        for text in ["", "x", "nan", "inf", "1e308", "-10000.5", "7,5"] {
            assert_eq!(parse_komi(text), Err(KomiError), "{text}");
        }
    }
}
