import { BatchReply, batchOperation, SendBatch } from '@postrider/contracts/http/sendBatch.ts'
import { route } from '../route.ts'
import { submitHeaders, submitResponse } from '../sending/message.ts'
import type { BatchBody } from '../steps/readBatch.ts'

export const sendBatch = route({
  name: 'sendBatch',
  method: 'POST',
  path: '/api/v1/emails/batch',
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Accept up to 100 emails for delivery',
  description:
    'Accepts 1 to 100 messages, each with every field of a single one, in one request with one `Idempotency-Key`. All of them are accepted, or none: if one is refused, the response names every problem with its path (`messages[3].to[0]`). ' +
    'With `Batch-Validation: permissive` the messages that are not refused are accepted, and the response has a result for each message. ' +
    'The sends of all accepted messages count together: if they do not fit in the quota, nothing is accepted. ' +
    'A batch passes the rate limit when one message would, and then each of its messages counts. The body may have 50 MiB, one message 15 MiB. It must arrive within 30 seconds, not counting the time in which it waits for the service (400 otherwise, and nothing is accepted): 50 MiB need 14 Mbit/s, so send smaller batches over slower connections. ' +
    'Messages of a batch over 1 MiB are stored while the rest arrives. If too much is stored for batches that are not complete, nothing is accepted. The response is 429 `rate_limited` if this workspace has reached its limit, and 503 `unavailable` if all workspaces together have reached theirs and this one has its equal part. Retry after the seconds in `Retry-After`.',
  limit: 'send',
  carriesMessage: true,
  isBatch: true,
  idempotent: true,
  requestHeaders: {
    'Batch-Validation': {
      description: 'What happens if messages are refused. `strict`: nothing is accepted. `permissive`: the others are.',
      schema: { type: 'string', enum: ['strict', 'permissive'], default: 'strict' },
    },
  },
  body: SendBatch,
  reply: { status: 202, body: BatchReply, description: 'The accepted emails, or a result for each message.' },
  replyHeaders: submitHeaders,
  handle: async ({ body, caller, idempotency, requestId }, { intake }) => {
    // `readBatch` has read the messages.
    const batch = body as unknown as BatchBody
    const reply = await intake.SubmitBatch({
      ...batch,
      caller,
      idempotency,
      operation: batchOperation,
      requestId,
    })
    return submitResponse(reply)
  },
})
