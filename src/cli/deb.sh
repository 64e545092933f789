#!/bin/sh
# Builds a Debian package with manual pages and completions, in target/debian.
# Needs cargo-deb (cargo install cargo-deb).
set -eu
cd "$(dirname "$0")/../.."
cargo build --release
kawari=target/release/kawari
parts=target/deb-parts
rm -rf "$parts"
mkdir -p "$parts/man"
"$kawari" man "$parts/man"
"$kawari" completions bash > "$parts/kawari.bash"
"$kawari" completions zsh > "$parts/_kawari"
"$kawari" completions fish > "$parts/kawari.fish"
version=$("$kawari" --version | cut -d " " -f 2)
maintainer=$(sed -n 's/^maintainer = "\(.*\)"$/\1/p' Cargo.toml)
cat > "$parts/changelog" <<EOF
kawari ($version-1) unstable; urgency=medium

  * Version $version; the guide "contributing" says what changed.

 -- $maintainer  $(date -R -u)
EOF
cargo deb --no-build
