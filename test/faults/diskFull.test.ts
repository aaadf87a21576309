import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { skip } from '../support/skip.ts'
import { needsOwnProcess } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { check, faultless } from './check.ts'
import { evidence, markedMail, sendOnce, untilDrained } from './recorder.ts'
import { openRig } from './rig.ts'

/** Mounts a small disk. @returns its folder, or null if this user may not mount */
const mountSmallDisk = (): string | null => {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', directory], { stdio: 'ignore' })
    return directory
  } catch {
    rmdirSync(directory)
    return null
  }
}

const remount = (directory: string, size: string): void =>
  void execFileSync('mount', ['-o', `remount,size=${size}`, directory])

const integrity = (data: string): unknown => {
  const database = new DatabaseSync(join(data, 'postrider.db'))
  try {
    return database.prepare('PRAGMA integrity_check').get()?.['integrity_check']
  } finally {
    database.close()
  }
}

describe('full disk (I20)', () => {
  needsOwnProcess()
  let disk: string | null = null

  before(function () {
    disk = mountSmallDisk()
    if (disk === null) skip(this, 'a tmpfs can only be mounted by root')
  })

  after(() => {
    if (disk === null) return
    execFileSync('umount', ['-l', disk])
    rmdirSync(disk)
  })

  it('makes sends fail with 503 until there is space again, and reads succeed', async function () {
    this.timeout(90_000)
    assert.ok(disk !== null)
    await using rig = await openRig({ data: disk })
    const tenant = await rig.client.tenant()
    const filler = 'All work and no play makes a full disk.\n'.repeat(2_500)
    const sendFiller = (number: number) =>
      sendOnce(rig, tenant, { ...markedMail(`full-${number}`, [`full${number}@receiver.example`]), text: filler }, null)

    let number = 0
    const statuses: (number | null)[] = []
    while (statuses.filter((status) => status !== 202).length < 5 && number < 500)
      statuses.push(await sendFiller(number++))
    assert.deepEqual(new Set(statuses.filter((status) => status !== 202)), new Set([503]))
    assert.ok(statuses.filter((status) => status === 202).length > 3)
    assert.equal((await tenant.api.call({ path: '/api/v1/emails' })).status, 200)

    remount(disk, '64m')
    await until('it accepts mail again', async () => ((await sendFiller(number++)) === 202 ? true : undefined), 20_000)
    await untilDrained(tenant, 40_000)
    assert.deepEqual(check(await evidence(rig, tenant)), faultless)
    assert.equal(await rig.service().stop(), 0)
    assert.equal(integrity(disk), 'ok')
  })
})
