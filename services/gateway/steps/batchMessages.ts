import { createHash } from 'node:crypto'
import { fieldNames } from '@postrider/contracts/http/schema.ts'
import { batchOperation } from '@postrider/contracts/http/sendBatch.ts'
import { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import type { BatchMail, BatchRefusal, StagedBatch } from '@postrider/contracts/services.ts'
import { maxBatchMessages } from '@postrider/domain/email/batch.ts'
import { Fault, invalid, maxProblems } from '@postrider/kit/fault.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import { shortBodyBytes } from '../bodies/memory.ts'
import type { MessageBytes } from '../bodies/messageSplitter.ts'
import { bodyFault, checkBody } from '../checks/checkRequest.ts'
import type { Context, Identity, RouteDeps } from '../deps.ts'
import { parseInSteps, parseJson } from '../json/parseJson.ts'
import { sendEmail } from '../routes/sendEmail.ts'
import { fingerprint, fingerprintSteps, readIdempotencyKey } from '../sending/idempotency.ts'
import { serviceProblemsOf, toMail } from '../sending/message.ts'
import { slicesFor } from './scheduleRequests.ts'

/** Bytes of messages that wait here for the rest of the batch. Of a longer batch they are staged. */
const waitingBytes = 2 ** 20
const noMessage = 'A message must be a JSON object, such as {"to": ["user@example.com"], "subject": "…", "text": "…"}.'

const names = fieldNames(SendEmail)

export type MessageReader = ReturnType<typeof messageReader>

/** Returns what checks the messages of a batch one after the other. */
export const messageReader = (deps: RouteDeps, context: Context) => {
  const { state } = context
  const { intake, config } = deps
  const slices = slicesFor(deps, context)
  const { caller } = state.identity as Identity
  const key = readIdempotencyKey(context.req)
  const mails: BatchMail[] = []
  const refusals: BatchRefusal[] = []
  const digests: Buffer[] = []
  let staged: StagedBatch | null = null
  let bytesOfMails = 0

  const stage = async (): Promise<void> => {
    const reply = await intake.StageBatch({
      caller,
      staged,
      mails: mails.splice(0),
      requestId: state.requestId,
      ...(key !== null && { keyed: { key, operation: batchOperation } }),
    })
    staged = reply.staged
    refusals.push(...reply.refusals)
    bytesOfMails = 0
  }

  const refuse = (number: number, { code, message: detail, problems }: Fault): void => {
    refusals.push({ number, code, detail, problems })
  }

  /** Once a response has as many problems as it names, intake checks no more messages. */
  const serviceProblems = async (raw: Record<string, unknown>) => {
    const known = refusals.reduce((sum, { problems }) => sum + problems.length, 0)
    return known >= maxProblems ? [] : serviceProblemsOf(raw, caller, intake)
  }

  return {
    mails,
    refusals,
    staged: () => staged,
    /** Returns the fingerprint of the messages. Without a key it is of no messages and is not used. */
    fingerprint: (): Buffer => {
      const sum = createHash('sha256')
      for (const digest of digests) sum.update(digest)
      return sum.digest()
    },
    /** Refuses an entry that is not an object. */
    refuseValue: (number: number, value: unknown): void => {
      if (key !== null) digests[number] = fingerprint(value)
      refuse(number, invalid({ path: '', code: 'wrong_type', message: noMessage }))
    },
    /** Parses and checks a message. @throws Fault `malformed_request` */
    add: async ({ number, bytes }: MessageBytes): Promise<void> => {
      if (number >= maxBatchMessages) return
      if (mails.length > 0 && bytesOfMails + bytes.length > waitingBytes) await stage()
      const isLong = bytes.length > shortBodyBytes
      if (!isLong) await slices.short()
      const raw = await parsed(slices, { number, bytes })
      if (key !== null) digests[number] = isLong ? await slices.run(fingerprintSteps(raw)) : fingerprint(raw)
      const checked = await slices.run(checkBody(sendEmail, raw, config, isLong), isLong)
      if (!checked.ok) {
        const more = await serviceProblems(checked.raw)
        refuse(number, bodyFault([...checked.problems, ...more]))
        return
      }
      mails.push({ number, mail: toMail(checked.body as SendEmail) })
      bytesOfMails += bytes.length
    },
  }
}

const parsed = async (slices: Slices, { number, bytes }: MessageBytes): Promise<unknown> => {
  try {
    return bytes.length > shortBodyBytes ? await slices.run(parseInSteps(bytes, names)) : parseJson(bytes)
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    const path = `messages[${number}]`
    throw new Fault(thrown.code, `${path}: ${thrown.message}`, {
      problems: thrown.problems.map((problem) => ({ ...problem, path })),
    })
  }
}
