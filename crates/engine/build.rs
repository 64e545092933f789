//! Compresses the built-in nets.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_NETS").is_some() {
        kawari_packed::pack("src/search/neural/nets")?;
    }
    Ok(())
}
