import assert from 'node:assert/strict'
import { MongoServerError } from 'mongodb'
import { until } from '../../../../test/support/until.ts'
import { mongoClock, storeTime } from './clock.ts'

type Line = [level: 'info' | 'warn', line: Record<string, unknown>, text: string]

/** A store and a machine whose clocks stand still unless a test sets them. */
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
  const open = () => mongoClock({ db, log, wallNow: () => times.wall, monotonic: () => times.steady, everyMs })
  /** Resolves after the clock was read with the times as they are now. */
  const read = async () => {
    const before = commands.length
    await until('two more readings', () => (commands.length >= before + 2 ? true : undefined))
  }
  return { times, commands, lines, open, read }
}

describe('store clock', () => {
  it('returns the store time, and ignores a jump of the machine clock', async () => {
    const { times, open, read } = await rig()
    await using clock = await open()
    assert.equal(clock.now(), times.store)
    times.wall -= 600_000
    times.steady += 250
    assert.equal(clock.now(), times.store + 250)
    assert.equal(clock.skewMs(), -600_250)
    times.store += 250
    await read()
    assert.equal(clock.now(), times.store)
  })

  // Mail that was scheduled while a process started left 60 ms early.
  it('reads again at start after long round trips', async () => {
    const { times, commands, open } = await rig({ everyMs: 60_000, waysBackMs: [120, 80, 2, 90] })
    await using clock = await open()
    assert.equal(commands.length, 3)
    assert.ok(Math.abs(clock.now() - times.store) <= 1, `${clock.now() - times.store} ms off`)
  })

  it('starts after five readings even if every round trip was long', async () => {
    const { commands, open } = await rig({ everyMs: 60_000, waysBackMs: Array.from({ length: 9 }, () => 120) })
    await using clock = await open()
    assert.equal(commands.length, 5)
    assert.ok(clock.now() > 0)
  })

  it('uses isMaster with a server that does not support hello', async () => {
    const { commands, open, read } = await rig({ knowsHello: false })
    await using clock = await open()
    assert.ok(clock.now() > 0)
    await read()
    assert.deepEqual(commands.slice(0, 3), ['hello', 'isMaster', 'isMaster'])
  })

  it('continues while the store is unavailable, logs that once, and follows the store when it is back', async () => {
    const { times, lines, open, read } = await rig()
    await using clock = await open()
    const first = clock.now()
    times.away = true
    times.steady += 60_000
    await read()
    await read()
    assert.equal(clock.now(), first + 60_000)
    assert.deepEqual(
      lines.filter(([, , text]) => text.includes('cannot read')).map(([level]) => level),
      ['warn'],
    )
    times.away = false
    times.store = first + 61_000
    await read()
    assert.equal(clock.now(), first + 61_000)
  })

  it('throws unavailable if the first reading fails', async () => {
    const { times, open } = await rig()
    times.away = true
    await assert.rejects(open(), { code: 'unavailable' })
  })

  it('logs a skew of more than 30 s once for each change, and when it is over', async () => {
    const { times, lines, open, read } = await rig()
    await using clock = await open()
    for (const skew of [29_000, 31_000, 31_000, 59_000, 62_000, 20_000, 14_000]) {
      times.wall = times.store + skew
      await read()
      assert.equal(clock.skewMs(), skew)
    }
    const expected = [
      ['warn', 31_000],
      ['warn', 62_000],
      ['info', 14_000],
    ]
    assert.deepEqual(
      lines.map(([level, line]) => [level, line['skew_ms']]),
      expected,
    )
  })

  it('stops reading when it is closed', async () => {
    const { commands, open } = await rig()
    await (await open())[Symbol.asyncDispose]()
    const readings = commands.length
    const another = await rig()
    await using _ = await another.open()
    await another.read()
    assert.equal(commands.length, readings)
  })
})

/** A reading that took `tripMs`; the store's clock showed `storeMs` in the middle of it. */
const reading = (at: number, storeMs: number, tripMs = 2) => ({
  sentAt: at - tripMs / 2,
  receivedAt: at + tripMs / 2,
  storeMs,
})

describe('store time', () => {
  it('advances with the monotonic clock between readings', () => {
    const time = storeTime()
    time.add(reading(100, 1_000_000))
    assert.equal(time.at(100), 1_000_000)
    assert.equal(time.at(150.9), 1_000_050)
    assert.equal(time.at(3_600_100), 4_600_000, 'an hour without a reading')
  })

  it('uses the reading with the shortest round trip', () => {
    const time = storeTime()
    time.add(reading(100, 1_000_000, 2))
    time.add(reading(10_100, 1_010_400, 900))
    assert.equal(time.at(10_100), 1_010_000)
    time.add(reading(20_100, 1_020_001, 1))
    assert.equal(time.at(20_100), 1_020_001)
  })

  it('drops a reading after a minute', () => {
    const time = storeTime()
    time.add(reading(0, 1_000_000, 1))
    for (let count = 1; count <= 5; count++) time.add(reading(count * 10_000, 1_000_000 + count * 10_000 + 20, 10))
    assert.equal(time.at(50_000), 1_050_000)
    time.add(reading(60_000, 1_060_020, 10))
    assert.equal(time.at(60_000), 1_060_020)
  })

  it('follows a step forward of the store clock', () => {
    const time = storeTime()
    time.add(reading(0, 1_000_000, 1))
    time.add(reading(10_000, 1_610_000, 8))
    assert.equal(time.at(10_000), 1_610_000)
  })

  it('stops after a small step back until the store has caught up', () => {
    const time = storeTime()
    time.add(reading(0, 1_000_000))
    assert.equal(time.at(10_000), 1_010_000)
    time.add(reading(10_000, 1_006_000))
    assert.equal(time.at(10_000), 1_010_000)
    assert.equal(time.at(13_999), 1_010_000)
    assert.equal(time.at(14_001), 1_010_001)
  })

  it('follows a large step back', () => {
    const time = storeTime()
    time.add(reading(0, 1_000_000))
    assert.equal(time.at(10_000), 1_010_000)
    time.add(reading(10_000, 410_000))
    assert.equal(time.at(10_000), 410_000)
    assert.equal(time.at(10_005), 410_005)
  })
})
