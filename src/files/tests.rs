//! Writing and reading of files.

use super::*;
use tempfile::{TempDir, tempdir};

/// A folder with a file of this content.
fn folder_with(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a file");
    fs::write(&path, bytes).expect("a file");
    (folder, path)
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("a folder").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.collect()
}

#[test]
fn only_files_that_may_be_replaced_are() {
    for (replace, content, replaced) in [
        (Replace::Nothing, "", true),
        (Replace::Nothing, "x", false),
        (Replace::Beginning(b"ours"), "", true),
        (Replace::Beginning(b"ours"), "ours, too", true),
        (Replace::Beginning(b"ours"), "not ours", false),
        (Replace::Containing("mark"), "a mark within", true),
        (Replace::Containing("mark"), "a market", true),
        (Replace::Containing("mark"), "ma", false),
        (Replace::Anything, "theirs", true),
    ] {
        let (folder, path) = folder_with(content.as_bytes());
        let written = write(&path, b"new", replace);
        assert_eq!(written.is_ok(), replaced, "{replace:?} {content}");
        assert!(check_writable(&path, Replace::Nothing).is_err());
        let now = fs::read_to_string(&path).expect("a file");
        assert_eq!(now, if replaced { "new" } else { content });
        assert_eq!(names(&folder), ["a file"], "nothing else is left");
    }
}

#[test]
fn nothing_changes_before_the_end() {
    let (folder, path) = folder_with(b"old");
    let mut file = NewFile::create(&path, Replace::Anything).expect("a new file");
    file.write_all(b"new").expect("space");
    assert_eq!(fs::read(&path).expect("a file"), b"old");
    drop(file);
    assert_eq!(fs::read(&path).expect("a file"), b"old");
    assert_eq!(names(&folder), ["a file"]);
    // Changes by another program are seen.
    let late = folder.path().join("late");
    let mut file = NewFile::create(&late, Replace::Nothing).expect("a new file");
    file.write_all(b"new").expect("space");
    fs::write(&late, "theirs").expect("a file");
    assert!(matches!(file.commit(), Err(FileError::Exists)));
    assert_eq!(fs::read(&late).expect("a file"), b"theirs");
}

#[test]
fn impossible_places_are_refused() {
    let (folder, path) = folder_with(b"x");
    for (path, expected) in [
        (folder.path(), "not a file"),
        (Path::new("/"), "not a file"),
        (Path::new(""), "not a file"),
        (&path.join("file"), "Not a directory"),
    ] {
        for replace in [Replace::Nothing, Replace::Anything] {
            let error = write(path, b"new", replace).expect_err("refused");
            assert!(error.to_string().starts_with(expected), "{path:?}: {error}");
            assert!(check_writable(path, replace).is_err(), "{path:?}");
        }
    }
    assert_eq!(names(&folder), ["a file"]);
}

#[test]
fn folders_are_made_with_their_first_file() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("a").join("b").join("file");
    check_writable(&path, Replace::Nothing).expect("a place");
    assert_eq!(names(&folder), [""; 0], "a check makes nothing");
    write(&path, b"new", Replace::Nothing).expect("a file");
    assert_eq!(fs::read(&path).expect("a file"), b"new");
}

/// A command that still runs keeps its temporary file.
#[test]
fn leftovers_of_a_kill_are_removed() {
    let (folder, path) = folder_with(b"old");
    fs::write(folder.path().join(".kawari-0123456789ab.tmp"), "half a").expect("a leftover");
    fs::write(folder.path().join(".kawari-of-mine"), "").expect("a file");
    let mut running = NewFile::create(&path, Replace::Anything).expect("a new file");
    check_writable(&folder.path().join("other"), Replace::Nothing).expect("a place");
    let mut left = names(&folder);
    left.retain(|name| name.starts_with(".kawari"));
    assert_eq!(left.len(), 2, "{left:?}");
    running.write_all(b"new").expect("space");
    running.commit().expect("a file");
    check_writable(&path, Replace::Anything).expect("a place");
    assert_eq!(fs::read(&path).expect("a file"), b"new");
    let mut left = names(&folder);
    left.sort();
    assert_eq!(left, [".kawari-of-mine", "a file"]);
}

#[test]
#[cfg(unix)]
fn links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (folder, path) = folder_with(b"old");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("permissions");
    let link = folder.path().join("link");
    symlink(&path, &link).expect("a link");
    write(&link, b"new", Replace::Anything).expect("a file");
    assert!(link.is_symlink());
    assert_eq!(fs::read(&path).expect("a file"), b"new");
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o640);
    // A new file has the permissions of any new file.
    let (plain, new) = (folder.path().join("plain"), folder.path().join("new"));
    fs::write(&plain, "").expect("a file");
    write(&new, b"", Replace::Nothing).expect("a file");
    assert_eq!(mode(&new), mode(&plain));
    let nowhere = folder.path().join("nowhere");
    symlink(folder.path().join("nothing"), &nowhere).expect("a link");
    let error = write(&nowhere, b"new", Replace::Anything);
    assert!(matches!(error, Err(FileError::NotAFile)));
}

#[test]
#[cfg(target_os = "linux")]
fn endless_and_full_devices_are_errors_at_once() {
    let zero = Path::new("/dev/zero");
    assert!(matches!(read(zero), Err(FileError::TooLarge(_))));
    assert!(matches!(refuse_devices(zero), Err(FileError::NotAFile)));
    let full =
        write(Path::new("/dev/full"), b"new", Replace::Anything).expect_err("no space").to_string();
    assert!(full.contains("No space left"), "{full}");
    assert!(write(Path::new("/dev/null"), b"new", Replace::Nothing).is_ok());
}

#[test]
fn errors_do_not_name_the_temporary_file() {
    let folder = tempdir().expect("a folder");
    let gone = folder.path().join("gone").join("file");
    let error = FileError::from(temporary_in(&gone).expect_err("no folder"));
    assert_eq!(error.to_string(), "entity not found");
    let plain = FileError::from(io::Error::other("cannot draw"));
    assert_eq!(plain.to_string(), "cannot draw");
}

#[test]
fn files_that_are_not_text_are_refused() {
    let (_folder, path) = folder_with(b"a\xff");
    assert!(matches!(read_text(&path), Err(FileError::NotText)));
    assert_eq!(read(&path).expect("bytes"), b"a\xff");
}
