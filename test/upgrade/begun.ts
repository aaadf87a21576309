import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { untilDrained, usedSends } from '../faults/recorder.ts'
import { answered, type Client, fresh, rawMail, type Tenant } from '../support/client.ts'
import type { Call } from '../support/http.ts'
import { inParallel } from '../support/inParallel.ts'
import type { ListRecord, TemplateRecord } from '../support/records.ts'
import type { SmtpSink } from '../support/smtpSink.ts'

/** Seconds between scheduled emails, and their number. They cover the duration of an upgrade. */
const [everyS, mails] = [4, 60]

/** Work that one version begins and another completes. */
export type Begun = {
  tenant: Tenant
  /** Checks that all of it continues without loss, duplicates or changes. */
  ends(): Promise<void>
  /** Checks that the template is version 1, and changes it. The last release cannot do this. */
  changesTemplate(): Promise<void>
  /** Checks that the newest version of the template is rendered. */
  renders(): Promise<void>
}

/** Fields of a request whose fingerprint release 0.1 computes differently. */
export const nullFields = { cc: null, attachments: null }

type System = { client: Client; sink: SmtpSink }

const copiesOf = ({ sink }: System, address: string): number =>
  sink.messages.filter(({ to }) => to.includes(address)).length

/**
 * Creates a tenant with keys, a template, a request with an idempotency key, and scheduled mail.
 * @param fields of the request with an idempotency key
 */
export const begin = async (system: System, fields: Record<string, unknown> = {}): Promise<Begun> => {
  const tenant = await system.client.tenant()
  const send = async (mail: Record<string, unknown>, headers = {}) => {
    const response = await tenant.send(mail, headers)
    assert.equal(response.status, 202, response.text)
    return response
  }
  const template = await tenant.template({ subject: 'For {{ name }}', text_body: 'Dear {{ name }}, hello.' })
  let greeting = 'hello'
  const key = { 'idempotency-key': randomUUID() }
  const once = rawMail(fields)
  const first = await send(once, key)
  await tenant.until(first.body.id, ({ status }) => status === 'delivered')
  const addresses = Array.from({ length: mails }, () => fresh('scheduled'))
  await inParallel(8, { from: 0, to: mails }, async (number) => {
    await send(rawMail({ to: [addresses[number]], scheduled_at: `PT${(number + 1) * everyS}S` }))
  })

  const repeats = async () => {
    const again = await send(once, key)
    assert.deepEqual([again.headers['idempotent-replayed'], again.text], ['true', first.text])
    assert.equal((await tenant.send(rawMail(), key)).status, 422)
    assert.equal((await tenant.get(first.body.id)).status, 'delivered')
    assert.equal(copiesOf(system, first.body.to[0] ?? ''), 1)
  }
  const renders = async () => {
    const to = fresh('rendered')
    const { body } = await send({ to: [to], template_id: template.id, template_vars: { name: 'Ada' } })
    await tenant.until(body.id, ({ status }) => status === 'delivered')
    const [raw = ''] = system.sink.messages.flatMap((one) => (one.to.includes(to) ? [one.raw.toString()] : []))
    for (const line of ['Subject: For Ada', `Dear Ada, ${greeting}.`]) assert.ok(raw.includes(`\r\n${line}\r\n`), raw)
  }
  const changesTemplate = async () => {
    const path = `/api/v1/templates/${template.id}`
    const call = async <Body>(request: Call): Promise<Body> => {
      const response = await tenant.api.call<Body>(request)
      assert.equal(response.status, 200, response.text)
      return response.body
    }
    const stored = await call<TemplateRecord>({ path })
    const { text_body, version } = template
    assert.deepEqual([stored.text_body, stored.version, stored.alias], [text_body, version, null])
    const alias = fresh('a').replaceAll(/[^a-z0-9]/g, '')
    const json = { text_body: 'Dear {{ name }}, welcome.', alias }
    assert.equal((await call<TemplateRecord>({ method: 'PATCH', path, json })).version, 2)
    assert.deepEqual(await call<TemplateRecord>({ path: `${path}/versions/1` }), stored)
    const { data } = await call<ListRecord<TemplateRecord>>({ path: `/api/v1/templates/${alias}/versions` })
    assert.deepEqual(
      data.map((one) => one.version),
      [2, 1],
    )
    greeting = 'welcome'
    await renders()
  }
  /** Returns the number of scheduled emails that were sent. */
  const leave = async (): Promise<number> => {
    const waiting = (await tenant.list('?limit=100')).data.filter(({ status }) => status === 'scheduled')
    const [next, ...later] = waiting.toSorted((one, other) => timeOf(one) - timeOf(other))
    assert.ok(next, `the upgrade took longer than ${everyS * mails} s, so no scheduled mail is left`)
    // A hundred at the same time, right after every process started: on a busy machine some need to be repeated.
    const cancel = (id: string) => () => tenant.api.call({ method: 'POST', path: `/api/v1/emails/${id}/cancel` })
    const cancels = later.map(({ id }) => answered(cancel(id)))
    for (const { status, text } of await Promise.all(cancels)) assert.equal(status, 200, text)
    await untilDrained(tenant)
    const canceled = new Set(later.flatMap(({ to }) => to))
    const copies = addresses.map((address) => [address, copiesOf(system, address)])
    assert.deepEqual(
      copies,
      addresses.map((address) => [address, canceled.has(address) ? 0 : 1]),
    )
    return mails - later.length
  }
  const ends = async () => {
    await repeats()
    await renders()
    const left = await leave()
    assert.equal(await usedSends(tenant), 2 + left)
    await tenant.makeKey()
  }
  return { tenant, ends, changesTemplate, renders }
}

const timeOf = ({ scheduled_at }: { scheduled_at: string | null }): number => Date.parse(scheduled_at ?? '')
