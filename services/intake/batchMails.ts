import { problemsInBatch } from '@postrider/contracts/http/sendBatch.ts'
import type { BatchMail, BatchRefusal, Caller, StagedBatch } from '@postrider/contracts/services.ts'
import { isLongContent } from '@postrider/domain/email/message.ts'
import { sendsOf } from '@postrider/domain/email/sends.ts'
import { statusAt } from '@postrider/domain/email/status.ts'
import { queuedBytes } from '@postrider/domain/email/storedBytes.ts'
import { countsAsScheduled, queueKindOf } from '@postrider/domain/fairness/admission.ts'
import { Fault, type FaultCode, maxProblems } from '@postrider/kit/fault.ts'
import { newId } from '@postrider/kit/ids.ts'
import { nextSlice } from '@postrider/kit/slices.ts'
import { recordedTraceparent } from '@postrider/kit/trace.ts'
import type { BatchEmail } from '@postrider/ports/emailBatches.ts'
import { checkMessage } from './acceptance.ts'
import type { Deps } from './acceptEmail.ts'
import { composeEmail } from './composeEmail.ts'
import type { TemplateSource } from './resolveContent.ts'
import { clockOffsetsOf } from './testClocks.ts'

/** Messages that are prepared in one slice. */
const mailsPerSlice = 10

/** Refusals of one message. Any other failure concerns the whole request. */
const ofMessage: ReadonlySet<FaultCode> = new Set(['validation_failed', 'forbidden', 'too_large'])

export type Prepared = { emails: BatchEmail[]; refusals: BatchRefusal[] }

type PrepareOptions = { caller: Caller; requestId: string; batch: StagedBatch; mails: readonly BatchMail[] }

/** Checks and composes messages of a batch. A message that is refused does not stop the others. */
export const prepareMails = async (
  given: Deps,
  { caller, requestId, batch, mails }: PrepareOptions,
): Promise<Prepared> => {
  const slices = given.slices.of(caller.workspace)
  const deps = { ...given, slices, templates: readOnce(given.templates) }
  const traceparent = recordedTraceparent()
  const offsets = await clockOffsetsOf(deps, caller)
  const prepared: Prepared = { emails: [], refusals: [] }
  for (const [index, { number, mail }] of mails.entries()) {
    if (index > 0 && index % mailsPerSlice === 0) await nextSlice(slices)
    await slices.short()
    try {
      const submission = { caller, mail, requestId, traceparent, id: newId('em'), at: batch.at, ...offsets }
      const { content, sender } = await checkMessage(deps, submission)
      const composing = composeEmail({ ...submission, content, sender, platform: deps.sender, limits: deps.limits })
      const composed = await slices.run(composing, isLongContent(content))
      const email = { ...composed, batch: { id: batch.id, number, at: batch.at } }
      const isScheduled = countsAsScheduled(statusAt({ email, leaseUntil: null }, batch.at))
      const kind = queueKindOf({ mode: email.mode, isScheduled })
      const bytes = queuedBytes(email)
      prepared.emails.push({ email, content, item: { number, id: email.id, sends: sendsOf(email), kind, bytes } })
    } catch (thrown) {
      if (!(thrown instanceof Fault && ofMessage.has(thrown.code))) throw thrown
      const { code, message: detail, problems } = thrown
      prepared.refusals.push({ number, code, detail, problems })
    }
  }
  return prepared
}

/** Returns the source for one request: it reads each template once. */
const readOnce = ({ get, renderSteps }: TemplateSource): TemplateSource => {
  const known = new Map<string, ReturnType<TemplateSource['get']>>()
  return {
    renderSteps,
    get: (request) => {
      const key = JSON.stringify(request)
      const template = known.get(key) ?? get(request)
      known.set(key, template)
      return template
    },
  }
}

/**
 * Returns the refusal of a whole batch because of its messages. If a message is refused for another reason than its
 * fields, that reason decides the status, because correcting the fields would not help.
 */
export const batchFault = (refusals: readonly BatchRefusal[]): Fault => {
  const sorted = refusals.toSorted((one, other) => one.number - other.number)
  const decisive = sorted.find(({ code }) => code !== 'validation_failed') ?? sorted[0]
  const problems = sorted.flatMap(problemsInBatch)
  if (!decisive) throw new Error('a batch is refused without a reason')
  const [first] = problemsInBatch(decisive)
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, see errors)` : ''
  return new Fault(decisive.code as FaultCode, `${first?.path}: ${first?.message}${more}`, {
    problems: problems.slice(0, maxProblems),
  })
}
