import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { releaseIdleMemory } from './idleMemory.ts'

const mebibyte = 2 ** 20

type Sample = { mebibytes: number; busy?: number }

describe('release of idle memory', () => {
  /** Runs a check for each sample, in MiB of buffers. @returns the numbers of the checks that collected */
  const collections = async (samples: readonly Sample[], freedTo = 18): Promise<number[]> => {
    const collected: number[] = []
    const done = Promise.withResolvers<void>()
    let check = -1
    let held = 0
    const alive = setInterval(() => {}, 1_000)
    await using _release = releaseIdleMemory({
      // Each check asks for this first.
      busyShare: () => {
        check += 1
        const sample = samples[check]
        held = sample?.mebibytes ?? 0
        if (sample === undefined) done.resolve()
        return sample?.busy ?? 0.01
      },
      bufferBytes: () => held * mebibyte,
      collect: () => {
        collected.push(check)
        held = Math.min(held, freedTo)
      },
      everyMs: 0,
    })
    await done.promise
    clearInterval(alive)
    return collected
  }

  it('collects once when much memory is held by an idle process', async () => {
    assert.deepEqual(await collections([{ mebibytes: 18 }, { mebibytes: 106 }, { mebibytes: 18 }]), [1])
  })

  it('does not collect while the process is busy', async () => {
    assert.deepEqual(await collections([{ mebibytes: 106, busy: 0.5 }, { mebibytes: 106 }]), [1])
  })

  it('does not collect again what a collection did not free', async () => {
    const used = { mebibytes: 106 }
    assert.deepEqual(await collections([used, used, used, { mebibytes: 180 }], 106), [0, 3])
  })

  it('frees buffers that nothing uses any more', () => {
    const script = `
      import { releaseIdleMemory } from ${JSON.stringify(new URL('idleMemory.ts', import.meta.url).href)}
      const held = () => process.memoryUsage().arrayBuffers / 2 ** 20
      // Large buffers that have survived young collections are only freed by a full one.
      let large = Array.from({ length: 20 }, () => Buffer.alloc(8 * 2 ** 20))
      const before = held()
      large = []
      await using release = releaseIdleMemory({ everyMs: 0, busyShare: () => 0 })
      while (held() > before / 10) await new Promise((done) => setTimeout(done, 5))
      console.log(typeof globalThis.gc)`
    // Without Maglev, with which Node does not always exit (nodejs/node#54918).
    const output = execFileSync(process.execPath, ['--no-maglev', '--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    assert.equal(output.trim(), 'undefined')
  })
})
