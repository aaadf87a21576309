import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import { Validation } from '@postrider/contracts/http/validateEmail.ts'
import { maxProblems, type Problem } from '@postrider/kit/fault.ts'
import type { Identity, RouteDeps } from '../deps.ts'
import { route } from '../route.ts'
import { messageRules, toCheck, toMail } from '../sending/message.ts'
import { bucketsOf, rateText } from '../steps/limitRate.ts'

export const validateEmail = route({
  name: 'validateEmail',
  method: 'POST',
  path: '/api/v1/emails/validate',
  isRepeatable: true,
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Check a message without sending it',
  description:
    'Checks the body of `POST /api/v1/emails` and returns all problems together: fields, the template and its variables, sender and domain, limits of the key, suppressed recipients, size, quota and rate limit. Nothing is stored, sent or counted; no `Idempotency-Key` is needed. Only a body that is not JSON is refused.',
  limit: 'write',
  carriesMessage: true,
  body: SendEmail,
  rules: messageRules,
  respondToRefused: async ({ raw, problems }, { caller }, deps) => {
    const parts = toCheck(raw, { withRecipients: true })
    const checked = await deps.intake.Validate({ caller, parts })
    return { json: validation(false, [...problems, ...checked.problems, ...(await rateProblems(deps, caller))]) }
  },
  reply: { status: 200, body: Validation, description: 'Whether the message would be sent, and every problem.' },
  handle: async ({ body, caller }, deps) => {
    const checked = await deps.intake.Validate({ caller, mail: toMail(body) })
    const ofRate = await rateProblems(deps, caller)
    return { json: validation(checked.would_send && ofRate.length === 0, [...checked.problems, ...ofRate]) }
  },
})

const validation = (wouldSend: boolean, problems: readonly Problem[]) =>
  ({
    object: 'validation',
    would_send: wouldSend,
    problems: problems
      .slice(0, maxProblems)
      .map(({ path, code, message }) => ({ code, ...(path !== '' && { path }), message })),
  }) satisfies RecordOf<typeof Validation>

/** Returns whether a send would be refused now because of its rate. A cost of 0 changes no bucket. */
const rateProblems = async (
  { limiter, config, elapsed }: Pick<RouteDeps, 'limiter' | 'config' | 'elapsed'>,
  caller: Identity['caller'],
): Promise<Problem[]> => {
  const buckets = bucketsOf(caller, 'send', config.limits.rates)
  if (buckets.length === 0) return []
  const verdict = await limiter.take(buckets, 0, elapsed())
  if (verdict.admitted) return []
  const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1_000))
  return [{ path: '', code: 'rate_limited', message: `${rateText(buckets, verdict)}; wait ${seconds} s.` }]
}
