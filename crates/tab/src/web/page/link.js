// Addresses that hold a compressed game, perhaps with its review, or a game by link.

import { Refused } from "./connection.js";

export const UNREADABLE = "The link cannot be read: a part of it may be missing.";

/** The key of the game for which a friend opened this page on somebody else's server, or null. */
export const guestKey = (location.pathname.endsWith("/friend") && /[#&]key\.([0-9a-f]{32})/.exec(location.hash)?.[1]) || null;

/** Maximum letters of an address with a record; mail and chat programs cut longer ones. */
export const MAX_LINK = 8_000;

/** Maximum letters of an address that is opened. */
const MAX_OPENED = 40_000;

/** Maximum bytes of an address when it is unpacked. */
const MAX_UNPACKED = 4_000_000;

/** The version of the form, which the fragment begins with. */
const VERSION = "1";

/** The text of packed bytes; fails if it is longer than any that was packed here. */
async function textOf(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length > MAX_UNPACKED) throw new RangeError();
  }
  return text + decoder.decode();
}

export async function pack(data) {
  const packed = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `game${VERSION}.${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The fragment with a game in a text, such as an address, or null. */
export const fragmentIn = (text) => /game\d+\.[\w-]+/.exec(text)?.[0] ?? null;

/** The data of a fragment, without what chat programs add to it. */
export async function unpack(text) {
  const fragment = fragmentIn(text) ?? "";
  if (fragment.length > MAX_OPENED) throw new Refused("The link is too long.");
  const [, version, packed] = /^game(\d+)\.(.*)$/.exec(fragment) ?? [];
  if (version && version !== VERSION) throw new Refused("This link was made by a different version of kawari. Reload the page, or open the link at the address in it.");
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    const { saved, review, friend } = JSON.parse(await textOf(bytes));
    const isWhole = friend ? typeof friend.id === "string" && Array.isArray(friend.entries) : typeof saved.sgf === "string";
    if (!isWhole) throw new TypeError();
    return { saved, review, friend };
  } catch {
    throw new Refused(UNREADABLE);
  }
}

export const addressOf = ({ site }, fragment) => `${site || location.origin + location.pathname + location.search}#${fragment}`;

const isLocal = () => /^(127\.|localhost$|\[::1\])/.test(location.hostname);

/** The address of the page of a friend, which has no token of the server. */
export function guestAddress({ invitations }, key) {
  const page = isLocal() && invitations?.addresses[0];
  return `${page || `${location.origin}/friend`}#key.${key}`;
}

/** Who can open the links of a game with a friend, in a sentence; empty where they open everywhere. */
export function whoOpens({ site, invitations }, isServer) {
  const isByName = !isLocal() && !invitations?.addresses.some((address) => new URL(address).host === location.host);
  if (invitations) {
    const who = { computer: "Only browsers on this computer", network: "Only devices in this house or network", anyone: "Everybody who can reach this computer" }[isByName ? "anyone" : invitations.reach];
    return `${who} can open the address.${location.protocol === "https:" ? "" : " The connection is not encrypted."}`;
  }
  if (site || !isServer || !isLocal()) return "";
  return "The links open on this computer. A friend elsewhere pastes them into a kawari board of their own, or you start this board for your network, with --listen.";
}

/** Copies the text of a field; returns whether the browser has done so. The text stays selected. */
export function copyFrom(field) {
  field.select();
  // Pages without encryption have no clipboard.
  const copied = navigator.clipboard?.writeText(field.value) ?? Promise.reject();
  return copied.then(() => true, () => document.execCommand("copy"));
}
