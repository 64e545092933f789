// Addresses that hold a game, compressed: its record and what a review said, or a game by link.

import { Refused } from "./connection.js";

/** Maximum letters of an address with a record; mail and chat programs cut longer ones. */
export const MAX_LINK = 8_000;

/** Maximum letters of an address that is opened. */
const MAX_OPENED = 40_000;

/** The version of the form, which the fragment begins with. */
const VERSION = "1";

const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer();

/** Plain data as the fragment of an address. */
export async function pack(data) {
  const bytes = new Uint8Array(await through(JSON.stringify(data), new CompressionStream("deflate-raw")));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `game${VERSION}.${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The fragment with a game in a text, such as an address, or null. */
export const fragmentIn = (text) => /game\d+\.[\w-]+/.exec(text)?.[0] ?? null;

/** The data of a fragment; fails if it is not one of these. */
export async function unpack(text) {
  if (text.length > MAX_OPENED) throw new Refused("The link is too long.");
  const [, version, packed] = /^game(\d+)\.(.*)$/.exec(text) ?? [];
  if (version && version !== VERSION) throw new Refused("The link is of another version of kawari. Load this page again, or open the link at the address in it.");
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
  } catch {
    throw new Refused("The link cannot be read: a part of it may be missing.");
  }
}

/** The address with a fragment: at the public site of a board, or at this page. */
export const addressOf = ({ site }, fragment) => `${site || location.origin + location.pathname + location.search}#${fragment}`;

/** Copies the text of a field. */
export async function copyFrom(field) {
  field.select();
  // Pages without encryption have no clipboard.
  await (navigator.clipboard?.writeText(field.value) ?? Promise.reject()).catch(() => document.execCommand("copy"));
}
