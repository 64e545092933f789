//! The `kawari` program; see the library's documentation.

fn main() -> std::process::ExitCode {
    kawari::cli::run()
}
