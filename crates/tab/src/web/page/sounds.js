// Sounds of the game, made by WebAudio without files. A browser allows sound only after the first
// click or key.

import { kept } from "./model.js";

const OF_CONSEQUENCE = { place: "stone", flip: "capture", remove: "capture", solid: "void", pass: "pass", end: "end" };
const PAUSE = 0.13;

/** Stones on wood: seconds after the begin, hertz, loudness. */
const KNOCKS = {
  stone: [[0, 1900, 0.5]],
  capture: [[0, 2400, 0.25], [0.055, 2150, 0.25], [0.11, 1900, 0.25]],
};

/** Start in seconds, first and last hertz, seconds, loudness, wave. `low` and `second` are of a clock. */
const TONES = {
  void: [[0, [170, 42], 0.55, 0.4, "sine"]],
  pass: [[0, [520, 520], 0.09, 0.12, "triangle"], [0.11, [390, 390], 0.14, 0.12, "triangle"]],
  end: [392, 494, 587].map((tone, index) => [0.1 * index, [tone, tone], 0.3, 0.1, "triangle"]),
  low: [[0, [740, 740], 0.16, 0.14, "square"]],
  second: [[0, [980, 980], 0.06, 0.1, "square"]],
};

/** Sounds; their names are published as the topic `sound`. */
export class Sounds {
  #context = null;
  #noise = null;

  constructor(model, button) {
    this.model = model;
    this.on = kept.read("sound", (on) => typeof on === "boolean") ?? true;
    const begin = () => this.#begin();
    for (const event of ["pointerdown", "keydown"]) document.addEventListener(event, begin, { once: true, capture: true });
    const show = () => button.setAttribute("aria-pressed", String(this.on));
    button.addEventListener("click", () => {
      this.on = !this.on;
      kept.write("sound", this.on);
      show();
      if (this.on) this.play("stone");
    });
    show();
  }

  #begin() {
    try {
      this.#context = new AudioContext();
    } catch {
      // A browser without sound is silent.
    }
  }

  ofTurn(consequences) {
    const names = [...new Set((consequences ?? []).map(({ kind }) => OF_CONSEQUENCE[kind]).filter(Boolean))];
    names.forEach((name, index) => this.play(name, index * PAUSE));
  }

  /** Plays a sound by its name, `after` some seconds. */
  play(name, after = 0) {
    if (!this.on) return;
    this.model.emit("sound", name);
    if (!this.#context) return;
    if (this.#context.state === "suspended") this.#context.resume().catch(() => {});
    const at = this.#context.currentTime + 0.005 + after;
    for (const [later, ...knock] of KNOCKS[name] ?? []) this.#knock(at + later, ...knock);
    for (const [later, ...tone] of TONES[name] ?? []) this.#tone(at + later, ...tone);
  }

  /** A stone that meets wood: a burst of noise and the wood below it. */
  #knock(at, frequency, loudness) {
    const context = this.#context;
    this.#noise ??= this.#newNoise();
    const source = context.createBufferSource();
    source.buffer = this.#noise;
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    filter.frequency.value = frequency;
    filter.Q.value = 1.4;
    this.#fade(source.connect(filter), at, loudness, 0.06);
    source.start(at);
    source.stop(at + 0.08);
    this.#tone(at, [230, 120], 0.07, 0.5 * loudness, "sine");
  }

  #newNoise() {
    const { sampleRate } = this.#context;
    const buffer = this.#context.createBuffer(1, sampleRate / 10, sampleRate);
    const samples = buffer.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = 2 * Math.random() - 1;
    return buffer;
  }

  #tone(at, [from, to], length, loudness, type) {
    const oscillator = this.#context.createOscillator();
    oscillator.type = type;
    oscillator.frequency.setValueAtTime(from, at);
    oscillator.frequency.exponentialRampToValueAtTime(to, at + length);
    this.#fade(oscillator, at, loudness, length);
    oscillator.start(at);
    oscillator.stop(at + length + 0.02);
  }

  #fade(node, at, loudness, length) {
    const gain = this.#context.createGain();
    gain.gain.setValueAtTime(0.0001, at);
    gain.gain.exponentialRampToValueAtTime(loudness, at + 0.004);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
    node.connect(gain).connect(this.#context.destination);
  }
}
