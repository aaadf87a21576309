import type { Caller, Intake, MailRequest } from '@postrider/contracts/services.ts'
import { recipientProblems } from '@postrider/domain/accounts/keyRestrictions.ts'
import { suspensionText } from '@postrider/domain/accounts/workspaceRules.ts'
import { keyRefusal } from '@postrider/domain/domains/sender.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { marketingProblems } from '@postrider/domain/email/marketing.ts'
import { sendTimeProblems } from '@postrider/domain/email/sendTime.ts'
import { retentionProblems } from '@postrider/domain/retention/retention.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { type ChosenSender, chooseSender, type SenderDeps } from './chooseSender.ts'
import type { IntakeLimits } from './config.ts'
import { type ResolvedContent, resolveContent, type TemplateSource, templateProblems } from './resolveContent.ts'
import { clockOffsetsOf, type ReadClockDeps } from './testClocks.ts'

type Judged = {
  caller: Caller
  mail: Pick<MailRequest, 'sendAt' | 'category' | 'to' | 'cc' | 'bcc' | 'retention'>
  /** Time of acceptance, by the store's clock. */
  at: number
  /** The test clock of the mail. */
  clock?: Email['clock'] | undefined
  limits: IntakeLimits
  /** Problems of `from_` and `domain_id`. */
  ofSender: readonly Problem[]
}

/** Returns the problems of a well-formed request that depend on the time of acceptance and on the workspace. */
export const acceptanceProblems = (judged: Judged): Problem[] => [
  ...recipientProblems(judged.caller.recipients, judged.mail),
  ...sendTimeProblems({ ...judged, sendAt: judged.mail.sendAt }),
  ...judged.ofSender,
  ...marketingProblems({ category: judged.mail.category, hasPostalAddress: judged.caller.hasPostalAddress }),
  ...retentionProblems(judged.mail.retention ?? null, judged.limits.retention),
]

/** @throws Fault `forbidden`: the workspace is suspended */
export const refuseSuspended = (caller: Caller): void => {
  if (!caller.suspended) return
  const { suspendedReason: reason, deletesAt } = caller
  throw new Fault('forbidden', suspensionText({ reason, deletesAt }))
}

/** Returns whether a key may send a message. */
export const isWithinKey = ({ caller: { recipients, domains }, mail }: Pick<Request, 'caller' | 'mail'>): boolean =>
  recipientProblems(recipients, mail).length === 0 &&
  keyRefusal(mail.from, domains.length === 0 ? null : domains) === null

type Request = { caller: Caller; mail: MailRequest; at: number; clock?: Email['clock'] }
type ContentDeps = SenderDeps & { templates: TemplateSource; limits: IntakeLimits; slices: Slices }
type CheckedMessage = { content: ResolvedContent; sender: ChosenSender }

/**
 * Returns the content and the sender of a message.
 * @throws Fault `validation_failed` with all problems of well-formed mail
 */
export const checkMessage = async (
  deps: ContentDeps,
  { caller, mail, at, clock }: Request,
): Promise<CheckedMessage> => {
  const { templates, limits, slices } = deps
  const chosen = await chooseSender(deps, { caller, mail })
  const ofSender = 'problems' in chosen ? chosen.problems : []
  const found = acceptanceProblems({ caller, mail, at, clock, limits, ofSender })
  const resolved = await resolveContent({ templates, slices }, caller.workspace, mail)
  refuseAny(resolved.ok ? found : [...resolved.problems, ...found])
  if (!resolved.ok || 'problems' in chosen) throw new Error('a check failed without a problem')
  return { content: resolved.value, sender: chosen.sender }
}

type CheckDeps = SenderDeps & ReadClockDeps & { templates: TemplateSource; limits: IntakeLimits; now: Clock }

/** Returns `acceptanceProblems`, and those of the template, for a request that is refused because of its shape. */
export const checkRefused =
  ({ templates, limits, now, testClocks, ...deps }: CheckDeps, slices = makeSlices()): Intake['Check'] =>
  async ({ caller, template, ...mail }) => {
    const ofTemplate = await templateProblems(
      { templates, slices: slices.of(caller.workspace) },
      caller.workspace,
      template,
    )
    const chosen = await chooseSender(deps, { caller, mail })
    const ofSender = 'problems' in chosen ? chosen.problems : []
    const { clock } = await clockOffsetsOf({ testClocks }, caller)
    const at = now()
    return { problems: [...ofTemplate, ...acceptanceProblems({ caller, mail, at, clock, limits, ofSender })] }
  }
