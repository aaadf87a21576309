import { Id } from '@postrider/contracts/http/lists.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { readerOf, readScopes } from '../reader.ts'
import { route } from '../route.ts'

export const getRawEmail = route({
  name: 'getRawEmail',
  method: 'GET',
  path: '/api/v1/emails/:id/raw',
  scope: readScopes,
  tag: 'Emails',
  summary: 'Read the message as it is handed to the next server',
  limit: 'read',
  params: Id,
  reply: {
    status: 200,
    type: 'message/rfc822',
    description: 'The whole message, header and body, with CRLF line ends.',
  },
  handle: async ({ params: { id }, ...asker }, { intake }: { intake: Pick<Intake, 'GetRaw'> }) => {
    const { raw } = await intake.GetRaw({ reader: readerOf(asker), id })
    return {
      bytes: raw,
      type: 'message/rfc822',
      headers: { 'Content-Disposition': `attachment; filename="${id}.eml"` },
    }
  },
})
