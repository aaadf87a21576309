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
    let used = 0
    const alive = setInterval(() => {}, 1_000)
    await using _release = releaseIdleMemory({
      // Each check reads this first.
      busyShare: () => {
        check += 1
        const sample = samples[check]
        used = sample?.mebibytes ?? 0
        if (sample === undefined) done.resolve()
        return sample?.busy ?? 0.01
      },
      bufferBytes: () => used * mebibyte,
      collect: () => {
        collected.push(check)
        used = Math.min(used, freedTo)
      },
      everyMs: 0,
    })
    await done.promise
    clearInterval(alive)
    return collected
  }

  it('collects once when an idle process has much memory in buffers', async () => {
    assert.deepEqual(await collections([{ mebibytes: 18 }, { mebibytes: 106 }, { mebibytes: 18 }]), [1])
  })

  it('does not collect while the process is busy', async () => {
    assert.deepEqual(await collections([{ mebibytes: 106, busy: 0.5 }, { mebibytes: 106 }]), [1])
  })

  it('does not collect again what a collection did not free', async () => {
    const used = { mebibytes: 106 }
    assert.deepEqual(await collections([used, used, used, { mebibytes: 180 }], 106), [0, 3])
  })

  // A collection of V8 itself may free most of them before the first check, and then no check is worth another one:
  // until a tenth was left, the test waited for minutes.
  it('frees buffers that nothing uses any more', () => {
    const script = `
      import { endNow } from ${JSON.stringify(new URL('endProcess.ts', import.meta.url).href)}
      import { releaseIdleMemory } from ${JSON.stringify(new URL('idleMemory.ts', import.meta.url).href)}
      const used = () => process.memoryUsage().arrayBuffers / 2 ** 20
      // Large buffers that have survived young collections are only freed by a full one.
      let large = Array.from({ length: 20 }, () => Buffer.alloc(8 * 2 ** 20))
      large = []
      const alive = setInterval(() => {}, 1_000)
      const checked = Promise.withResolvers()
      let checks = 0
      const busyShare = () => {
        checks += 1
        if (checks === 10) checked.resolve()
        return 0
      }
      await using release = releaseIdleMemory({ everyMs: 0, busyShare })
      await checked.promise
      console.log(used() < 64, typeof globalThis.gc)
      endNow()`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 240_000,
    })
    assert.equal(output.trim(), 'true undefined')
  })
})
