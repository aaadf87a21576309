import { EmailDetail } from '@postrider/contracts/http/emailRecord.ts'
import { Id } from '@postrider/contracts/http/lists.ts'
import { ResolveEmail } from '@postrider/contracts/http/resolveEmail.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { readerOf } from '../reader.ts'
import { route } from '../route.ts'

export const resolveEmail = route({
  name: 'resolveEmail',
  method: 'POST',
  path: '/api/v1/emails/:id/resolve',
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Decide what became of recipients in doubt',
  description: 'For status `unknown`: the message was sent and the reply was lost, so only a person can tell.',
  limit: 'write',
  params: Id,
  body: ResolveEmail,
  reply: { status: 200, body: EmailDetail, description: 'The email after the decision.' },
  errors: ['conflict'],
  handle: async ({ params: { id }, body, ...asker }, { intake }: { intake: Pick<Intake, 'ResolveEmail'> }) => {
    const { record_json } = await intake.ResolveEmail({ reader: readerOf(asker), id, as: body.as })
    return { jsonText: record_json }
  },
})
