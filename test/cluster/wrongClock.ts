// Given to a process by `--import`: its wall clock is off by WRONG_CLOCK_MS, and by WRONG_CLOCK_JUMP_MS instead from one
// SIGUSR2 to the next. The clock that nobody sets (CLOCK_MONOTONIC, `performance.now`) stays right, as it does on a machine
// that was set wrongly.
import process from 'node:process'

const trueNow = Date.now
const [usual = 0, jump = usual] = ['WRONG_CLOCK_MS', 'WRONG_CLOCK_JUMP_MS'].map((name) =>
  Number(process.env[name] ?? 0),
)
let shiftMs = usual

const now = (): number => trueNow() + shiftMs

globalThis.Date = new Proxy(Date, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made) as Date,
  get: (target, name, asked) => (name === 'now' ? now : Reflect.get(target, name, asked)),
})

process.on('SIGUSR2', () => {
  shiftMs = shiftMs === usual ? jump : usual
})
