import assert from 'node:assert/strict'
import { Fault } from './fault.ts'
import { patiently } from './patiently.ts'

/** Each pause takes what it says, on a clock of the test's own. */
const rig = (silentMs: number | null) => {
  let at = 0
  const warned: string[] = []
  const stopping = new AbortController()
  const pause = async (ms: number): Promise<void> => {
    at += ms
  }
  const patience = {
    log: { warn: ({ reason }: { reason: string }, text: string) => void warned.push(`${text}: ${reason}`) } as never,
    stopping: stopping.signal,
    pause,
    ...(silentMs !== null && { most: { silentMs, elapsedMs: () => at } }),
  }
  return { patience, warned, stopping, elapsedMs: () => at }
}

const away = async (): Promise<never> => {
  throw new Fault('unavailable', 'Away.', { cause: new Error('refused') })
}

describe('waiting for what a process needs', () => {
  it('is over after so long, with the last reason', async () => {
    const { patience, warned, elapsedMs } = rig(60_000)
    const told = { code: 'unavailable', message: 'Waited 60 s for It in vain.', cause: new Error('refused') }
    await assert.rejects(patiently('It', patience, away), told)
    assert.equal(elapsedMs(), 60_000)
    assert.equal(warned[0], "It doesn't answer yet; trying again: refused")
  })

  it('goes on while it answers and only takes long', async () => {
    const { patience, elapsedMs } = rig(60_000)
    const open = async () => (elapsedMs() < 600_000 ? away() : 'there')
    assert.equal(await patiently('It', patience, open, async () => elapsedMs() > 30_000), 'there')
  })

  it('goes on for ever where nobody said how long', async () => {
    const { patience, warned } = rig(null)
    const open = async () => (warned.length < 10_000 ? away() : 'there')
    assert.equal(await patiently('It', patience, open), 'there')
  })

  it('is over at once for any other refusal, and when the process is to stop', async () => {
    const { patience, stopping } = rig(60_000)
    const refused = new Fault('forbidden', 'No.')
    await assert.rejects(
      patiently('It', patience, async () => {
        throw refused
      }),
      refused,
    )
    stopping.abort()
    await assert.rejects(patiently('It', patience, away), { cause: stopping.signal })
  })
})
