import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skip } from '../support/skip.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { markedMail } from './recorder.ts'
import { openRig, type Rig } from './rig.ts'

const canTrace = (): boolean => {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

type Step = 'requested' | 'synced' | 'accepted'

/** Returns the steps of a traced process in order. A call that strace shows in two parts counts where it resumes. */
const stepsIn = (trace: string): Step[] =>
  trace.split('\n').flatMap((line): Step[] => {
    if (/\b(read|recvfrom|readv)(\(| resumed>).*"POST \/api\/v1\/emails /.test(line)) return ['requested']
    if (/\b(fsync|fdatasync)(\(\d+\)| resumed>\)) *= 0$/.test(line)) return ['synced']
    return /\b(write|writev|sendto|sendmsg)\(.*"HTTP\/1\.1 202 /.test(line) ? ['accepted'] : []
  })

/** Returns the disk and network calls of a process during `work`. */
const traced = async (pid: number, work: () => Promise<void>): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-strace-'))
  const file = join(directory, 'trace')
  const calls = 'trace=fsync,fdatasync,read,readv,recvfrom,write,writev,sendto,sendmsg'
  const strace = spawn('strace', ['-f', '-s', '64', '-e', calls, '-o', file, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  strace.stderr.on('data', (chunk) => {
    output += chunk
  })
  await until('strace is attached', () => (output.includes('attached') ? true : undefined))
  await work()
  strace.kill('SIGINT')
  await once(strace, 'exit')
  const text = readFileSync(file, 'latin1')
  rmSync(directory, { recursive: true })
  return text
}

describe('response 202 (I21)', () => {
  needsOwnProcess()
  let rig: Rig | undefined

  before(async function () {
    if (!canTrace()) skip(this, 'strace is not installed, or is not allowed to trace')
    rig = await openRig()
  })
  after(() => rig?.[Symbol.asyncDispose]())

  it('is found in traces in the right order with requests and syncs', () => {
    const trace = [
      '7 read(20, "POST /api/v1/emails HTTP/1.1\\r\\nHos"..., 65536) = 4711',
      '7 fdatasync(19 <unfinished ...>',
      '8 write(3, "x", 1) = 1',
      '7 <... fdatasync resumed>)          = 0',
      '7 writev(20, [{iov_base="HTTP/1.1 202 Accepted\\r\\nX-Re"..., iov_len=612}], 2) = 700',
    ]
    assert.deepEqual(stepsIn(trace.join('\n')), ['requested', 'synced', 'accepted'])
    assert.deepEqual(stepsIn('7 fdatasync(19) = -1 EIO (Input/output error)'), [])
    assert.deepEqual(stepsIn('7 <... read resumed>"POST /api/v1/emails HTTP/1.1"..., 65536) = 4711'), ['requested'])
  })

  it('follows a sync that began after its request', async () => {
    assert.ok(rig !== undefined)
    const tenant = await rig.client.tenant()
    // Scheduled mail is not delivered during the test, so every sync belongs to an acceptance.
    const mail = (n: number) =>
      markedMail(`sync-${n}`, [`sync${n}@receiver.example`], {
        scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
      })
    const trace = await traced(rig.service().pid, async () => {
      for (let n = 0; n < 30; n++) assert.equal((await tenant.send(mail(n))).status, 202)
    })
    const steps = stepsIn(trace)
    assert.equal(steps.filter((step) => step === 'accepted').length, 30)
    for (const [index, step] of steps.entries()) {
      if (step !== 'accepted') continue
      const since = steps.slice(steps.lastIndexOf('requested', index), index)
      assert.ok(since.includes('synced'), `a 202 was sent without a sync: ${since.join(', ')}`)
    }
  })

  it('shares a sync with other requests under load, and all of them precede it', async () => {
    assert.ok(rig !== undefined)
    const tenant = await rig.client.tenant()
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString()
    const trace = await traced(rig.service().pid, async () => {
      for (let n = 0; n < 5; n++) {
        const mails = Array.from({ length: 16 }, (_, m) =>
          markedMail(`group-${n}-${m}`, [`group${n}.${m}@receiver.example`], { scheduled_at }),
        )
        const responses = await Promise.all(mails.map((mail) => tenant.send(mail)))
        assert.ok(responses.every(({ status }) => status === 202))
      }
    })
    const steps = stepsIn(trace)
    for (const [index, step] of steps.entries()) {
      if (step !== 'accepted') continue
      const last = steps.lastIndexOf('synced', index)
      const requestedBeforeSync = steps.slice(0, Math.max(last, 0)).filter((one) => one === 'requested').length
      const acceptedByNow = steps.slice(0, index + 1).filter((one) => one === 'accepted').length
      assert.ok(acceptedByNow <= requestedBeforeSync, 'more 202s than requests before the last sync')
    }
  })
})
