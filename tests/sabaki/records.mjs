// Records as Sabaki's own modules read and show them; see README.md.
import Module from 'node:module'
import {join} from 'node:path'
import {Referee, fail, random} from './common.mjs'

const {SABAKI} = process.env
const games = +(process.env.GAMES ?? 3)

// The environment of the modules in Sabaki's window.
const electron = {ipcRenderer: {on() {}, send() {}, invoke: async () => {}}}
const load = Module._load
Module._load = function (request, ...rest) {
  return request === 'electron' ? electron : load.call(this, request, ...rest)
}
globalThis.window = {sabaki: {setting: {get: () => null}}}

const sgf = await import(join(SABAKI, 'src/modules/fileformats/sgf.js'))
const gametree = await import(join(SABAKI, 'src/modules/gametree.js'))

// Rows and columns, and how many turns.
const boards = [
  ['go', '9', 120],
  ['stoical', '7x9', 100],
  ['no', '9', 40],
  ['go-san', '9', 80],
  ['tao', '9', 100],
  ['sygo', '9', 30],
  ['2.5d', '5', 60],
]

class Engine extends Referee {
  async ask(line) {
    const answer = await super.ask(line)
    if (!answer.startsWith('=')) fail(`${line}: ${answer}`)
    return answer.slice(2)
  }
}

// Plays at random; the positions from the start on.
async function play(engine, turns) {
  const states = [JSON.parse(await engine.ask('kawari-state'))]
  while (states.length <= turns) {
    const color = states.at(-1).to_move[0]
    const legal = (await engine.ask(`kawari-legal ${color}`)).split('\n').filter((line) => line)
    if (legal.length === 0) break
    // Few nukes, or the board is soon empty for ever.
    const rare = (turn) => /^(nuke|pass)/.test(turn) && random(12) > 0
    const some = legal.filter((turn) => !rare(turn))
    const from = some.length > 0 ? some : legal
    const [word, ...rest] = from[random(from.length)].split(' ')
    await engine.ask(rest.length > 0 ? [word, color, ...rest].join(' ') : `play ${color} ${word}`)
    states.push(JSON.parse(await engine.ask('kawari-state')))
  }
  return states
}

// Compares what Sabaki shows at a node with a position.
function look(board, state, label) {
  const signs = {X: 1, O: -1}
  state.board.forEach((row, y) => {
    ;[...row].forEach((cell, x) => {
      const shown = board.signMap[y]?.[x]
      if (shown !== (signs[cell] ?? 0)) fail(`${label}: ${cell} at ${x} ${y} is shown as ${shown}`)
      const marked = board.markers[y][x] != null
      if (/[+*]/.test(cell) && !marked) fail(`${label}: ${cell} at ${x} ${y} has no mark`)
    })
  })
}

for (const [id, size, turns] of boards) {
  const engine = new Engine(['--variant', id, '--size', size])
  let nodes = 0
  for (let game = 1; game <= games; game++) {
    await engine.ask('clear_board')
    const states = await play(engine, turns)
    const [tree, ...others] = sgf.parse(await engine.ask('printsgf'))
    const line = [...tree.listNodesHorizontally(tree.root.id, 1, {})]
    const label = `${id}, game ${game}`
    if (others.length > 0 || line.length !== states.length) {
      fail(`${label}: ${line.length} nodes for ${states.length} positions`)
    }
    line.forEach((node, number) =>
      look(gametree.getBoard(tree, node.id), states[number], `${label}, node ${number}`),
    )
    nodes += line.length
  }
  console.log(`${id}: ${games} games, ${nodes} nodes as they ought to be`)
  engine.process.stdin.end()
}
process.exit(0)
