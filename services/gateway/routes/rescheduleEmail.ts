import { EmailDetail, RescheduleEmail } from '@postrider/contracts/http/email.ts'
import { Id } from '@postrider/contracts/http/schema.ts'
import { route } from '../route.ts'
import { changerOf } from './emails.ts'

export const rescheduleEmail = route({
  name: 'rescheduleEmail',
  method: 'PATCH',
  path: '/api/v1/emails/:id',
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Move an email to another time',
  description:
    'For mail without an attempt, whether it was scheduled or waits for another reason. After an attempt has begun, and for mail that was canceled, it is a `conflict`. `expires_in` counts from the new time. A key that is limited to `recipients` or `domains` moves only mail that it may send itself: `forbidden`.',
  limit: 'write',
  params: Id,
  body: RescheduleEmail,
  reply: { status: 200, body: EmailDetail, description: 'The email with its new time.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ params: { id }, body, ...identity }, { intake }) => {
    const { record_json } = await intake.RescheduleEmail({ reader: changerOf(identity), id, sendAt: body.scheduled_at })
    return { jsonText: record_json }
  },
})
