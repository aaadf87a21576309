import type { Caller__Output as Caller } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Intake, MailRequest, SendTime } from '@postrider/contracts/services.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import type { IntakeLimits } from './config.ts'
import { type TemplateSource, templateProblems } from './resolveContent.ts'

type Judged = {
  caller: Caller
  mail: Pick<MailRequest, 'sendAt' | 'domainId' | 'category'>
  /** Time of acceptance. */
  at: number
  limits: IntakeLimits
}

/** Returns the problems of a well-formed request that depend on the time of acceptance and on the workspace. */
export const acceptanceProblems = (judged: Judged): Problem[] => [
  ...timeProblems(judged),
  ...domainProblems(judged.mail),
  ...marketingProblems(judged),
]

type CheckDeps = { templates: TemplateSource; limits: IntakeLimits; now: Clock }

/** Returns the same problems, and those of the template, for a request that is refused because of its shape. */
export const checkRequest =
  ({ templates, limits, now }: CheckDeps, slices = makeSlices()): Intake['Check'] =>
  async ({ caller, template, ...mail }) => {
    const ofTemplate = await templateProblems({ templates, slices }, caller.workspace, template)
    return { problems: [...ofTemplate, ...acceptanceProblems({ caller, mail, at: now(), limits })] }
  }

/** Returns when the message is to leave; null: at once. @param at time of acceptance */
export const wantedAt = (time: SendTime | null, at: number): number | null => {
  if (time === null) return null
  return 'at' in time ? time.at : at + time.inMs
}

const timeProblems = ({ mail, at, limits }: Judged): Problem[] => {
  const wanted = wantedAt(mail.sendAt, at)
  if (wanted === null) return []
  const path = 'scheduled_at'
  if (wanted < at - limits.schedulePastMs) {
    const message = 'This time is in the past; omit scheduled_at to send at once.'
    return [{ path, code: 'in_the_past', message }]
  }
  if (wanted <= at + limits.scheduleAheadMs) return []
  const days = limits.scheduleAheadMs / 86_400_000
  return [{ path, code: 'too_far_ahead', message: `This is more than ${days} days ahead; use an earlier time.` }]
}

/** Workspaces cannot verify domains yet, so every domain id is unknown. */
const domainProblems = ({ domainId }: Judged['mail']): Problem[] =>
  domainId === null
    ? []
    : [{ path: 'domain_id', code: 'unknown_domain', message: 'This is not a verified domain of the workspace.' }]

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
