//! Tests of the search as a whole.
