#!/bin/sh
# Builds GoGui from a checkout of its repository, for the other scripts here.
#
#   tests/gogui/build.sh SOURCE CLASSES
#
# SOURCE is the checkout, CLASSES the directory to make. Needs javac and
# rsvg-convert (or says so and stops with 77).
set -eu
source=${1:?the checkout of GoGui}
classes=${2:?the directory to build into}
for program in javac rsvg-convert; do
    command -v "$program" >/dev/null || { echo "skipped: no $program"; exit 77; }
done
mkdir -p "$classes"
generated=$(mktemp -d)
trap 'rm -rf "$generated"' EXIT
version=$(sed -n 's/.*name="version" value="\([^"]*\)".*/\1/p' "$source/build.xml" | head -1)
sed "s/@VERSION@/$version/" "$source/src/net/sf/gogui/version/Version.java.in" >"$generated/Version.java"
find "$source/src" -name '*.java' >"$generated/files"
javac -nowarn -encoding UTF-8 -d "$classes" "@$generated/files" "$generated/Version.java" 2>&1 |
    grep -v '^Note:' || true
(cd "$source/src" && find . \( -name '*.properties' -o -name '*.png' -o -name analyze-commands \)) |
    while read -r file; do
        mkdir -p "$classes/$(dirname "$file")"
        cp "$source/src/$file" "$classes/$file"
    done
# GoGui ships most of its pictures as drawings and looks for them in these sizes.
images=$classes/net/sf/gogui/images
for svg in "$source"/src/net/sf/gogui/images/*.svg; do
    name=$(basename "$svg" .svg)
    for size in 8 16 24 32 48 64; do
        rsvg-convert -w "$size" -h "$size" "$svg" -o "$images/$name-${size}x$size.png"
    done
    [ -e "$images/$name.png" ] || cp "$images/$name-24x24.png" "$images/$name.png"
done
echo "GoGui $version in $classes"
