import {
  CreateDomain,
  DomainList,
  DomainRecord,
  PlatformDomainRecord,
  UpdateDomain,
} from '@postrider/contracts/http/domains.ts'
import { Id, Page } from '@postrider/contracts/http/schema.ts'
import { retiringMs } from '@postrider/domain/domains/keys.ts'
import { maxPageBytes } from '@postrider/domain/listPage.ts'
import { durationText } from '@postrider/domain/time.ts'
import { changeBy } from '../callers/changeBy.ts'
import { refusedDomain } from '../checks/refusedBodies.ts'
import { listPage } from '../lists.ts'
import { domainRecord, platformDomainRecord } from '../records/domainRecords.ts'
import { operatorRoute, present, route } from '../route.ts'

const path = '/api/v1/domains'
const readScopes = ['domains:read', 'domains:write'] as const

export const createDomain = route({
  name: 'createDomain',
  method: 'POST',
  path,
  scope: 'domains:write',
  tag: 'Domains',
  summary: 'Add a sending domain',
  description:
    'The response has the DNS records to set. They are checked every 5 minutes for a day, then every hour, then every day; when each required one is found, `status` becomes `verified` without another request. Several workspaces may add the same name; only the one whose records are in DNS can verify it.',
  limit: 'write',
  body: CreateDomain,
  serviceProblems: refusedDomain,
  reply: { status: 201, body: DomainRecord, description: 'The domain with the DNS records to set.' },
  replyHeaders: { Location: 'Path of the domain’s record.' },
  errors: ['conflict'],
  handle: async ({ body: { name }, ...identity }, { domains }) => {
    const domain = await domains.Create({ ...changeBy(identity), name })
    return { json: domainRecord(domain), headers: { Location: `${path}/${domain.id}` } }
  },
})

export const listDomains = route({
  name: 'listDomains',
  method: 'GET',
  path,
  scope: readScopes,
  tag: 'Domains',
  summary: 'List the workspace’s sending domains',
  limit: 'read',
  query: Page,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: DomainList, description: 'A page of domains with their DNS records, newest first.' },
  handle: async ({ query, caller: { workspace } }, { domains, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, workspace, query)
    const found = await domains.List({ workspace, limit, before: before || null })
    return { json: body(found.domains.map(domainRecord), found.hasMore) }
  },
})

export const getDomain = route({
  name: 'getDomain',
  method: 'GET',
  path: '/api/v1/domains/:id',
  scope: readScopes,
  tag: 'Domains',
  summary: 'Read one sending domain',
  limit: 'read',
  params: Id,
  reply: { status: 200, body: DomainRecord, description: 'The domain, and what the last check found for each record.' },
  handle: async ({ params: { id }, caller: { workspace } }, { domains }) => ({
    json: domainRecord(await domains.Get({ workspace, id })),
  }),
})

export const updateDomain = route({
  name: 'updateDomain',
  method: 'PATCH',
  path: '/api/v1/domains/:id',
  scope: 'domains:write',
  tag: 'Domains',
  summary: 'Switch the subdomains of a domain on or off',
  description:
    'With `subdomains`, `from_` may also be an address such as `jane@news.example.com`; the signature is that of the domain. Mail that was accepted before is not affected.',
  limit: 'write',
  params: Id,
  body: UpdateDomain,
  reply: { status: 200, body: DomainRecord, description: 'The domain after the change.' },
  handle: async ({ params: { id }, body: { subdomains }, ...identity }, { domains }) => ({
    json: domainRecord(await domains.Update({ ...changeBy(identity), id, ...present({ subdomains }) })),
  }),
})

export const deleteDomain = route({
  name: 'deleteDomain',
  method: 'DELETE',
  path: '/api/v1/domains/:id',
  scope: 'domains:write',
  tag: 'Domains',
  summary: 'Delete a sending domain',
  description:
    'Its keys are deleted and cannot be restored: adding the name again makes new records. Accepted mail from the domain that has not left yet cannot be signed, so it waits until it expires.',
  limit: 'write',
  params: Id,
  reply: { status: 204, description: 'The domain is deleted.' },
  handle: async ({ params: { id }, ...identity }, { domains }) => {
    await domains.Delete({ ...changeBy(identity), id })
    return { empty: true }
  },
})

export const verifyDomain = route({
  name: 'verifyDomain',
  method: 'POST',
  path: '/api/v1/domains/:id/verify',
  isRepeatable: true,
  scope: 'domains:write',
  tag: 'Domains',
  summary: 'Check the DNS records of a domain now',
  description:
    'The check queries the authoritative DNS servers, without a cache. If they are slow, the response has what is known so far, and the check continues; `checked_at` shows when the last one ended.',
  limit: 'write',
  params: Id,
  reply: { status: 200, body: DomainRecord, description: 'The domain after the check.' },
  handle: async ({ params: { id }, ...identity }, { domains }) => ({
    json: domainRecord(await domains.Verify({ ...changeBy(identity), id })),
  }),
})

export const rotateDomainKey = route({
  name: 'rotateDomainKey',
  method: 'POST',
  path: '/api/v1/domains/:id/rotate-key',
  isRepeatable: true,
  scope: 'domains:write',
  tag: 'Domains',
  summary: 'Replace the DKIM key of a domain',
  description: `The response has the record of a new key under a new name. Set it and leave the old one: mail is signed with the old key until the new record is found. Then the old record is to stay for ${durationText(retiringMs)}; after that its \`problem\` states that it can be removed. While a rotation runs, another request returns the same records.`,
  limit: 'write',
  params: Id,
  reply: { status: 202, body: DomainRecord, description: 'The domain with the record of the new key.' },
  handle: async ({ params: { id }, ...identity }, { domains }) => ({
    json: domainRecord(await domains.RotateKey({ ...changeBy(identity), id })),
  }),
})

export const getPlatformDomain = operatorRoute({
  name: 'getPlatformDomain',
  method: 'GET',
  path: '/api/v1/operator/platform-domain',
  operator: true,
  tag: 'Operator',
  summary: 'Read the domain of the shared sender, with its DNS records',
  description:
    'The domain of `POSTRIDER_SENDER`. Its mail is signed from the first start on, so set the records before you send.',
  limit: null,
  reply: {
    status: 200,
    body: PlatformDomainRecord,
    description: 'The domain, and what the last check found for each record.',
  },
  handle: async (_request, { domains }) => ({ json: platformDomainRecord(await domains.PlatformDomain()) }),
})
