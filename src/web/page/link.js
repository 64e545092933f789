// Addresses that hold a game: its record and what a review said, compressed.

/** Maximum letters of an address; mail and chat programs cut longer ones. */
export const MAX_LINK = 30_000;

/** The beginning of the fragment. */
const BEGINNING = "game.";

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

/** Plain data as the fragment of an address. */
export async function pack(data) {
  const bytes = new Uint8Array(await through(JSON.stringify(data), new CompressionStream("deflate-raw")));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return BEGINNING + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The data of a fragment; fails if it is not one of these. */
export async function unpack(text) {
  if (!text.startsWith(BEGINNING)) throw new Error("no game");
  const letters = atob(text.slice(BEGINNING.length).replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}
