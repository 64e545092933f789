//! Files of weights.
//!
//! A file is text. The first line names the format, its version and the variant.
//! Then come blocks: a line with the block's name in brackets and where its weights
//! come from, `learned` or `set by hand`, and a line `NAME WEIGHT` for each weight
//! that is not the default. The last line is `[end]`, so that a truncated file is
//! refused. Empty lines, and lines that begin with `#` and a space, are ignored (large
//! patterns may begin with `#`, a wall).
//!
//! ```text
//! kawari-weights 1 go
//! [tactic] learned
//! adjacent 3.202
//! [large-board-line] set by hand
//! opening-line-3 2.500
//! [end]
//! ```
//!
//! There is a block for each feature family ([`FAMILIES`]), one for 3x3 patterns,
//! named by the hexadecimal code, and one for large patterns, named by a symbol for
//! each place as in [`LargePattern`]; these are factors of priors. The other blocks
//! ([`SCALARS`], and `local-reply` with a factor for each tactical feature) belong to
//! playouts.

use super::families::{FAMILIES, FeatureFamily};
use super::large_pattern::LargePattern;
use super::local::Tactic;
use super::weights::{Origin, SCALARS, Weights, canonical_3x3};
use crate::rules::VariantInfo;
use std::collections::HashMap;
use std::fmt::Write;

/// The format's name and version.
const FORMAT: &str = "kawari-weights 1";
/// The last line.
const END: &str = "[end]";
/// The names of blocks that are neither feature families nor scalars alone.
pub const PATTERN_3X3: &str = "pattern-3x3";
/// The same for large patterns.
pub const LARGE_PATTERN: &str = "large-pattern";
const LOCAL_REPLY: &str = "local-reply";
/// Weights that are nearer to the default are not written: three digits would not show
/// the difference.
const MIN_DIFFERENCE: f32 = 0.0005;

/// Why weights cannot be loaded; lines count from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadWeightsError {
    /// The first line is missing or wrong.
    #[error("line 1: expected `{FORMAT} VARIANT`, found {found}")]
    Header {
        /// The line, quoted, or words for the end of the file.
        found: String,
    },
    /// The weights are for another variant.
    #[error("line 1: expected weights of {expected}, found weights of {found}")]
    WrongVariant {
        /// The id of the variant asked for.
        expected: &'static str,
        /// The id in the file.
        found: String,
    },
    /// A line is none of those that may stand there.
    #[error("line {line}: expected {expected}, found {found}")]
    Line {
        /// The line's number.
        line: usize,
        /// What may stand there.
        expected: String,
        /// The line, quoted.
        found: String,
    },
    /// The file ends without its end mark.
    #[error("line {line}: expected `{END}`, found the end of the file")]
    Truncated {
        /// The number of the line that is missing.
        line: usize,
    },
}

/// What the names of the block being read stand for.
enum Block {
    Family(HashMap<String, u16>),
    Pattern3x3,
    LargePattern,
    Scalars(&'static str),
}

impl Block {
    /// The block with this name.
    fn find(name: &str, variant: &VariantInfo) -> Option<(&'static str, Block)> {
        if let Some(family) = FAMILIES.iter().find(|family| family.name == name) {
            let names = family_names(family, variant);
            let ids = names.map(|(member, name)| (name, family.family.id(member)));
            return Some((family.name, Block::Family(ids.collect())));
        }
        let patterns = [
            (PATTERN_3X3, Block::Pattern3x3),
            (LARGE_PATTERN, Block::LargePattern),
        ];
        if let Some(found) = patterns.into_iter().find(|(known, _)| *known == name) {
            return Some(found);
        }
        let scalar = SCALARS.iter().find(|scalar| scalar.block == name)?;
        Some((scalar.block, Block::Scalars(scalar.block)))
    }

    /// Sets the weight of this name; none if the block has no such name, or the
    /// weight is not allowed.
    fn set(&self, weights: &mut Weights, name: &str, weight: f32) -> Option<()> {
        let may_be_infinite = name == "tenuki";
        (weight > 0.0 && (weight.is_finite() || may_be_infinite)).then_some(())?;
        let field = match self {
            Block::Family(ids) => weights.prior.get_mut(usize::from(*ids.get(name)?)),
            Block::Pattern3x3 => {
                let code = u16::from_str_radix(name, 16).ok()?;
                (canonical_3x3(code) == code).then_some(())?;
                weights.pattern_3x3.get_mut(usize::from(code))
            }
            Block::LargePattern => {
                let (pattern, size) = LargePattern::parse(name)?;
                weights.large_patterns.push((pattern, size, weight));
                return Some(());
            }
            Block::Scalars(block) => {
                let mut scalars = SCALARS.iter();
                match scalars.find(|scalar| scalar.block == *block && scalar.name == name) {
                    Some(scalar) => Some((scalar.field)(&mut weights.scalars)),
                    None if *block == LOCAL_REPLY => {
                        let tactic = Tactic::NAMES.iter().position(|known| *known == name)?;
                        weights.local_reply.get_mut(tactic)
                    }
                    None => None,
                }
            }
        };
        *field? = weight;
        Some(())
    }
}

/// The names of a family's features in this variant, each with its number in the
/// family.
fn family_names<'a>(
    family: &'a FeatureFamily,
    variant: &'a VariantInfo,
) -> impl Iterator<Item = (usize, String)> + 'a {
    (0..family.size).filter_map(|member| Some((member, family.feature_name(member, variant)?)))
}

impl Weights {
    /// Reads the weights of a variant.
    ///
    /// # Errors
    /// [`LoadWeightsError`] for the first line that is wrong, if the weights are for
    /// another variant, or if the end is missing.
    pub fn parse(text: &str, variant: &'static VariantInfo) -> Result<Weights, LoadWeightsError> {
        let mut weights = Weights {
            variant: variant.id,
            ..Weights::default()
        };
        let mut lines = text.lines().map(str::trim).enumerate();
        check_header(lines.next().map_or("", |(_, line)| line), variant)?;
        let mut block = None;
        for (number, line) in lines {
            if line.is_empty() || is_remark(line) {
                continue;
            }
            if line == END {
                return Ok(weights);
            }
            let wrong = |expected: String| LoadWeightsError::Line {
                line: number + 1,
                expected,
                found: quote(line),
            };
            if line.starts_with('[') {
                let (name, origin, found) = parse_block(line, variant)
                    .ok_or_else(|| wrong("`[BLOCK] learned` or `[BLOCK] set by hand`".into()))?;
                if weights.origins.insert(name, origin).is_some() {
                    return Err(wrong(format!("[{name}] only once")));
                }
                block = Some((name, found));
                continue;
            }
            let Some((name, block)) = &block else {
                return Err(wrong("a block".into()));
            };
            parse_weight(line)
                .and_then(|(key, weight)| block.set(&mut weights, key, weight))
                .ok_or_else(|| wrong(format!("a name of [{name}] and a weight above 0")))?;
        }
        let line = text.lines().count() + 1;
        Err(LoadWeightsError::Truncated { line })
    }

    /// The text of a file with these weights, and a remark on them.
    pub fn write(&self, variant: &VariantInfo, remark: &str) -> String {
        let mut file = Writer {
            text: format!("{FORMAT} {}\n# {remark}\n", variant.id),
            weights: self,
        };
        let mut scalars = self.scalars;
        let mut scalars_of = |block: &str| -> Vec<_> {
            let here = SCALARS.iter().filter(|scalar| scalar.block == block);
            here.map(|scalar| (scalar.name, *(scalar.field)(&mut scalars), scalar.default))
                .collect()
        };
        for family in FAMILIES {
            let first = family.family.range().start;
            let names = family_names(family, variant);
            file.block(
                family.name,
                names.map(|(i, name)| (name, self.prior[first + i], 1.0)),
            );
        }
        let codes = (0..=u16::MAX).zip(&self.pattern_3x3);
        let codes = codes.map(|(code, &weight)| (format!("{code:04x}"), weight, 1.0));
        file.block(PATTERN_3X3, codes);
        let patterns = self.large_patterns.iter();
        let patterns = patterns.map(|&(pattern, size, weight)| (pattern.write(size), weight, 1.0));
        file.block(LARGE_PATTERN, patterns);
        let tactics = Tactic::NAMES.iter().zip(self.local_reply);
        let tactics = tactics.map(|(&name, weight)| (name, weight, 1.0));
        file.block(LOCAL_REPLY, tactics.chain(scalars_of(LOCAL_REPLY)));
        for block in [
            "global-move",
            "playout-pattern",
            "special-step",
            "prior-scale",
        ] {
            file.block(block, scalars_of(block));
        }
        file.text + END + "\n"
    }
}

/// Writes the blocks of a file.
struct Writer<'a> {
    text: String,
    weights: &'a Weights,
}

impl Writer<'_> {
    /// Writes a block of names, each with its weight and the default; nothing if all
    /// are the default.
    fn block<N: std::fmt::Display>(
        &mut self,
        name: &str,
        entries: impl IntoIterator<Item = (N, f32, f32)>,
    ) {
        let mut lines = String::new();
        for (entry, weight, default) in entries {
            // Writing to a string cannot fail.
            let _ = match (weight - default).abs() >= MIN_DIFFERENCE {
                true if weight < 0.001 => writeln!(lines, "{entry} {weight}"),
                true => writeln!(lines, "{entry} {weight:.3}"),
                false => Ok(()),
            };
        }
        if !lines.is_empty() {
            let origin = match self.weights.origins.get(name) {
                Some(Origin::SetByHand) => SET_BY_HAND,
                _ => LEARNED,
            };
            self.text += &format!("[{name}] {origin}\n{lines}");
        }
    }
}

const LEARNED: &str = "learned";
const SET_BY_HAND: &str = "set by hand";

fn is_remark(line: &str) -> bool {
    line.starts_with("# ")
}

fn quote(line: &str) -> String {
    match line {
        "" => "nothing".to_owned(),
        _ => format!("`{}`", line.chars().take(60).collect::<String>()),
    }
}

fn check_header(line: &str, variant: &'static VariantInfo) -> Result<(), LoadWeightsError> {
    let found = line
        .strip_prefix(FORMAT)
        .and_then(|rest| rest.strip_prefix(' '));
    match found {
        None => Err(LoadWeightsError::Header { found: quote(line) }),
        Some(id) if id == variant.id => Ok(()),
        Some(id) => Err(LoadWeightsError::WrongVariant {
            expected: variant.id,
            found: id.to_owned(),
        }),
    }
}

fn parse_block(line: &str, variant: &VariantInfo) -> Option<(&'static str, Origin, Block)> {
    let (name, origin) = line.strip_prefix('[')?.split_once("] ")?;
    let origin = match origin {
        LEARNED => Origin::Learned,
        SET_BY_HAND => Origin::SetByHand,
        _ => return None,
    };
    let (name, block) = Block::find(name, variant)?;
    Some((name, origin, block))
}

fn parse_weight(line: &str) -> Option<(&str, f32)> {
    let (name, weight) = line.split_once(' ')?;
    Some((name, weight.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::weights::{Origin, Weights, canonical_3x3};
    use super::LoadWeightsError;
    use crate::rules::{VARIANTS, VariantInfo, variant};
    use crate::search::policy::embedded_text;

    fn go() -> &'static VariantInfo {
        variant("go").expect("go")
    }

    #[test]
    fn written_weights_are_parsed_again() {
        let mut weights = Weights {
            variant: "go",
            ..Weights::default()
        };
        weights.scalars.tenuki = f32::INFINITY;
        weights.scalars.local_pattern_power = 1.5;
        weights.scalars.global_pattern_mean = 1.0;
        weights.scalars.max_rejections = 1.0;
        weights.scalars.special_step_rate = 6.0;
        weights.scalars.opening_prior_scale = 4.0;
        weights.local_reply[2] = 17.0;
        weights.pattern_3x3[usize::from(canonical_3x3(0x1234))] = 3.0;
        weights.pattern_3x3[usize::from(canonical_3x3(0x1230))] = 0.0002;
        for (block, origin) in [
            ("local-reply", Origin::Learned),
            ("playout-pattern", Origin::SetByHand),
            ("special-step", Origin::SetByHand),
            ("prior-scale", Origin::SetByHand),
            ("pattern-3x3", Origin::Learned),
        ] {
            weights.origins.insert(block, origin);
        }
        assert_eq!(
            Weights::parse(&weights.write(go(), "a test"), go()),
            Ok(weights)
        );
        let default = Weights::parse("kawari-weights 1 go\n[end]\n", go()).expect("weights");
        assert_eq!(default.prior, Weights::default().prior);
    }

    #[test]
    fn embedded_weights_are_written_as_they_are() {
        for variant in VARIANTS {
            let text = embedded_text(variant).expect("a file");
            let weights = Weights::parse(text, variant).expect("weights");
            let without_remarks = |text: &str| -> Vec<String> {
                let lines = text.lines().filter(|line| !super::is_remark(line));
                lines.map(str::to_owned).collect()
            };
            let written = weights.write(variant, "a test");
            assert_eq!(
                without_remarks(&written),
                without_remarks(text),
                "{}",
                variant.id
            );
        }
    }

    #[test]
    fn a_pattern_that_begins_with_a_wall_is_no_remark() {
        let text =
            "kawari-weights 1 go\n# a remark\n[large-pattern] learned\n############ 2\n[end]\n";
        let weights = Weights::parse(text, go()).expect("weights");
        assert_eq!(weights.large_patterns.len(), 1);
    }

    #[test]
    fn wrong_files_are_refused_with_line_and_expectation() {
        let text = embedded_text(go()).expect("a file");
        let cut = &text[..text.len() / 2];
        let cut = &cut[..cut.rfind('\n').expect("a line")];
        let refused = |text: &str| Weights::parse(text, go()).expect_err("refused").to_string();
        let header = "line 1: expected `kawari-weights 1 VARIANT`, found nothing";
        assert_eq!(refused(""), header);
        let lines = cut.lines().count() + 1;
        let truncated = format!("line {lines}: expected `[end]`, found the end of the file");
        assert_eq!(refused(cut), truncated);
        let tao = embedded_text(variant("tao").expect("tao")).expect("a file");
        let other = "line 1: expected weights of go, found weights of tao";
        assert_eq!(refused(tao), other);
        let names = "a name of [tactic] and a weight above 0";
        for (lines, expected) in [
            ("adjacent 2", "a block"),
            (
                "[nothing] learned",
                "`[BLOCK] learned` or `[BLOCK] set by hand`",
            ),
            (
                "[tactic] guessed",
                "`[BLOCK] learned` or `[BLOCK] set by hand`",
            ),
            ("[tactic] learned\n[tactic] learned", "[tactic] only once"),
            ("[tactic] learned\nnothing 2", names),
            ("[tactic] learned\nadjacent", names),
            ("[tactic] learned\nadjacent 0", names),
            ("[tactic] learned\nadjacent inf", names),
            ("[tactic] learned\nadjacent 2 3", names),
            (
                "[local-reply] learned\nrate 2",
                "a name of [local-reply] and a weight above 0",
            ),
        ] {
            let error = Weights::parse(&format!("kawari-weights 1 go\n{lines}\n[end]\n"), go());
            let wrong = lines.lines().last().expect("a line");
            assert_eq!(
                error,
                Err(LoadWeightsError::Line {
                    line: lines.lines().count() + 1,
                    expected: expected.to_owned(),
                    found: format!("`{wrong}`"),
                })
            );
        }
    }
}
