import { maxBatchMessages } from '@postrider/domain/email/batch.ts'
import { z } from 'zod'
import type { BatchRefusal } from '../services.ts'
import { EmailRecord } from './email.ts'
import { ProblemRecord } from './problem.ts'
import { boundedArray, strictObject } from './schema.ts'
import { SendEmail } from './sendEmail.ts'

/** A part of the scope of an `Idempotency-Key`, so stored. */
export const batchOperation = 'POST /api/v1/emails/batch'

/** Body of `POST /api/v1/emails/batch`. */
export const SendBatch = strictObject({
  messages: boundedArray(SendEmail, { min: 1, max: maxBatchMessages }).describe(
    'The messages, 1 to 100, each with every field of a single one.',
  ),
}).meta({
  id: 'SendBatch',
  description: 'Messages to send together.',
})

/** The body without its messages, which are read one after the other. */
export const BatchFrame = strictObject({ messages: boundedArray(z.unknown(), { min: 1, max: maxBatchMessages }) })

const pathIn = (number: number, path: string): string =>
  `messages[${number}]${path === '' || path.startsWith('[') ? '' : '.'}${path}`

/** Returns the problems of a refused message with their paths in the batch: `messages[3].to[0]`. */
export const problemsInBatch = ({ number, code, detail, problems }: BatchRefusal): BatchRefusal['problems'] =>
  problems.length === 0
    ? [{ path: pathIn(number, ''), code, message: detail }]
    : problems.map(({ path, ...problem }) => ({ path: pathIn(number, path), ...problem }))

const BatchResult = z
  .looseObject({
    index: z.int().describe('Index of the message in the request, from 0.'),
    status: z.int().describe('202: accepted; otherwise the status of `error`.').meta({ example: 202 }),
    email: EmailRecord.optional().describe('The accepted email.'),
    error: ProblemRecord.omit({ request_id: true })
      .optional()
      .describe('Reason why the message was refused; the paths of its `errors` are those in the message.'),
  })
  .meta({ id: 'BatchResult' })

/** The response to a batch. */
export const BatchReply = z
  .looseObject({
    object: z.literal('list'),
    data: z
      .array(z.union([EmailRecord, BatchResult]))
      .describe(
        'The accepted emails in the order of the messages; with `Batch-Validation: permissive` a result for each message.',
      ),
  })
  .meta({ id: 'Batch' })
