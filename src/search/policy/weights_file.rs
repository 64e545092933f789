//! Files of weights.
//!
//! A file is text. The first line names the format, its version and the variant. A block begins
//! with its name in brackets and the origin of its weights, `learned` or `set by hand`; it has a
//! line `NAME WEIGHT` for each weight other than the default. The last line is `[end]`, so that a
//! truncated file is refused. Empty lines, and lines that begin with `#` and a space, are ignored.
//! (A large pattern may begin with `#`, a wall.)
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
//! Each feature family has a block; so have 3x3 patterns, named by their hexadecimal codes, and
//! large patterns, named by a symbol for each cell. Their weights are factors of priors. The other
//! blocks ([`SCALARS`], and `local-reply` with a factor for each tactical feature) belong to
//! playouts.

use super::families::{FAMILIES, FeatureFamily};
use super::large_pattern::LargePattern;
use super::weights::{SCALARS, Scalar, Weights, canonical_3x3};
use crate::rules::VariantInfo;
use crate::search::local::Tactic;
use std::collections::{HashMap, HashSet};

const FORMAT: &str = "kawari-weights 1";
const END: &str = "[end]";
/// The names of blocks that are neither feature families nor scalars alone.
const PATTERN_3X3: &str = "pattern-3x3";
const LARGE_PATTERN: &str = "large-pattern";
const LOCAL_REPLY: &str = "local-reply";

/// The meaning of the names in the block being read.
enum Block {
    Family(HashMap<String, u16>),
    Pattern3x3,
    LargePattern,
    Scalars(&'static str),
}

impl Block {
    fn find(name: &str, variant: &VariantInfo) -> Option<(&'static str, Block)> {
        if let Some(family) = FAMILIES.iter().find(|family| family.name == name) {
            let names = family_names(family, variant);
            let ids = names.map(|(member, name)| (name, family.family.id(member)));
            return Some((family.name, Block::Family(ids.collect())));
        }
        let patterns = [(PATTERN_3X3, Block::Pattern3x3), (LARGE_PATTERN, Block::LargePattern)];
        if let Some(found) = patterns.into_iter().find(|(known, _)| *known == name) {
            return Some(found);
        }
        let &(block, ..) = SCALARS.iter().find(|(block, ..)| *block == name)?;
        Some((block, Block::Scalars(block)))
    }

    /// Sets the weight of this name; `None` for an unknown name or a bad weight.
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
                let is_it = |scalar: &&Scalar| (scalar.0, scalar.1) == (*block, name);
                match SCALARS.iter().find(is_it) {
                    Some((_, _, field)) => Some(field(&mut weights.scalars)),
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

fn family_names<'a>(
    family: &'a FeatureFamily,
    variant: &'a VariantInfo,
) -> impl Iterator<Item = (usize, String)> + 'a {
    (0..family.size).filter_map(|member| Some((member, (family.name_of)(member, variant)?)))
}

impl Weights {
    /// Reads the weights of a variant.
    ///
    /// # Errors
    /// The first wrong line and the text expected there.
    pub fn parse(text: &str, variant: &'static VariantInfo) -> Result<Weights, String> {
        let mut weights = Weights { variant: variant.id, ..Weights::default() };
        let mut lines = text.lines().map(str::trim).enumerate();
        check_header(lines.next().map_or("", |(_, line)| line), variant)?;
        let (mut block, mut known) = (None, HashSet::new());
        for (number, line) in lines {
            if line.is_empty() || is_remark(line) {
                continue;
            }
            if line == END {
                return Ok(weights);
            }
            let wrong = |expected: &str| {
                format!("line {}: expected {expected}, found {}", number + 1, quote(line))
            };
            if line.starts_with('[') {
                let (name, found) = parse_block(line, variant)
                    .ok_or_else(|| wrong("`[BLOCK] learned` or `[BLOCK] set by hand`"))?;
                if !known.insert(name) {
                    return Err(wrong(&format!("[{name}] only once")));
                }
                block = Some((name, found));
                continue;
            }
            let Some((name, block)) = &block else {
                return Err(wrong("a block"));
            };
            parse_weight(line)
                .and_then(|(key, weight)| block.set(&mut weights, key, weight))
                .ok_or_else(|| wrong(&format!("a name of [{name}] and a weight above 0")))?;
        }
        let line = text.lines().count() + 1;
        Err(format!("line {line}: expected `{END}`, found the end of the file"))
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

fn check_header(line: &str, variant: &'static VariantInfo) -> Result<(), String> {
    let found = line.strip_prefix(FORMAT).and_then(|rest| rest.strip_prefix(' '));
    match found {
        None => Err(format!("line 1: expected `{FORMAT} VARIANT`, found {}", quote(line))),
        Some(id) if id == variant.id => Ok(()),
        Some(id) => {
            Err(format!("line 1: expected weights of {}, found weights of {id}", variant.id))
        }
    }
}

fn parse_block(line: &str, variant: &VariantInfo) -> Option<(&'static str, Block)> {
    let (name, origin) = line.strip_prefix('[')?.split_once("] ")?;
    let is_known = [LEARNED, SET_BY_HAND].contains(&origin);
    is_known.then(|| Block::find(name, variant)).flatten()
}

fn parse_weight(line: &str) -> Option<(&str, f32)> {
    let (name, weight) = line.split_once(' ')?;
    Some((name, weight.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::families::Family;
    use super::super::large_pattern::LargePattern;
    use super::super::weights::Weights;
    use crate::rules::{VARIANTS, VariantInfo, variant};
    use crate::search::local::Tactic;
    use crate::search::policy::embedded_text;

    fn go() -> &'static VariantInfo {
        variant("go").expect("go")
    }

    #[test]
    fn each_block_sets_its_weights() {
        let text = "\
kawari-weights 1 go
# a remark

[tactic] learned
adjacent 3.202
[pattern-3x3] learned
0000 0.0002
[large-pattern] learned
X........... 2.5
[local-reply] learned
capture 17
tenuki inf
[playout-pattern] set by hand
local-reply-power 1.5
[end]
";
        let weights = Weights::parse(text, go()).expect("weights");
        let mut expected = Weights { variant: "go", ..Weights::default() };
        expected.prior[Family::Tactic.range().start] = 3.202;
        expected.pattern_3x3[0] = 0.0002;
        let (pattern, size) = LargePattern::parse("X...........").expect("a pattern");
        expected.large_patterns.push((pattern, size, 2.5));
        let capture = Tactic::NAMES.iter().position(|&name| name == "capture");
        expected.local_reply[capture.expect("a tactic")] = 17.0;
        expected.scalars.tenuki = f32::INFINITY;
        expected.scalars.local_pattern_power = 1.5;
        assert_eq!(weights, expected);
    }

    #[test]
    fn every_line_of_embedded_weights_sets_a_weight_of_its_own() {
        let of = |&variant| Some((variant, embedded_text(variant)?));
        for (variant, text) in VARIANTS.iter().filter_map(of) {
            let weights = Weights::parse(text, variant).expect("weights");
            let lines = |block: &str| {
                let all = text
                    .lines()
                    .skip_while(|line| !line.starts_with(block))
                    .skip(1)
                    .filter(|line| !super::is_remark(line));
                all.take_while(|line| !line.starts_with('[')).count()
            };
            let other = weights.pattern_3x3.iter().filter(|&&weight| weight != 1.0);
            assert_eq!(other.count(), lines("[pattern-3x3]"), "{}", variant.id);
            let mut patterns = weights.large_patterns;
            patterns.sort_by_key(|&(pattern, size, _)| (pattern, size));
            patterns.dedup_by_key(|&mut (pattern, size, _)| (pattern, size));
            assert_eq!(patterns.len(), lines("[large-pattern]"), "{}", variant.id);
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
        let refused = |text: &str| Weights::parse(text, go()).expect_err("refused");
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
            ("[nothing] learned", "`[BLOCK] learned` or `[BLOCK] set by hand`"),
            ("[tactic] guessed", "`[BLOCK] learned` or `[BLOCK] set by hand`"),
            ("[tactic] learned\n[tactic] learned", "[tactic] only once"),
            ("[tactic] learned\nnothing 2", names),
            ("[tactic] learned\nadjacent", names),
            ("[tactic] learned\nadjacent 0", names),
            ("[tactic] learned\nadjacent inf", names),
            ("[tactic] learned\nadjacent 2 3", names),
            ("[local-reply] learned\nrate 2", "a name of [local-reply] and a weight above 0"),
        ] {
            let error = Weights::parse(&format!("kawari-weights 1 go\n{lines}\n[end]\n"), go());
            let wrong = lines.lines().last().expect("a line");
            let line = lines.lines().count() + 1;
            assert_eq!(error, Err(format!("line {line}: expected {expected}, found `{wrong}`")));
        }
    }
}
