//! Refusals of a page's commands.

use std::fmt;

/// Why a command is refused, in words for the person at the page.
#[derive(Debug)]
pub struct ErrorText(pub String);

impl<E: fmt::Display> From<E> for ErrorText {
    fn from(error: E) -> ErrorText {
        ErrorText(error.to_string())
    }
}
