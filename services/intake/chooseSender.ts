import type { Caller, MailRequest } from '@postrider/contracts/services.ts'
import type { SenderDomain } from '@postrider/domain/domains/domain.ts'
import { decideSender, type SenderDecision } from '@postrider/domain/domains/sender.ts'
import { batcher } from '@postrider/kit/batcher.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import { Fault, type Problem } from '@postrider/kit/fault.ts'
import { ttlCache } from '@postrider/kit/ttlCache.ts'
import type { Mailbox } from '@postrider/mail/address.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'

export type SenderDeps = {
  verified: VerifiedDomains
  /** The shared sender. */
  sender: Mailbox
  /** Names of the service itself, from which no customer sends. */
  platformDomains: readonly string[]
}

export type ChosenSender = Omit<Extract<SenderDecision, { kind: 'send' }>, 'kind'>

type Request = { caller: Caller; mail: Pick<MailRequest, 'from' | 'domainId'> }

/**
 * Returns the sender of a message, or its problems. A message without `from_` and `domain_id` has the shared sender,
 * and nothing is read. For others the domains that are known decide if the message may be sent by them; before anything
 * else is answered, they are read again.
 * @throws Fault `forbidden`: the key is restricted to other domains; `unavailable`: the domains cannot be read
 */
export const chooseSender = async (
  deps: SenderDeps,
  { caller, mail }: Request,
): Promise<{ sender: ChosenSender } | { problems: readonly Problem[] }> => {
  const { from, domainId } = mail
  const decide = (domains: readonly SenderDomain[]) =>
    decideSender(
      { from, domainId },
      {
        domains,
        keyDomains: caller.domains.length === 0 ? null : caller.domains,
        shared: deps.sender,
        senderName: caller.senderName,
        platformDomains: deps.platformDomains,
      },
    )
  const isPlain = from === null && domainId === null
  const early = decide(isPlain ? [] : (deps.verified.known(caller.workspace) ?? []))
  const isSure = early.kind === 'forbidden' || isPlain || (early.kind === 'send' && usesDomain(early, from))
  const decision = isSure ? early : decide(await deps.verified.read(caller.workspace))
  if (decision.kind === 'forbidden') throw new Fault('forbidden', decision.message)
  if (decision.kind === 'invalid') return { problems: decision.problems }
  const { kind: _, ...sender } = decision
  return { sender }
}

/**
 * Whether a decision depends on a domain that is verified. With `domain_id` alone it does, although the sender is
 * shared.
 */
const usesDomain = ({ domain }: Extract<SenderDecision, { kind: 'send' }>, from: Mailbox | null): boolean =>
  domain !== null || from === null

type Domains = readonly SenderDomain[]

/** The domains from which a workspace may send, as this process last read them. */
export type VerifiedDomains = {
  /** Returns the domains by a read that is at most 5 s old; null: there was no such read, or the workspace had none. */
  known(workspace: string): Domains | null
  /**
   * Reads the domains by a read that begins after the call, so that a domain is known as soon as it is verified.
   * @throws Fault `unavailable`
   */
  read(workspace: string): Promise<Domains>
}

export type VerifiedDomainsOptions = {
  domains: Pick<DomainStore, 'senders'>
  elapsed: Monotonic
}

/** Mail of a domain that fails or is deleted is accepted for so long; dispatchers do not send it. */
const freshMs = 5_000
/** Maximum number of workspaces whose domains are in memory. */
const maxWorkspaces = 5_000
/** Batches of reads at the same time; requests that arrive while these run share the next one. */
const maxBatchesInFlight = 4

export const verifiedDomains = ({ domains, elapsed }: VerifiedDomainsOptions): VerifiedDomains => {
  const known = ttlCache<Domains>({ freshMs, max: maxWorkspaces, elapsed })

  const readOne = async (workspace: string): Promise<Domains> => {
    const at = elapsed()
    const found = await domains.senders(workspace)
    if (found.length > 0) known.set(workspace, found, at)
    else known.delete(workspace)
    return found
  }

  const read = batcher<string, Domains>({
    max: 100,
    maxInFlight: maxBatchesInFlight,
    run: (workspaces) => {
      const reads = new Map([...new Set(workspaces)].map((workspace) => [workspace, readOne(workspace)]))
      return Promise.all(workspaces.map((workspace) => reads.get(workspace) ?? readOne(workspace)))
    },
  })

  return { known: known.get, read }
}
