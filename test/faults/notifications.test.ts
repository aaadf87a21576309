import assert from 'node:assert/strict'
import { fresh, rawMail } from '../support/client.ts'
import { type ClockedSystem, clockedSystem, minutes } from './clockedSystem.ts'

const subjectOf = (raw: Buffer): string => /^Subject: (.*)$/m.exec(raw.toString('latin1'))?.[1]?.trim() ?? ''

/** Lets the emails that are due reach their members. @returns the subjects of those to an address, oldest first */
const notified = async (system: ClockedSystem, address: string): Promise<string[]> => {
  await system.notify()
  await system.drain()
  return system.sink.messages.filter(({ to }) => to.includes(address)).map(({ raw }) => subjectOf(raw))
}

const withoutConfirmation = (subjects: string[]): string[] =>
  subjects.filter((subject) => !subject.startsWith('Confirm'))

describe('notifications over time', () => {
  it('are an email immediately, and a digest an hour later', async () => {
    await using system = await clockedSystem()
    const tenant = await system.client.tenant({ monthly: 10 })
    const mails = async () => withoutConfirmation(await notified(system, tenant.email))
    for (let sent = 0; sent < 8; sent += 1) assert.equal((await tenant.send(rawMail())).status, 202)
    const first = await mails()
    assert.deepEqual(first, ['80 % of the monthly quota is used (Acme)'])
    await system.client.setLimits(tenant.workspace.id, { daily: 10 })
    for (let sent = 0; sent < 2; sent += 1) assert.equal((await tenant.send(rawMail())).status, 202)
    system.advance(minutes(59))
    assert.deepEqual(await mails(), first)
    system.advance(minutes(2))
    const digest = '3 notifications about quotas (Acme)'
    assert.deepEqual(await mails(), [...first, digest])
    system.advance(minutes(600))
    assert.deepEqual(await mails(), [...first, digest])
  })

  it('report a bounce rate once while it stays', async () => {
    const script = ({ at, line }: { at: string; line: string }) =>
      at === 'RCPT' && line.includes('absent') ? '550 5.1.1 No such user' : null
    await using system = await clockedSystem({ script })
    const tenant = await system.client.tenant()
    const send = async (name: string, count: number): Promise<void> => {
      for (let left = count; left > 0; left -= 50) {
        const to = Array.from({ length: Math.min(left, 50) }, () => fresh(name))
        assert.equal((await tenant.send(rawMail({ to }))).status, 202)
      }
      await system.drain()
    }
    const mails = async () => withoutConfirmation(await notified(system, tenant.email))
    await send('user', 100)
    await send('absent', 2)
    assert.deepEqual(await mails(), [], '2 of 102 are less than 2 %')
    await send('absent', 1)
    const digest = '2 notifications about bounces and complaints (Acme)'
    assert.deepEqual(await mails(), [digest])
    await send('absent', 1)
    system.advance(minutes(120))
    assert.deepEqual(await mails(), [digest])
    await send('absent', 5)
    assert.deepEqual(await mails(), [digest, digest])
  })
})
