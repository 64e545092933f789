// Helpers of the scripts here: the same random numbers every time, an engine.
import {spawn} from 'node:child_process'

// A generator that gives the same games every time (mulberry32).
let seed = +(process.env.SEED ?? 1)
export const random = (below) => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) % below
}

// An engine that receives whole turns on the variant's own board.
export class Referee {
  constructor(args) {
    this.process = spawn(process.env.KAWARI, args, {stdio: ['pipe', 'pipe', 'ignore']})
    this.waiting = []
    let text = ''
    this.process.stdout.on('data', (data) => {
      text += data
      let end
      while ((end = text.indexOf('\n\n')) >= 0) {
        this.waiting.shift()(text.slice(0, end))
        text = text.slice(end + 2)
      }
    })
  }
  ask(line) {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.process.stdin.write(`${line}\n`)
    })
  }
}

export const fail = (text) => {
  console.log(`FAILED: ${text}`)
  process.exit(1)
}
