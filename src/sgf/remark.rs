//! Remarks on records.

/// The table of remarks: the code, whether a strict referee calls it a fault, and its subject.
macro_rules! remark_codes {
    ($($code:ident = $name:literal, $is_fault:literal, $about:literal;)+) => {
        /// The kind of a remark.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum RemarkCode {
            $(#[doc = $about] $code,)+
        }

        impl RemarkCode {
            /// Every code.
            pub const ALL: &'static [RemarkCode] = &[$(RemarkCode::$code),+];

            /// Its name, for scripts.
            pub fn name(self) -> &'static str {
                match self {
                    $(RemarkCode::$code => $name,)+
                }
            }

            /// Whether a strict referee calls it a fault.
            pub fn is_fault(self) -> bool {
                match self {
                    $(RemarkCode::$code => $is_fault,)+
                }
            }

            /// Its subject in words.
            pub fn about(self) -> &'static str {
                match self {
                    $(RemarkCode::$code => $about,)+
                }
            }
        }
    };
}

remark_codes! {
    RulesAssumed = "rules-assumed", false, "The record names no rules, so the defaults apply.";
    RulesUnreadable = "rules-unreadable", false, "`RU` is unknown and counts as absent.";
    RulesInexact = "rules-inexact", false, "`RU` has rules that kawari does not support.";
    Superko = "superko", false, "A turn that only superko forbids, in a record that names no rules.";
    Unreadable = "unreadable", false, "`KM` or `HA` is not a number and is ignored.";
    Incomplete = "incomplete", false, "A match record lacks fields, so the options decide.";
    PlaysTwice = "plays-twice", true, "A side moves twice in a row, other than to place its handicap.";
    AfterPasses = "after-passes", false, "Play continues after two passes.";
    AfterEnd = "after-end", false, "Passes after the rules ended the game.";
    SetUp = "set-up", false, "Stones or the side to move are set up within the game.";
    TwoTurns = "two-turns", true, "A node has two moves.";
    PropertyTwice = "property-twice", true, "A node has a property twice.";
    Forced = "forced", true, "`KO` asks readers to make a move whatever the rules say.";
    Time = "time", true, "A time is negative, above the limit, or grows without overtime.";
    StatedTwice = "stated-twice", true, "Komi or size is stated twice.";
    ExpectedKomi = "expected-komi", true, "Komi is not the expected one.";
    ExpectedSize = "expected-size", true, "The board does not have the expected size.";
    ExpectedRules = "expected-rules", true, "The rules are not the expected ones.";
}

/// A remark on a record that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// Its kind.
    pub code: RemarkCode,
    /// The property or the turn, and the problem.
    pub text: String,
}

impl Remark {
    /// A remark with this text.
    pub fn new(code: RemarkCode, text: impl Into<String>) -> Remark {
        Remark { code, text: text.into() }
    }
}
