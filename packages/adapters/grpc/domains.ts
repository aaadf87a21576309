import type { Domain__Output as DomainMessage } from '@postrider/contracts/gen/postrider/domains/v1/Domain.ts'
import type { Record__Output as RecordMessage } from '@postrider/contracts/gen/postrider/domains/v1/Record.ts'
import type { DomainRecord, Domains, DomainsRpc } from '@postrider/contracts/services.ts'
import {
  type DomainStatus,
  domainStatuses,
  type RecordPurpose,
  type RecordStatus,
} from '@postrider/domain/domains/domain.ts'
import type { RecordView } from '@postrider/domain/domains/recordViews.ts'
import { readAddress, withAddress } from './requester.ts'
import { recordCodec } from './times.ts'

const domainTimes = recordCodec({ always: ['created_at'], absent: ['verified_at', 'checked_at'] })

/** Returns domains for its callers, over a gRPC client. */
export const domainsClient = (rpc: DomainsRpc): Domains => ({
  Create: async (request) => readDomain(await rpc.Create(withAddress(request))),
  Get: async (request) => readDomain(await rpc.Get(request)),
  List: async ({ workspace, limit, before }) => {
    const { domains, has_more } = await rpc.List({ workspace, limit, before: before ?? '' })
    return { domains: domains.map(readDomain), hasMore: has_more }
  },
  Update: async (request) => readDomain(await rpc.Update(withAddress(request))),
  Delete: async (request) => {
    await rpc.Delete(withAddress(request))
  },
  Verify: async (request) => readDomain(await rpc.Verify(withAddress(request))),
  RotateKey: async (request) => readDomain(await rpc.RotateKey(withAddress(request))),
  PlatformDomain: async () => readDomain(await rpc.PlatformDomain({})),
})

/** Returns the gRPC handlers of domains. */
export const domainsHandlers = (domains: Domains): DomainsRpc => ({
  Create: async (request) => domainMessage(await domains.Create(readAddress(request))),
  Get: async (request) => domainMessage(await domains.Get(request)),
  List: async ({ workspace, limit, before }) => {
    const page = await domains.List({ workspace, limit, before: before === '' ? null : before })
    return { domains: page.domains.map(domainMessage), has_more: page.hasMore }
  },
  Update: async (request) => domainMessage(await domains.Update(readAddress(request))),
  Delete: async (request) => {
    await domains.Delete(readAddress(request))
    return {}
  },
  Verify: async (request) => domainMessage(await domains.Verify(readAddress(request))),
  RotateKey: async (request) => domainMessage(await domains.RotateKey(readAddress(request))),
  PlatformDomain: async () => domainMessage(await domains.PlatformDomain()),
})

const domainMessage = (domain: DomainRecord): DomainMessage => ({
  id: domain.id,
  name: domain.name,
  status: domain.status,
  subdomains: domain.subdomains,
  ...domainTimes.write(domain),
  records: domain.records.map(recordMessage),
})

const recordMessage = ({ found, ...record }: RecordView): RecordMessage => ({
  ...record,
  ...(found !== null && { found }),
})

const readDomain = (message: DomainMessage): DomainRecord => ({
  id: message.id,
  name: message.name,
  status: statusOf(message.status),
  subdomains: message.subdomains,
  ...domainTimes.read(message),
  records: message.records.map(readRecord),
})

/** A status that is unknown to this release is of a later release. */
const statusOf = (text: string): DomainStatus => domainStatuses.find((status) => status === text) ?? 'pending'

/** Words of a later release pass: the gateway shows them. */
const readRecord = ({
  purpose,
  type,
  name,
  value,
  priority,
  required,
  status,
  found,
  problem,
}: RecordMessage): RecordView => ({
  purpose: purpose as RecordPurpose,
  type: type as RecordView['type'],
  name,
  value,
  ...(priority !== undefined && { priority }),
  required,
  status: status as RecordStatus,
  found: found ?? null,
  ...(problem !== undefined && { problem }),
})
