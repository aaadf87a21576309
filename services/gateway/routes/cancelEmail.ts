import { EmailDetail } from '@postrider/contracts/http/emailRecord.ts'
import { Id } from '@postrider/contracts/http/lists.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { readerOf } from '../reader.ts'
import { route } from '../route.ts'

export const cancelEmail = route({
  name: 'cancelEmail',
  method: 'POST',
  path: '/api/v1/emails/:id/cancel',
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Cancel an email that no attempt was made for',
  description:
    'The quota is given back. Cancelling again answers the same; once an attempt has begun it is a `conflict`.',
  limit: 'write',
  params: Id,
  reply: { status: 200, body: EmailDetail, description: 'The cancelled email.' },
  errors: ['conflict'],
  handle: async ({ params: { id }, ...asker }, { intake }: { intake: Pick<Intake, 'CancelEmail'> }) => {
    const { record_json } = await intake.CancelEmail({ reader: readerOf(asker), id })
    return { jsonText: record_json }
  },
})
