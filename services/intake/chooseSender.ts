import type { Caller, MailRequest } from '@postrider/contracts/services.ts'
import type { SenderDomain } from '@postrider/domain/domains/domain.ts'
import { decideSender, type SenderDecision } from '@postrider/domain/domains/sender.ts'
import type { Mailbox } from '@postrider/domain/email/email.ts'
import { Fault, type Problem } from '@postrider/kit/fault.ts'
import type { VerifiedDomains } from './verifiedDomains.ts'

export type SenderDeps = {
  verified: VerifiedDomains
  /** The shared sender. */
  sender: Mailbox
  /** Names of the service itself, from which no customer sends. */
  platformDomains: readonly string[]
}

export type ChosenSender = Omit<Extract<SenderDecision, { kind: 'send' }>, 'kind'>

type Asked = { caller: Caller; mail: Pick<MailRequest, 'from' | 'domainId'> }

/**
 * Returns the sender of a message, or its problems. A message without `from_` and `domain_id` has the shared sender, and
 * nothing is read. For others the domains that are known decide if the message may be sent by them; before anything else
 * is answered, they are read again.
 * @throws Fault `forbidden`: the key is restricted to other domains; `unavailable`: the domains cannot be read
 */
export const chooseSender = async (
  deps: SenderDeps,
  { caller, mail }: Asked,
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

/** Whether a decision depends on a domain that is verified. With `domain_id` alone it does, although the sender is shared. */
const usesDomain = ({ domain }: Extract<SenderDecision, { kind: 'send' }>, from: Mailbox | null): boolean =>
  domain !== null || from === null
