import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { compiledIn, root } from '../support/project.ts'
import { skip } from '../support/skip.ts'
import { makeDataDirectory, removeDataDirectory, runStandalone, startStandalone } from '../support/standalone.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { check, faultless } from './check.ts'
import { evidence, markedMail, sendOnce, untilDrained } from './recorder.ts'
import { openRig, type Rig } from './rig.ts'

type SmallDisk = { directory: string; unmount(): void }

const mounted = (mount: (directory: string) => void, cleanUp = (): void => {}): SmallDisk | null => {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-disk-'))
  const unmount = (): void => {
    execFileSync('umount', ['-l', directory])
    rmdirSync(directory)
    cleanUp()
  }
  try {
    mount(directory)
    return { directory, unmount }
  } catch {
    rmdirSync(directory)
    cleanUp()
    return null
  }
}

const run = (command: string, ...args: string[]): void => void execFileSync(command, args, { stdio: 'ignore' })

/** @returns null if this user may not mount */
const mountMemory = (): SmallDisk | null =>
  mounted((directory) => run('mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory))

/** An ext4 file system with blocks of 1 KiB, as small volumes have them. @returns null if this user may not mount it */
const mountSmallBlocks = (): SmallDisk | null => {
  const image = join(tmpdir(), `postrider-${randomUUID()}.img`)
  const mount = (directory: string): void => {
    writeFileSync(image, Buffer.alloc(8 * 2 ** 20))
    run('mkfs.ext4', '-q', '-b', '1024', '-m', '0', image)
    run('mount', '-o', 'loop', image, directory)
  }
  return mounted(mount, () => rmSync(image, { force: true }))
}

const noMount = 'a file system can only be mounted by root'

const remount = (directory: string, size: string): void => run('mount', '-o', `remount,size=${size}`, directory)

/** Writes a file until less than `leftBytes` are free. */
const fill = (directory: string, leftBytes = 0): string => {
  const path = join(directory, 'fill')
  const file = openSync(path, 'w')
  try {
    while (free(directory) > leftBytes) writeSync(file, Buffer.alloc(1_024))
  } catch {
    // The disk is full.
  } finally {
    closeSync(file)
  }
  return path
}

const free = (directory: string): number => {
  const { bavail, bsize } = statfsSync(directory)
  return bavail * bsize
}

const integrity = (data: string): unknown => {
  const database = new DatabaseSync(join(data, 'postrider.db'))
  try {
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check']
  } finally {
    database.close()
  }
}

const readyText = async (url: string): Promise<string> => (await fetch(new URL('/readyz', url))).text()

const fullMessage = 'disk is full, writes fail and reads continue'
const spaceMessage = 'disk space available, writes resumed'

const messages = (rig: Rig): unknown[] =>
  rig
    .service()
    .logs()
    .map((line) => line['msg'])

describe('disk that becomes full (I20)', () => {
  needsOwnProcess()
  let disk: SmallDisk | null = null

  before(function () {
    disk = mountMemory()
    if (disk === null) skip(this, noMount)
  })

  after(() => disk?.unmount())

  it('makes sends fail with 503 until there is space again, and reads succeed', async () => {
    assert.ok(disk !== null)
    const { directory } = disk
    await using rig = await openRig({ data: directory })
    const tenant = await rig.client.tenant()
    const filler = 'All work and no play makes a full disk.\n'.repeat(2_500)
    const sendFiller = (number: number) => {
      const mail = { ...markedMail(`full-${number}`, [`full${number}@receiver.example`]), text: filler }
      return sendOnce(rig, tenant, mail, number % 2 === 0 ? null : `full-${number}`)
    }

    let number = 0
    const statuses: (number | null)[] = []
    const refused: number[] = []
    while (refused.length < 6 && number < 500) {
      const status = await sendFiller(number)
      statuses.push(status)
      if (status !== 202) refused.push(number)
      number++
    }
    // A repeated key got 409, although its first request had a response.
    const keyed = refused.filter((one) => one % 2 === 1)
    assert.ok(keyed.length > 0)
    for (const one of [...keyed, ...keyed]) statuses.push(await sendFiller(one))
    assert.deepEqual(new Set(statuses.filter((status) => status !== 202)), new Set([503]))
    assert.ok(statuses.filter((status) => status === 202).length > 3)
    assert.equal((await tenant.api.call({ path: '/api/v1/emails' })).status, 200)
    assert.match(await readyText(rig.client.url), /"degraded","detail":"The disk is full/)
    // The process writes its log in the background: a response may arrive before the line.
    const isLogged = () => messages(rig).includes(fullMessage) || undefined
    await until('it logs that the disk is full', isLogged)

    remount(directory, '64m')
    await until('it accepts mail again', async () => ((await sendFiller(number++)) === 202 ? true : undefined))
    const isReady = async () => ((await readyText(rig.client.url)).includes('"ok"') ? true : undefined)
    for (const one of keyed) assert.equal(await sendFiller(one), 202)
    await until('it reports that writes succeed', isReady)
    await untilDrained(tenant)
    assert.deepEqual(check(await evidence(rig, tenant)), faultless)
    assert.equal(await rig.service().stop(), 0)
    // The log is complete when the process has ended.
    const lines = rig
      .service()
      .logs()
      .filter(({ level, msg }) => level === 'error' || level === 'warn' || msg === spaceMessage)
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      [fullMessage, spaceMessage],
    )
    assert.equal(integrity(directory), 'ok')
  })
})

const fullStart =
  /^The disk of .*\/data is full \(\d+ KiB free\)\. Free some space and start again with the same directory; stored mail is not damaged\.$/

const fileSystems = { 'in memory': mountMemory, 'with blocks of 1 KiB': mountSmallBlocks } as const

/** A start on this data directory, followed by a stop. @returns null, or why the start failed */
type Start = (data: string) => Promise<string | null>

const starterFile = fileURLToPath(new URL('starter.ts', import.meta.url))

/**
 * Provides a start in a process that makes all starts of the calling `describe`, because most of the CPU of a process
 * loads its code. It throws if the process ends, and the next start has another process.
 */
const useStarter = (): Start => {
  let starter: ChildProcess | null = null
  after(() => {
    if (starter?.connected) starter.disconnect()
  })
  return async (data) => {
    if (starter?.connected !== true) starter = fork(starterFile, { env: { ...process.env, ...compiledIn(root) } })
    const answered = new AbortController()
    const { signal } = answered
    const answer = once(starter, 'message', { signal }).then(([failure]) => failure as string | null)
    const ended = once(starter, 'exit', { signal }).then(([code, name]) => {
      throw new Error(`the start ended the process: ${name ?? code}`)
    })
    starter.send(data)
    return Promise.race([answer, ended]).finally(() => answered.abort())
  }
}

/**
 * Returns a function that makes the data of a process that was killed. Only the first call starts one, because a start
 * costs more than a test; the others get a copy.
 */
const useKilledData = () => {
  let saved = ''
  before(async () => {
    saved = await makeDataDirectory()
  })
  after(() => removeDataDirectory(saved))
  return async (data: string): Promise<void> => {
    if (readdirSync(saved).length > 0) return cpSync(saved, data, { recursive: true })
    mkdirSync(data)
    const first = await startStandalone({}, data)
    await first.kill9()
    cpSync(data, saved, { recursive: true })
  }
}

describe('start on a full disk', () => {
  needsOwnProcess()
  const start = useStarter()
  const makeExistingData = useKilledData()

  for (const [name, mount] of Object.entries(fileSystems))
    describe(name, () => {
      let disk: SmallDisk | null = null

      beforeEach(function () {
        disk = mount()
        if (disk === null) skip(this, noMount)
      })
      afterEach(() => disk?.unmount())

      it('reports a full disk for a new directory, and starts when there is space', async () => {
        const { directory } = disk ?? assert.fail()
        const data = join(directory, 'data')
        mkdirSync(data)
        const filled = fill(directory)
        assert.match(String(await start(data)), fullStart)
        rmSync(filled)
        assert.equal(await start(data), null)
      })

      // Each amount of space ends the start at another write. On blocks of 1 KiB it was once killed by SIGBUS.
      for (const left of [0, 14, 40]) {
        it(`keeps existing data with ${left} KiB free`, async () => {
          const { directory } = disk ?? assert.fail()
          const data = join(directory, 'data')
          await makeExistingData(data)
          const filled = fill(directory, left * 1_024)
          const failure = await start(data)
          if (failure !== null) assert.match(failure, fullStart)
          rmSync(filled)
          assert.equal(integrity(data), 'ok')
        })
      }
    })

  it('ends the process with code 1 and one line for operators', async function () {
    const disk = mountMemory()
    if (disk === null) return skip(this, noMount)
    try {
      fill(disk.directory)
      const { code, output } = await runStandalone({}, disk.directory)
      assert.equal(code, 1)
      assert.match(output, /^postrider: The disk of .* is full \(\d+ KiB free\)\. Free some space and start again/m)
      assert.doesNotMatch(output, /is damaged|another data directory|\bat \w+.*:\d+:\d+/)
    } finally {
      disk.unmount()
    }
  })
})
