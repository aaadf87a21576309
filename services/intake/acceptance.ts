import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Intake, MailRequest, SendTime } from '@postrider/contracts/services.ts'
import { recipientProblems } from '@postrider/domain/accounts/keyRestrictions.ts'
import { suspensionText } from '@postrider/domain/accounts/workspaceRules.ts'
import { keyRefusal } from '@postrider/domain/domains/sender.ts'
import type { Email } from '@postrider/domain/email/email.ts'
import { retentionProblems } from '@postrider/domain/retention/retention.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, type Problem, refuseAny } from '@postrider/kit/fault.ts'
import { makeSlices, type Slices } from '@postrider/kit/slices.ts'
import { type ChosenSender, chooseSender, type SenderDeps } from './chooseSender.ts'
import type { IntakeLimits } from './config.ts'
import { type ResolvedContent, resolveContent, type TemplateSource, templateProblems } from './resolveContent.ts'
import { type PlaceDeps, placeOf, timeOf } from './testClocks.ts'

type Judged = {
  caller: Caller
  mail: Pick<MailRequest, 'sendAt' | 'category' | 'to' | 'cc' | 'bcc' | 'retention'>
  /** Time of acceptance, by the store's clock. */
  at: number
  /** The place of the mail on a test clock. */
  clock?: Email['clock'] | undefined
  limits: IntakeLimits
  /** Problems of `from_` and `domain_id`. */
  ofSender: readonly Problem[]
}

/** Returns the problems of a well-formed request that depend on the time of acceptance and on the workspace. */
export const acceptanceProblems = (judged: Judged): Problem[] => [
  ...recipientProblems(judged.caller.recipients, judged.mail),
  ...timeProblems(judged),
  ...judged.ofSender,
  ...marketingProblems(judged),
  ...retentionProblems(judged.mail.retention ?? '', judged.limits.retention),
]

/** @throws Fault `forbidden`: the workspace is suspended */
export const refuseSuspended = (caller: Caller): void => {
  if (!caller.suspended) return
  const { suspended_reason: reason, deletes_at: deletesAt } = caller
  throw new Fault('forbidden', suspensionText({ reason, deletesAt }))
}

/** Whether a key may send a message. */
export const isWithinKey = ({ caller: { recipients, domains }, mail }: Pick<Request, 'caller' | 'mail'>): boolean =>
  recipientProblems(recipients, mail).length === 0 &&
  keyRefusal(mail.from, domains.length === 0 ? null : domains) === null

type Request = { caller: Caller; mail: MailRequest; at: number; clock?: Email['clock'] }
type ContentDeps = SenderDeps & { templates: TemplateSource; limits: IntakeLimits; slices: Slices }
type Checked = { content: ResolvedContent; sender: ChosenSender }

/**
 * Returns the content and the sender of a message.
 * @throws Fault `validation_failed` with all problems of well-formed mail
 */
export const checked = async (deps: ContentDeps, { caller, mail, at, clock }: Request): Promise<Checked> => {
  const { templates, limits, slices } = deps
  const chosen = await chooseSender(deps, { caller, mail })
  const ofSender = 'problems' in chosen ? chosen.problems : []
  const found = acceptanceProblems({ caller, mail, at, clock, limits, ofSender })
  const resolved = await resolveContent({ templates, slices }, caller.workspace, mail)
  refuseAny(resolved.ok ? found : [...resolved.problems, ...found])
  if (!resolved.ok || 'problems' in chosen) throw new Error('a check failed without a problem')
  return { content: resolved.value, sender: chosen.sender }
}

type CheckDeps = SenderDeps & PlaceDeps & { templates: TemplateSource; limits: IntakeLimits; now: Clock }

/** Returns `acceptanceProblems`, and those of the template, for a request that is refused because of its shape. */
export const checkRequest =
  ({ templates, limits, now, testClocks, ...deps }: CheckDeps, slices = makeSlices()): Intake['Check'] =>
  async ({ caller, template, ...mail }) => {
    const ofTemplate = await templateProblems(
      { templates, slices: slices.of(caller.workspace) },
      caller.workspace,
      template,
    )
    const chosen = await chooseSender(deps, { caller, mail })
    const ofSender = 'problems' in chosen ? chosen.problems : []
    const { clock } = await placeOf({ testClocks }, caller)
    const at = now()
    return { problems: [...ofTemplate, ...acceptanceProblems({ caller, mail, at, clock, limits, ofSender })] }
  }

/** Returns when the message is to leave; null: immediately. @param at time of acceptance */
export const wantedAt = (time: SendTime | null, at: number): number | null => {
  if (time === null) return null
  return 'at' in time ? time.at : at + time.inMs
}

/** Returns what is wrong with a send time. */
export const timeProblems = ({
  mail,
  limits,
  ...time
}: Pick<Judged, 'at' | 'clock' | 'limits'> & { mail: { sendAt: SendTime | null } }): Problem[] => {
  const at = timeOf(time)
  const wanted = wantedAt(mail.sendAt, at)
  if (wanted === null) return []
  const path = 'scheduled_at'
  if (wanted < at - limits.schedulePastMs) {
    const which = time.clock === undefined ? 'in the past' : `before the test clock, which is at ${isoTime(at)}`
    const message = `This time is ${which}; use a later one, or PT0S to send at once.`
    return [{ path, code: 'in_the_past', message }]
  }
  if (wanted <= at + limits.scheduleAheadMs) return []
  const days = limits.scheduleAheadMs / 86_400_000
  const ofClock = time.clock === undefined ? '' : ` of the test clock, which is at ${isoTime(at)}`
  return [
    { path, code: 'too_far_ahead', message: `This is more than ${days} days ahead${ofClock}; use an earlier time.` },
  ]
}

/** Marketing mail must contain the sender's postal address (CAN-SPAM, 15 U.S.C. §7704(a)(5)). */
const marketingProblems = ({ mail, caller }: Judged): Problem[] =>
  mail.category !== 'marketing' || caller.has_postal_address
    ? []
    : [
        {
          path: 'category',
          code: 'postal_address_required',
          message: 'Marketing mail needs the workspace’s postal_address; set it with PATCH /api/v1/workspace.',
        },
      ]
