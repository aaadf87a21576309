import { platformSenderDomain } from '@postrider/domain/domains/platform.ts'
import {
  canSign,
  decideSigning,
  maySignFor,
  type SigningDecision,
  signingFailureWaitMs,
  signingWaitMs,
} from '@postrider/domain/domains/signing.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import type { Hold } from '@postrider/domain/email/waiting.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { SecretBox } from '@postrider/kit/secretBox.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { domainOf } from '@postrider/mail/address.ts'
import { type PrivateDkimKey, signMessage } from '@postrider/mail/dkim.ts'
import { failureReporter, type KnownDomain, keyOpener, type ReportFailure, type SigningDomains } from './keys.ts'
import type { HoldCause, SigningMetrics } from './metrics.ts'

/**
 * Decision about the signatures of mail.
 *
 * - `unsigned`: it is simulated or captured, or the shared sender has no domain with keys yet.
 * - `sign`: with signatures only. `domain` and `returnPath` are those of the decision.
 * - `hold`: not now.
 */
export type Signing =
  | { kind: 'unsigned' }
  | ({ kind: 'sign'; sign: Sign } & Pick<Extract<SigningDecision, { kind: 'sign' }>, 'domain' | 'returnPath'>)
  | UnsignableMail

export type UnsignableMail = { kind: 'hold'; cause: HoldCause; hold: Hold }

/** Returns the fields that sign a finished message. Never throws, and never returns an empty field. */
export type Sign = (message: Uint8Array, isLong: boolean) => Promise<Uint8Array | UnsignableMail>

export type Signer = {
  /**
   * Decides by the domain of the email's From. Never throws because of the store or a key.
   * @param isRead false: no transport reads the message, so that no key is needed
   */
  prepare(email: Email, isRead: boolean): Promise<Signing>
  /** Opens the keys of the platform's domain, so that a wrong master key is logged at the start. */
  check(): Promise<void>
}

export type SignerOptions = {
  domains: SigningDomains
  /** Address of the shared sender. */
  senderAddress: string
  /** Null: the process has no master key. */
  box: Pick<SecretBox, 'open'> | null
  now: Clock
  log: Pick<Log, 'error'>
  metrics: SigningMetrics
  slices?: Slices
}

const unsigned: Signing = { kind: 'unsigned' }

const unreadable = 'The signing key cannot be read at the moment, so the mail waits.'

/** Signs mail on the way out. Mail from a customer's domain is never sent without a signature. */
export const makeSigner = (options: SignerOptions): Signer => {
  const { domains, senderAddress, slices = makeSlices() } = options
  const report = failureReporter(options)
  const open = keyOpener(options, report)

  const signWith = (
    workspace: string,
    domain: KnownDomain,
    { domain: name, keys, returnPath }: SignDecision,
  ): Signing => {
    const usable = keys.flatMap((key) => {
      const opened = open(domain, name, key)
      return opened === null ? [] : [{ algorithm: key.algorithm, opened }]
    })
    if (!canSign(usable)) return notOpened(name)
    const opened = usable.map((key) => key.opened)
    const sign: Sign = (message, isLong) =>
      signed(options, slices.of(workspace), { domain, name, keys: opened, message, isLong }, report)
    return { kind: 'sign', domain: name, returnPath, sign }
  }

  const ofCustomer = async (email: Email, id: string, isRead: boolean): Promise<Signing> => {
    const known = await domains.customer(id)
    const decision = known?.workspace === email.workspace ? known.decision : decideSigning(null)
    if (known === null || decision.kind === 'wait') return waiting(decision)
    if (!maySignFor(decision.domain, email.from.address)) return foreign(email, decision.domain)
    return isRead ? signWith(email.workspace, known, decision) : unsigned
  }

  /** Mail that was accepted before the operator changed the sender is signed by the domain of the former one. */
  const ofPlatform = async ({ from, workspace }: Email): Promise<Signing> => {
    const known = await domains.platform(platformSenderDomain({ senderAddress: from.address }))
    if (known === null) return unsigned
    return known.decision.kind === 'wait' ? waiting(known.decision) : signWith(workspace, known, known.decision)
  }

  return {
    check: async () => {
      const known = await domains.platform(platformSenderDomain({ senderAddress }))
      if (known?.decision.kind === 'sign') signWith(known.workspace, known, known.decision)
    },
    prepare: async (email, isRead) => {
      if (email.mode !== 'live' || (email.domainId === null && !isRead)) return unsigned
      try {
        return email.domainId === null ? await ofPlatform(email) : await ofCustomer(email, email.domainId, isRead)
      } catch (thrown) {
        if (!isUnavailable(thrown)) throw thrown
        return held('store', unreadable, signingFailureWaitMs)
      }
    },
  }
}

type SignDecision = Extract<SigningDecision, { kind: 'sign' }>

const held = (cause: HoldCause, reason: string, maxMs: number): UnsignableMail => ({
  kind: 'hold',
  cause,
  hold: { reason, maxMs },
})

const waiting = (decision: SigningDecision): UnsignableMail =>
  decision.kind === 'wait' ? held('domain', decision.reason, decision.waitMs) : waiting(decideSigning(null))

const foreign = ({ from }: Email, name: string): UnsignableMail =>
  held('domain', `The domain ${name} cannot sign mail of ${domainOf(from.address)}.`, signingWaitMs)

const notOpened = (name: string): UnsignableMail =>
  held('key', `The signing key of ${name} cannot be used until the operator corrects the configuration.`, signingWaitMs)

type SigningJob = {
  domain: KnownDomain
  name: string
  keys: readonly PrivateDkimKey[]
  message: Uint8Array
  isLong: boolean
}

const signed = async (
  { now, metrics }: Pick<SignerOptions, 'now' | 'metrics'>,
  slices: Slices,
  { domain, name, keys, message, isLong }: SigningJob,
  report: ReportFailure,
): Promise<Uint8Array | UnsignableMail> => {
  const startedAt = performance.now()
  const count = (outcome: 'signed' | 'failed'): void => {
    for (const { algorithm } of keys)
      metrics.signatures.inc({ algorithm: algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519', outcome })
  }
  try {
    const signing = { message, domain: name, keys, at: now() }
    const fields = await signMessage(signing, (steps) => slices.run(steps, isLong))
    metrics.signingDuration.observe((performance.now() - startedAt) / 1_000)
    count('signed')
    return fields
  } catch (err) {
    count('failed')
    report({ domain, err }, 'signing failed')
    return held('signature', 'The mail could not be signed, so it waits.', signingFailureWaitMs)
  }
}
