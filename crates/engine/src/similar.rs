//! The name that a person may have mistyped.

/// The most similar name, in any letter case; `None` if all differ in more than a third of the
/// letters (Damerau and Levenshtein).
pub fn similar<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    const MAX_LENGTH: usize = 60;
    if word.len() > MAX_LENGTH {
        return None;
    }
    let word = word.to_lowercase();
    let distance = |name: &str| strsim::osa_distance(&word, &name.to_lowercase());
    let named = names.into_iter().map(|name| (distance(name), name));
    let most = (word.chars().count() / 3).max(1);
    let near = named.filter(|&(distance, _)| distance <= most);
    near.min_by_key(|&(distance, _)| distance).map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::similar;

    #[test]
    fn only_similar_names_are_found() {
        let names = ["genmove", "undo", "go-san", "go", "2.5d"];
        for (word, found) in [
            ("genmvoe", Some("genmove")),
            ("GENMOVE", Some("genmove")),
            ("udno", Some("undo")),
            ("gosan", Some("go-san")),
            ("g", Some("go")),
            ("25d", Some("2.5d")),
            ("chess", None),
            ("", None),
            (&"x".repeat(100), None),
        ] {
            assert_eq!(similar(word, names), found, "{word}");
        }
    }
}
