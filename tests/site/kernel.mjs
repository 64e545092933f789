// The engine as a module of WebAssembly in node against the same code on this machine: the same
// bits, and how much longer it takes, by processor seconds.
//
//   node tests/site/kernel.mjs kawari_measure.wasm [kawari-measure]
//
// Without the program of this machine, bits alone are compared, those of the kernels of nets.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [file, program] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(file));
const engine = instance.exports;

assert.equal(engine.sets_with_the_same_bits(), 1, "the kernel differs from the plain one");
console.log("nets: the kernel of WebAssembly has the bits of the plain one");
if (!program) process.exit();

for (const [name, count] of [
  ["playouts", 20_000],
  ["searches", 400],
  ["searches_with_nets", 100],
  ["evaluations", 2000],
]) {
  // The browser's compiler is done with what was often called.
  engine[name](Math.ceil(count / 4));
  const ratios = [];
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    const here = engine[name](count) >>> 0;
    const { user, system } = process.cpuUsage(before);
    const [there, nanoseconds] = execFileSync(program, [name, String(count)], { encoding: "utf8" }).trim().split(" ");
    assert.equal(here, Number(there), `${name}: other bits`);
    ratios.push(nanoseconds / 1000 / (user + system));
    if (name === "evaluations") console.log(`${Math.round((count / (user + system)) * 1e6)} evaluations a second`);
  }
  console.log(`${name}: ${ratios.map((ratio) => ratio.toFixed(2)).join(", ")} of the speed of this machine's own code`);
}
