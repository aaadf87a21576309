import assert from 'node:assert/strict'
import { MongoServerError } from 'mongodb'
import { until } from '../../../../test/support/until.ts'
import { mongoClock } from './clock.ts'

type Line = [level: 'info' | 'warn', line: Record<string, unknown>, text: string]

/** A store whose clock stands where the test puts it, beside a machine whose clocks do too. */
const rig = async ({ knowsHello = true, everyMs = 1, waysBackMs = [] as number[] } = {}) => {
  const times = { store: 1_700_000_000_000, wall: 1_700_000_000_000, steady: 500, away: false }
  const commands: string[] = []
  const lines: Line[] = []
  const note = (level: Line[0]) => (line: object, text: string) => void lines.push([level, { ...line }, text])
  const db = {
    command: async (command: object) => {
      const [name] = Object.keys(command)
      commands.push(name ?? '')
      if (times.away) throw new MongoServerError({ code: 91, message: 'shutting down' })
      if (name === 'hello' && !knowsHello) throw new MongoServerError({ code: 59, message: 'no such command' })
      const localTime = new Date(times.store)
      const wayMs = waysBackMs.shift() ?? 0
      times.steady += wayMs
      times.store += wayMs
      return { localTime }
    },
  }
  const log = { info: note('info'), warn: note('warn') } as unknown as Parameters<typeof mongoClock>[0]['log']
  const open = () => mongoClock({ db, log, now: () => times.wall, steadyNow: () => times.steady, everyMs })
  /** Resolves when the store was looked at with the times as they are now. */
  const looked = async () => {
    const before = commands.length
    await until('two more looks', () => (commands.length >= before + 2 ? true : undefined))
  }
  return { times, commands, lines, open, looked }
}

describe('the clock of a cluster', () => {
  it('tells the store’s time, and a jump of the machine’s own clock changes nothing', async () => {
    const { times, open, looked } = await rig()
    await using clock = await open()
    assert.equal(clock.now(), times.store)
    times.wall -= 600_000
    times.steady += 250
    assert.equal(clock.now(), times.store + 250)
    assert.equal(clock.skewMs(), -600_250)
    times.store += 250
    await looked()
    assert.equal(clock.now(), times.store)
  })

  // Mail that was scheduled while a process was starting left 60 ms early.
  it('is looked at again by a process whose start kept the answer waiting', async () => {
    const { times, commands, open } = await rig({ everyMs: 60_000, waysBackMs: [120, 80, 2, 90] })
    await using clock = await open()
    assert.equal(commands.length, 3)
    assert.ok(Math.abs(clock.now() - times.store) <= 1, `${clock.now() - times.store} ms off`)
  })

  it('starts with what it has where every answer is late', async () => {
    const { commands, open } = await rig({ everyMs: 60_000, waysBackMs: Array.from({ length: 9 }, () => 120) })
    await using clock = await open()
    assert.equal(commands.length, 5)
    assert.ok(clock.now() > 0)
  })

  it('asks a server that doesn’t know `hello` by its older name', async () => {
    const { commands, open, looked } = await rig({ knowsHello: false })
    await using clock = await open()
    assert.ok(clock.now() > 0)
    await looked()
    assert.deepEqual(commands.slice(0, 3), ['hello', 'isMaster', 'isMaster'])
  })

  it('goes on while the store is away, says so once, and follows it when it is back', async () => {
    const { times, lines, open, looked } = await rig()
    await using clock = await open()
    const first = clock.now()
    times.away = true
    times.steady += 60_000
    await looked()
    await looked()
    assert.equal(clock.now(), first + 60_000)
    assert.deepEqual(
      lines.filter(([, , text]) => text.includes('can’t tell')).map(([level]) => level),
      ['warn'],
    )
    times.away = false
    times.store = first + 61_000
    await looked()
    assert.equal(clock.now(), first + 61_000)
  })

  it('without a first answer there is no clock', async () => {
    const { times, open } = await rig()
    times.away = true
    await assert.rejects(open(), { code: 'unavailable' })
  })

  it('a skew of more than 30 s is told once for each change, and when it is over', async () => {
    const { times, lines, open, looked } = await rig()
    await using clock = await open()
    const told = () => lines.map(([level, line]) => [level, line['skew_ms']])
    for (const skew of [29_000, 31_000, 31_000, 59_000, 62_000, 20_000, 14_000]) {
      times.wall = times.store + skew
      await looked()
      assert.equal(clock.skewMs(), skew)
    }
    const expected = [
      ['warn', 31_000],
      ['warn', 62_000],
      ['info', 14_000],
    ]
    assert.deepEqual(told(), expected)
  })

  it('asks no more once it is closed', async () => {
    const { commands, open } = await rig()
    await (await open())[Symbol.asyncDispose]()
    const asked = commands.length
    const another = await rig()
    await using _ = await another.open()
    await another.looked()
    assert.equal(commands.length, asked)
  })
})
