import { EmailDetail } from '@postrider/contracts/http/emailRecord.ts'
import { Id } from '@postrider/contracts/http/lists.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { readerOf, readScopes } from '../reader.ts'
import { route } from '../route.ts'

export const getEmail = route({
  name: 'getEmail',
  method: 'GET',
  path: '/api/v1/emails/:id',
  scope: readScopes,
  tag: 'Emails',
  summary: 'Read one email with its attempts and events',
  limit: 'read',
  params: Id,
  reply: {
    status: 200,
    body: EmailDetail,
    description: 'The email, every attempt with its SMTP conversation, every event.',
  },
  handle: async ({ params: { id }, ...asker }, { intake }: { intake: Pick<Intake, 'GetEmail'> }) => {
    const { record_json } = await intake.GetEmail({ reader: readerOf(asker), id })
    return { jsonText: record_json }
  },
})
