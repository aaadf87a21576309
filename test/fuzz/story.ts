import { fresh, freshDomain } from '../support/client.ts'
import { ownerOf } from '../support/domains.ts'
import type { HttpResponse } from '../support/http.ts'
import type { DomainRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import { accounts } from './accountsStory.ts'
import { kindOf } from './pathRecords.ts'
import type { Credentials, World } from './world.ts'

/* One request of each operation that succeeds, in an order in which each finds what it needs. */

/** Operations that no request of a client alone can make succeed, with the reason. */
export const unreachable: Readonly<Record<string, string>> = {
  resolveEmail: 'only an email whose server gave no reply after the final dot can be resolved',
  releaseParkedEmail: 'only an email that stopped its workers 20 times is parked',
  dropParkedEmail: 'only an email that stopped its workers 20 times is parked',
  openPortal: 'it needs a payment provider with a portal',
  payInvoice: 'it needs a payment provider with a page',
}

type Wanted = {
  by?: Credentials
  ids?: Record<string, string>
  json?: unknown
  query?: string
  headers?: Record<string, string>
}
/** Makes a request that succeeds. */
export type Perform = <T = { id: string }>(operation: string, wanted?: Wanted) => Promise<HttpResponse<T>>
type Done = <T = { id: string }>(operation: string, wanted?: Wanted) => Promise<T>

/** Returns a path with ids in place of its parameters. */
export const pathWith = (path: string, ids: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? '')

const performIn =
  (world: World): Perform =>
  async <T>(id: string, { by = world.owner, ids = {}, json, query = '', headers = {} }: Wanted = {}) => {
    const operation = world.document.operation(id)
    const response = await world.send({
      name: 'one that succeeds',
      operation,
      method: operation.method,
      path: pathWith(operation.path, ids) + query,
      headers: { ...by, ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      expected: { kind: 'done' },
    })
    if (by === world.owner) world.records.learn(response.body)
    if (operation.method === 'DELETE') world.records.forget(kindOf(operation), ids['id'] ?? '')
    return response as HttpResponse<T>
  }

const mail = { to: ['jane@receiver.example'], subject: 'Hello', text: 'Hello there.' }

const templates = async (done: Done): Promise<void> => {
  const body = () => ({
    name: fresh('story'),
    subject: 'Hi {{name}}',
    text_body: 'Hi {{name}}',
    html_body: '<p>{{name}}</p>',
  })
  const { id } = await done('createTemplate', { json: { ...body(), alias: fresh('a').split('@')[0] } })
  await done('updateTemplate', { ids: { id }, json: { subject: 'Hello {{name}}' } })
  for (const operation of ['getTemplate', 'listTemplateVersions']) await done(operation, { ids: { id } })
  await done('listTemplates')
  await done('getTemplateVersion', { ids: { id, version: '1' } })
  await done('restoreTemplate', { ids: { id }, json: { version: 1 } })
  await done('previewTemplate', { ids: { id }, json: { template_vars: { name: 'Jane' } } })
  await done('previewDraft', { json: { subject: 'Hi', text_body: 'Hi' } })
  await done('deleteTemplate', { ids: { id: (await done('createTemplate', { json: body() })).id } })
}

const emails = async (done: Done, { liveKey, testKey }: World): Promise<void> => {
  const later = { ...mail, scheduled_at: 'P1D' }
  const { id } = await done('sendEmail', { json: later, headers: { 'idempotency-key': fresh('story') } })
  await done('sendEmail', {
    by: liveKey,
    json: { ...mail, html: '<p>Hello</p>', tags: { team: 'a' }, metadata: { order: '1' } },
  })
  await done('sendEmail', { by: testKey, json: { ...mail, to: ['bounced@simulator.postrider.dev'] } })
  await done('sendBatch', { json: { messages: [mail, later] } })
  await done('sendBatch', { json: { messages: [mail, {}] }, headers: { 'batch-validation': 'permissive' } })
  await done('validateEmail', { json: { ...mail, to: ['not an address'] } })
  await done('listEmails', { query: '?limit=100' })
  await done('listEvents', { query: '?type=email.accepted,email.scheduled&order=asc' })
  await done('listEvents', { query: '?order=arrival&wait=1&limit=1' })
  await done('readStats', { query: '?by=destination&bucket=hour' })
  for (const operation of ['getEmail', 'getRawEmail', 'getEmailContent', 'getEmailHtml', 'explainEmail'])
    await done(operation, { ids: { id } })
  await done('rescheduleEmail', { ids: { id }, json: { scheduled_at: 'P2D' } })
  await done('cancelEmail', { ids: { id } })
}

const testClock = async (done: Done): Promise<void> => {
  await done('getTestClock')
  await done('moveTestClock', { json: { advance: 'PT1H' } })
}

const webhooks = async (done: Done, { hookUrl }: World): Promise<void> => {
  const json = { url: hookUrl, events: ['email.complained'] }
  const { id } = await done('createWebhook', { json })
  await done('updateWebhook', { ids: { id }, json: { description: 'Orders' } })
  for (const operation of ['getWebhook', 'rotateWebhookSecret', 'listWebhookDeliveries'])
    await done(operation, { ids: { id } })
  await done('listWebhooks')
  const sent = await done('testWebhook', { ids: { id } })
  const ids = { id, delivery_id: sent.id }
  await until('the test event has ended', async () => {
    const { status } = await done<{ status: string }>('getWebhookDelivery', { ids })
    return status === 'pending' ? undefined : status
  })
  await done('redeliverWebhook', { ids })
  const from = new Date(Date.now() - 3_600_000).toISOString()
  const replay = await done('replayWebhook', { ids: { id }, json: { from } })
  await done('getNewestWebhookReplay', { ids: { id } })
  await done('getWebhookReplay', { ids: { id, replay_id: replay.id } })
  await done('deleteWebhook', { ids: { id: (await done('createWebhook', { json })).id } })
}

const domains = async (done: Done, { system, tenant }: World): Promise<void> => {
  const made = await done<DomainRecord>('createDomain', { json: { name: freshDomain() } })
  const ids = { id: made.id }
  await done('getDomain', { ids })
  await done('listDomains')
  await done('updateDomain', { ids, json: { subdomains: false } })
  await done('verifyDomain', { ids })
  if (system.dns) {
    const owner = ownerOf(tenant.session, system.dns)
    owner.publish(made)
    await owner.verify(made.id)
    await done('rotateDomainKey', { ids })
  }
  await done('deleteDomain', { ids: { id: (await done('createDomain', { json: { name: freshDomain() } })).id } })
}

const workspace = async (done: Done): Promise<void> => {
  for (const operation of ['getUsage', 'listPlans', 'getPlan', 'getWorkspace', 'getSession', 'listOwnWorkspaces'])
    await done(operation)
  await done('updateWorkspace', { json: { sender_name: 'Acme', postal_address: '1 Main Street, 12345 Town' } })
  await done('previewPlan', { query: '?plan=pro' })
  await done('changePlan', { json: { plan: 'pro' } })
  const { data } = await done<{ data: { id: string }[] }>('listInvoices')
  const ids = { id: data[0]?.id ?? '' }
  for (const operation of ['getInvoice', 'printInvoice']) await done(operation, { ids })
  const { id } = await done('createApiKey', { json: { name: 'story' } })
  await done('listApiKeys')
  await done('updateApiKey', { ids: { id }, json: { name: 'other' } })
  const rolled = await done('rollApiKey', { ids: { id }, json: {} })
  await done('revokeApiKey', { ids: { id: rolled.id } })
  await done('listAuditLog')
  const erasure = await done('createErasure', { json: { address: fresh('erased') } })
  await done('getErasure', { ids: { id: erasure.id } })
  await done('getNotifications')
  await done('updateNotifications', { json: { quota: true } })
  await done('getOpenapi', { by: {} })
}

export const runStory = async (world: World): Promise<void> => {
  const perform = performIn(world)
  const done: Done = async (operation, wanted) => (await perform(operation, wanted)).body as never
  await templates(done)
  await emails(done, world)
  await testClock(done)
  await webhooks(done, world)
  await domains(done, world)
  await workspace(done)
  await accounts(perform, world)
}
