/**
 * A sending domain of a workspace and what happened to it. Times are milliseconds since the epoch. The document is
 * plain JSON, and fields are only added.
 *
 * The files of this folder: `domainName.ts` which names are accepted; `keys.ts` DKIM keys and their rotation;
 * `records.ts` the records to publish, `recordViews.ts` as people see them; `lookup.ts` what DNS has; `check.ts` a
 * check of all records, by `checkOwnership.ts`, `checkReturnPath.ts`, `checkDkim.ts` and `checkDmarc.ts`, with
 * `checkText.ts` (a record that is one text), `finding.ts` (the result for one record), `misplaced.ts` (wrong names)
 * and `pasted.ts` (damaged values); `life.ts` status, events and the time of the next check; `feedEvent.ts` the event
 * in the feed of the workspace; `sender.ts` which sender a message gets; `platform.ts` the domain of the shared sender;
 * `signing.ts` whether accepted mail leaves.
 *
 * Who may verify a name. The workspace that publishes its token in the TXT record `_postrider.<name>` controls the DNS
 * of that name. A name may be pending in several workspaces; only one has it verified, until its records have been
 * wrong for 24 h or it is deleted. So the owner of the zone ends the claim of another workspace by removing the other
 * token. Each name is decided separately: the owner of `mail.example.com` may verify it although another workspace has
 * verified `example.com`, because only the owner of that zone, or a delegate, can publish
 * `_postrider.mail.example.com`. The workspace of `example.com` may still send from `mail.example.com`, because it
 * controls the zone above.
 */
export type SendingDomain = {
  /** `dom_…`. */
  id: string
  workspace: string
  /** Lower-case A-labels without a final dot. */
  name: string
  createdAt: number
  status: DomainStatus
  /** Whether From may be an address of a subdomain. */
  subdomains: boolean
  /** Part of the TXT record that proves control of the DNS; a new one for each `SendingDomain`. */
  token: string
  keys: DkimKey[]
  /** Null: not checked yet. */
  lastCheck: DomainCheck | null
  /**
   * Start of the schedule of checks: every 20 s for 3 min after it, every 5 min to 24 h, hourly to 72 h, then daily.
   */
  watchedSince: number
  /** First time that it was verified; null: never. */
  verifiedAt: number | null
  /** Since when a required record is known to be missing or wrong; null unless the status is `warning` or `failed`. */
  warningSince: number | null
  /** Whether both records of the return path were found by the last check that got an answer. */
  returnPathVerified: boolean
  /** Oldest first, at most `maxEvents`. */
  events: DomainEvent[]
}

/**
 * `verified` and `warning`: mail is accepted and leaves. `warning`: a required record is missing or wrong for less than
 * 24 h. `failed`: for longer; accepted mail waits.
 */
export type DomainStatus = 'pending' | 'verified' | 'warning' | 'failed'

export const domainStatuses: readonly DomainStatus[] = ['pending', 'verified', 'warning', 'failed']

export type KeyAlgorithm = 'rsa' | 'ed25519'

/**
 * - `shown`: its record is to be published; it signs nothing.
 * - `active`: its record was found; it signs.
 * - `retiring`: another key has replaced it; its record stays, so that mail signed earlier still verifies.
 * - `removable`: its record can be removed. The key leaves the document when the record is missing.
 */
export type KeyState = 'shown' | 'active' | 'retiring' | 'removable'

export type DkimKey = {
  /** The label before `_domainkey`; unique in the domain. */
  selector: string
  algorithm: KeyAlgorithm
  /** Content of the TXT record: `v=DKIM1; k=rsa; p=…`. */
  publicRecord: string
  /** Null once the key is replaced: it never signs again. */
  sealed: SealedKey | null
  state: KeyState
  shownAt: number
  /** First time that it signed. */
  activeAt: number | null
  /** When it was replaced. */
  retiredAt: number | null
}

/** A private key under the master secret with this id. `box` is opaque here: base64 of what the service sealed. */
export type SealedKey = { secretId: string; box: string }

/** The state of each expected record at one time. */
export type DomainCheck = { at: number; records: RecordCheck[] }

/** `found`: DNS has a record that serves the purpose. `unknown`: DNS did not answer. */
export type RecordStatus = 'found' | 'missing' | 'wrong' | 'unknown'

export type RecordPurpose = 'ownership' | 'dkim' | 'return_path_mx' | 'return_path_spf' | 'dmarc'

/** Result of a check for one record. `type` and `name` identify it. */
export type RecordCheck = {
  purpose: RecordPurpose
  type: 'TXT' | 'MX'
  name: string
  status: RecordStatus
  /** Contents that DNS has at the name, unquoted and joined, each at most `maxFoundLength` characters. */
  found: string[]
  /** One or more sentences with the fix; null: nothing to do. */
  problem: string | null
  /** A better value than the general one, derived from what DNS has. Of DMARC records. */
  advised?: string
  /** Last time that the record was found; null: never. */
  foundAt: number | null
}

/** A key that another part of the service generated and sealed. */
export type NewKey = Pick<DkimKey, 'selector' | 'algorithm' | 'publicRecord'> & { sealed: SealedKey }

export type DomainEventType = 'domain.verified' | 'domain.failed'

/** `id` is `evt_…`. `sequence` counts up from 1 within a domain. */
export type DomainEvent = { id: string; sequence: number; type: DomainEventType; at: number }

/** A domain with its position in the queue of checks. `fence` grows with every claim and change. */
export type StoredDomain = {
  domain: SendingDomain
  nextCheckAt: number
  leaseUntil: number | null
  fence: number
}

/** A domain under the lease of the process that checks it. */
export type ClaimedDomain = Pick<StoredDomain, 'domain' | 'fence'>

/** Settings of the operator for all domains. */
export type DomainSettings = {
  /** Domain that receives bounces; null: no return path of its own is offered. */
  bounceDomain: string | null
}

/** A domain that mail may be accepted for, as the hot path needs it. */
export type SenderDomain = Pick<SendingDomain, 'id' | 'name' | 'subdomains' | 'returnPathVerified'>

/** Fields of a domain that signing needs. */
export type SigningDomain = Pick<
  SendingDomain,
  'id' | 'workspace' | 'name' | 'status' | 'keys' | 'returnPathVerified' | 'lastCheck'
>

/** Workspace of the domain of the shared sender. No customer has it. */
export const platformWorkspace = 'platform'

/** Returns whether mail of the domain is accepted and leaves. */
export const isUsable = ({ status }: Pick<SendingDomain, 'status'>): boolean =>
  status === 'verified' || status === 'warning'

/**
 * Returns the value of the store's unique index that makes a name verified in one workspace only: the name while the
 * domain is usable, otherwise a value that no other domain has. The platform's own domain competes with no customer:
 * one may have had the name verified before the operator chose it as the sender, and another one may verify it
 * afterwards.
 */
export const nameClaim = (domain: Pick<SendingDomain, 'id' | 'workspace' | 'name' | 'status'>): string =>
  isUsable(domain) && domain.workspace !== platformWorkspace ? domain.name : domain.id

export const signingDomainOf = (domain: SendingDomain): SigningDomain => ({
  id: domain.id,
  workspace: domain.workspace,
  name: domain.name,
  status: domain.status,
  keys: domain.keys,
  returnPathVerified: domain.returnPathVerified,
  lastCheck: domain.lastCheck,
})
