// The clocks of people: the server measures, the page shows how they run.

/** Seconds before the end of the time at which a sound warns. */
const WARNINGS = [30, 10, 5, 4, 3, 2, 1];
const TICK = 100;

/** Milliseconds after which a frozen page opens its game as after a reload. */
const LONGEST_FREEZE = 600_000;

/** The time left on a clock after `elapsed` seconds of a turn. */
export function left({ main, period, periods }, elapsed) {
  if (elapsed < main) return { seconds: main - elapsed, periods, last: period === 0 || periods === 0 };
  if (period === 0) return { seconds: 0, periods: 0, last: true };
  const over = elapsed - main;
  const used = Math.floor(over / period);
  if (used >= periods) return { seconds: 0, periods: 0, last: true };
  return { seconds: period - (over % period), periods: periods - used, last: periods - used === 1, overtime: true };
}

function clockText({ seconds, periods, overtime }) {
  const whole = Math.ceil(seconds);
  const text = seconds < 10 ? seconds.toFixed(1) : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
  return overtime ? `${text} (${periods})` : text;
}

export class ClockFaces {
  #event = null;
  #since = 0;
  #timer = null;
  #warned = null;
  #flagged = false;
  #ticked = 0;

  /** Called when the page was frozen for long. */
  onThaw = () => {};

  constructor(model, actions, sounds) {
    this.model = model;
    this.actions = actions;
    this.sounds = sounds;
    model.on("game position ended", () => this.#draw());
    model.on("connection", () => !model.connected && this.show(null));
  }

  /** Takes a `clock` event; null without a clock. */
  show(event) {
    if (event?.running !== this.#event?.running) this.#warned = null;
    this.#event = event;
    this.#flagged = false;
    this.#since = performance.now() - 1000 * (event?.elapsed ?? 0);
    this.model.lostOnTime = event?.lost ?? null;
    clearInterval(this.#timer);
    this.#ticked = Date.now();
    if (event?.running && !event.paused) this.#timer = setInterval(() => this.#tick(), TICK);
    this.#draw();
  }

  spent() {
    const event = this.#event;
    return event?.paused ? event.elapsed : (performance.now() - this.#since) / 1000;
  }

  #now(color) {
    const event = this.#event;
    return left(event[color], event.running === color ? this.spent() : 0);
  }

  #tick() {
    const { running } = this.#event;
    const frozen = Date.now() - this.#ticked > LONGEST_FREEZE;
    this.#ticked = Date.now();
    if (frozen) {
      this.onThaw();
      return;
    }
    const now = this.#now(running);
    this.#warn(now);
    if (now.seconds === 0 && !this.#flagged) {
      this.#flagged = true;
      this.actions.request("flag").catch(() => {});
    }
    this.#draw();
  }

  #warn({ seconds, last, periods }) {
    const next = WARNINGS.filter((each) => each >= Math.ceil(seconds)).at(-1);
    const name = `${periods} ${next}`;
    if (next === undefined || Math.ceil(seconds) !== next || name === this.#warned) return;
    this.#warned = name;
    if (next <= 10 || last) this.sounds.play(next <= 5 ? "second" : "low");
  }

  #draw() {
    for (const face of document.querySelectorAll(".player .clock")) {
      const color = face.closest(".player").dataset.color;
      face.hidden = !this.#event;
      if (!this.#event) continue;
      const now = this.#now(color);
      face.textContent = this.#event.lost === color ? "0:00" : clockText(now);
      face.classList.toggle("running", this.#event.running === color && !this.#event.paused);
      face.classList.toggle("short", now.seconds <= 10 && (now.last || Boolean(now.overtime)));
    }
  }
}
