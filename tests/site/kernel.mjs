// The engine as a module of WebAssembly in node against the same code on this machine: the same
// bits, and how much longer it takes, by processor seconds.
//
//   node tests/site/kernel.mjs kawari_measure.wasm [kawari-measure]
//
// Without the program of this machine, only bits are compared, those of the kernels of nets.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [file, program] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(file));
const engine = instance.exports;

const sets = engine.sets_with_the_same_bits();
assert.ok(sets > 0, "a kernel differs from the plain one");
console.log(`nets: ${sets} of WebAssembly with the bits of the plain kernel`);
if (!program) process.exit();

const ROUNDS = 9;
for (const [name, count] of [
  ["playouts", 5000],
  ["searches", 2000],
  ["searches_with_nets", 40],
  ["evaluations", 500],
]) {
  // The optimizing compiler is done with the hot functions.
  engine[name](count);
  const [here, there] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    const number = engine[name](count) >>> 0;
    const { user, system } = process.cpuUsage(before);
    here.push(user + system);
    const [other, nanoseconds] = execFileSync(program, [name, String(count)], { encoding: "utf8" }).trim().split(" ");
    assert.equal(number, Number(other), `${name}: other bits`);
    there.push(nanoseconds / 1000);
  }
  const ratios = here.map((time, round) => there[round] / time).sort((one, other) => one - other);
  const [low, median, high] = [0, ROUNDS >> 1, ROUNDS - 1].map((at) => ratios[at].toFixed(2));
  // The least time is that of the round which the rest of the machine disturbed least.
  const least = Math.min(...here);
  const best = (Math.min(...there) / least).toFixed(2);
  console.log(`${name}: ${median} (${low} to ${high}) of the speed of this machine's own code, ${best} by the least times; ${Math.round((count / least) * 1e6)} a second`);
}
