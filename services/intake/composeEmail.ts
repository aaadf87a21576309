import type { Caller, MailRequest } from '@postrider/contracts/services.ts'
import { actorIdOf, keyFamilyOf } from '@postrider/domain/accounts/apiKey.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { maxBytesSteps } from '@postrider/domain/email/message.ts'
import { type AcceptedMail, newEmail } from '@postrider/domain/email/newEmail.ts'
import { storedBytesSteps } from '@postrider/domain/email/storedBytes.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Mailbox } from '@postrider/mail/address.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import type { ChosenSender } from './chooseSender.ts'
import type { IntakeLimits } from './config.ts'
import type { ResolvedContent } from './resolveContent.ts'

/** A request to send, with the id and the time of acceptance of its email. */
export type Submission = {
  caller: Caller
  mail: MailRequest
  requestId: string
  /** Trace of the request; undefined: it is not traced. */
  traceparent: string | undefined
  id: string
  /** Time of acceptance by the store's clock. */
  at: number
  /** The test clock of test mail. */
  clock?: Email['clock']
}

type Draft = Submission & {
  content: ResolvedContent
  sender: ChosenSender
  /** The shared sender. Its address is the return path of mail whose own return path is not verified. */
  platform: Mailbox
  limits: IntakeLimits
}

/**
 * Returns the email to store, in short steps, from a request without `acceptanceProblems`.
 * @throws Fault `too_large`
 */
export function* composeEmail(draft: Draft): Steps<Email> {
  const { content, limits } = draft
  const email = newEmail(acceptedMail(draft))
  const messageBytes = yield* maxBytesSteps(limits.messageBytes, email, content)
  if (messageBytes <= limits.messageBytes)
    return { ...email, messageBytes, storedBytes: yield* storedBytesSteps(email, content) }
  const message = `The finished message is over ${limits.messageBytes / 2 ** 20} MiB; send fewer or smaller attachments.`
  throw new Fault('too_large', message, { problems: [{ path: '', code: 'message_too_large', message }] })
}

const acceptedMail = ({ caller, platform, at, ...draft }: Draft): AcceptedMail => ({
  ...draft,
  workspace: caller.workspace,
  mode: caller.mode,
  keyId: keyFamilyOf(caller) ?? '',
  actor: actorIdOf(caller),
  createdAt: at,
  platformAddress: platform.address,
  settings: { onUnknown: caller.onUnknown, retention: caller.retention },
})
