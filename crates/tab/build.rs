//! Compresses the problems and the page.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    kawari_packed::pack("problems")?;
    kawari_packed::pack("src/web/page")
}
