// Loaded into a process by `--import`. It adds WRONG_CLOCK_MS to the wall clock. Each SIGUSR2 switches between that and
// WRONG_CLOCK_JUMP_MS. The monotonic clock (`performance.now`) is not changed, as on a machine whose clock is set
// wrong.
import process from 'node:process'

const trueNow = Date.now
const [errorMs = 0, jumpMs = errorMs] = ['WRONG_CLOCK_MS', 'WRONG_CLOCK_JUMP_MS'].map((name) =>
  Number(process.env[name] ?? 0),
)
let shiftMs = errorMs

const now = (): number => trueNow() + shiftMs

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
})

process.on('SIGUSR2', () => {
  shiftMs = shiftMs === errorMs ? jumpMs : errorMs
})
