import type { SendingDomain } from '@postrider/domain/domains/domain.ts'
import type { RecordView } from '@postrider/domain/domains/recordViews.ts'
import type { DomainsDefinition } from '../gen/postrider/domains/v1/Domains.ts'
import { allowedCalls } from './allowedCalls.ts'
import { mebibyte, read, write } from './rules.ts'
import type { Requester, Service, ServiceSpec } from './service.ts'

export type DomainsRpc = Service<DomainsDefinition>

/** A sending domain as the API shows it. Times are milliseconds since the epoch. */
export type DomainRecord = Pick<SendingDomain, 'id' | 'name' | 'status' | 'subdomains' | 'createdAt' | 'verifiedAt'> & {
  /** Null: not checked yet. */
  checkedAt: number | null
  records: RecordView[]
}

type DomainKey = { workspace: string; id: string }
type DomainChangeRequest = DomainKey & Requester

/**
 * Sending domains of workspaces, and the platform's own. Methods with an id throw Fault `not_found`.
 *
 * Intake and dispatchers do not call this service: they read `senders`, `signing` and `byName` (of `platformWorkspace`)
 * from the store (ports/domains.ts), so that mail is accepted and delivered even while no process of it runs.
 */
export type Domains = {
  /** @param request `name` as a person entered it
   * @throws Fault `validation_failed` at `name`; `conflict`: the workspace has the domain */
  Create(request: { workspace: string; name: string } & Requester): Promise<DomainRecord>
  Get(request: DomainKey): Promise<DomainRecord>
  /** Returns a page, newest first, starting after the id `before`; null: from the newest. */
  List(request: {
    workspace: string
    limit: number
    before: string | null
  }): Promise<{ domains: DomainRecord[]; hasMore: boolean }>
  Update(request: DomainChangeRequest & { subdomains?: boolean }): Promise<DomainRecord>
  Delete(request: DomainChangeRequest): Promise<void>
  /**
   * Checks the records now. A check that takes longer than a call may continues; the record has what is known so far.
   */
  Verify(request: DomainChangeRequest): Promise<DomainRecord>
  /** Shows the record of a new key, which signs when its record is found. A rotation that runs already continues. */
  RotateKey(request: DomainChangeRequest): Promise<DomainRecord>
  /** Returns the domain of the shared sender, for the operator. */
  PlatformDomain(): Promise<DomainRecord>
}

export const domainsSpec: ServiceSpec<DomainsRpc> = {
  proto: 'postrider/domains/v1/domains.proto',
  name: 'postrider.domains.v1.Domains',
  callers: { gateway: allowedCalls.gateway.domains },
  // A page has at most 4 MiB plus one domain.
  messageBytes: 8 * mebibyte,
  methods: {
    Create: write,
    Get: read,
    List: read,
    Update: write,
    Delete: write,
    Verify: read,
    RotateKey: write,
    PlatformDomain: read,
  },
}
