import type { Intake, Quota, ValidateRequest } from '@postrider/contracts/services.ts'
import { suspensionText } from '@postrider/domain/accounts/workspaceRules.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { isLongContent } from '@postrider/domain/email/message.ts'
import { isSuppressed } from '@postrider/domain/email/newEmail.ts'
import { uniqueRecipients, usesQuota } from '@postrider/domain/email/sends.ts'
import { Fault, type FaultCode, type Problem } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { acceptanceProblems } from './acceptance.ts'
import { queueEntryOf, type SubmitDeps } from './acceptEmail.ts'
import { type ChosenSender, chooseSender } from './chooseSender.ts'
import { composeEmail } from './composeEmail.ts'
import { withQueueRoom } from './queueAdmission.ts'
import { resolveContent, templateProblems } from './resolveContent.ts'
import { clockOffsetsOf } from './testClocks.ts'

type ValidateDeps = Omit<SubmitDeps, 'quota'> & { quota: Pick<Quota, 'Probe'> }
type Deps = ValidateDeps & { slices: Slices }
type Validation = { request: ValidateRequest; at: number; clock?: Email['clock'] }

/**
 * Makes every check of `Submit` and returns all reasons together. It stores nothing, reserves nothing and rings
 * nothing: the admission to the queue is undone, and the quota is only read.
 */
export const validateRequest =
  (given: ValidateDeps, slices = makeSlices()): Intake['Validate'] =>
  async (request) => {
    const { caller } = request
    const deps: Deps = { ...given, slices: slices.of(caller.workspace) }
    const validation: Validation = { request, at: deps.now(), ...(await clockOffsetsOf(deps, caller)) }
    const mail = 'mail' in request ? request.mail : request.parts
    const { sender, problems: ofSender } = await senderOf(deps, request)
    const recipients = recipientsOf(mail)
    const suppressed = recipients.flatMap(suppressionOf)
    const sends = recipients.length - suppressed.length
    const refusals = [
      ...(await contentProblems(deps, validation, sender)),
      ...acceptanceProblems({
        caller,
        mail,
        at: validation.at,
        clock: validation.clock,
        limits: deps.limits,
        ofSender,
      }),
      ...(caller.suspended ? [suspension(caller)] : []),
      ...(await queueProblems(deps, validation)),
      ...(await quotaProblems(deps, validation, sends)),
    ]
    const wouldSend = 'mail' in request && refusals.length === 0 && sends > 0
    return { problems: [...refusals, ...suppressed], would_send: wouldSend }
  }

const suspension = ({ suspendedReason: reason, deletesAt }: ValidateRequest['caller']): Problem => ({
  path: '',
  code: 'forbidden',
  message: suspensionText({ reason, deletesAt }),
})

type Judged = { sender: ChosenSender | null; problems: readonly Problem[] }

const senderOf = async (deps: Deps, request: ValidateRequest): Promise<Judged> => {
  const mail = 'mail' in request ? request.mail : request.parts
  try {
    const chosen = await chooseSender(deps, { caller: request.caller, mail })
    return 'problems' in chosen ? { sender: null, ...chosen } : { ...chosen, problems: [] }
  } catch (thrown) {
    return { sender: null, problems: [problemOf(thrown, ['forbidden'], 'from_')] }
  }
}

/** Returns a refusal as a problem. @throws the same error if it is none of these refusals */
const problemOf = (thrown: unknown, codes: readonly FaultCode[], path = ''): Problem => {
  if (!(thrown instanceof Fault) || !codes.includes(thrown.code)) throw thrown
  return thrown.problems[0] ?? { path, code: thrown.code, message: thrown.message }
}

type Entry = { path: string; address: string }

/** Returns each address once, as `Submit` counts them, without entries that cannot be read. */
const recipientsOf = (mail: Record<'to' | 'cc' | 'bcc', readonly { address: string }[]>): Entry[] =>
  uniqueRecipients(mail).flatMap(({ kind, index, entry: { address } }) =>
    address === '' ? [] : [{ path: `${kind}[${index}]`, address }],
  )

const suppressionOf = ({ path, address }: Entry): Problem[] =>
  isSuppressed(address)
    ? [{ path, code: 'suppressed', message: `${address} is suppressed and would get no mail; other recipients would.` }]
    : []

/** Returns the problems of the template, its variables and the finished message's size. */
const contentProblems = async (
  deps: Deps,
  { request, ...time }: Validation,
  sender: ChosenSender | null,
): Promise<readonly Problem[]> => {
  const { templates, slices, limits } = deps
  const { caller } = request
  if (!('mail' in request)) return templateProblems({ templates, slices }, caller.workspace, request.parts.template)
  const { mail } = request
  const resolved = await resolveContent({ templates, slices }, caller.workspace, mail)
  if (!resolved.ok) return resolved.problems
  const draft = {
    caller,
    mail,
    requestId: '',
    traceparent: undefined,
    id: newId('em'),
    ...time,
    content: resolved.value,
  }
  // The size hardly depends on the sender, so a message whose sender is refused is measured too.
  const from = sender ?? { from: deps.sender, returnPath: null, domain: null, notices: [] }
  const composing = composeEmail({ ...draft, sender: from, platform: deps.sender, limits })
  try {
    await slices.run(composing, isLongContent(resolved.value))
    return []
  } catch (thrown) {
    return [problemOf(thrown, ['too_large'])]
  }
}

/** The email is admitted to the queue, and the admission is undone. */
const queueProblems = async (deps: Deps, { request, ...time }: Validation): Promise<Problem[]> => {
  if (!('mail' in request)) return []
  try {
    const entry = queueEntryOf({ caller: request.caller, mail: request.mail, ...time })
    await withQueueRoom(deps.queue, [entry], async () => {})
    return []
  } catch (thrown) {
    return [problemOf(thrown, ['rate_limited', 'unavailable'])]
  }
}

const quotaProblems = async ({ quota }: Deps, { request, at }: Validation, count: number): Promise<Problem[]> => {
  const { caller } = request
  const { workspace } = caller
  if (!usesQuota({ mode: caller.mode, workspace }) || count === 0) return []
  try {
    await quota.Probe({ workspace, count, at })
    return []
  } catch (thrown) {
    return [problemOf(thrown, ['quota_exceeded'])]
  }
}
