import { EmailList } from '@postrider/contracts/http/emailRecord.ts'
import { ListEmails } from '@postrider/contracts/http/listEmails.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import type { Cursors } from '../cursors.ts'
import { listPage } from '../listPage.ts'
import { readerOf, readScopes } from '../reader.ts'
import { route } from '../route.ts'

const path = '/api/v1/emails'

export const listEmails = route({
  name: 'listEmails',
  method: 'GET',
  path,
  scope: readScopes,
  tag: 'Emails',
  summary: 'List sent and scheduled mail',
  description:
    'Newest first. A key sees mail of its own mode, a session both; a key with `emails:send` alone sees what it sent itself.',
  limit: 'read',
  query: ListEmails,
  reply: { status: 200, body: EmailList, description: 'A page of emails.' },
  handle: async (
    { query, ...asker },
    { intake, cursors }: { intake: Pick<Intake, 'ListEmails'>; cursors: Cursors },
  ) => {
    const reader = readerOf(asker)
    const { from_, limit: _, cursor: __, ...filters } = query
    const page = listPage(cursors, path, reader.workspace, query)
    const found = await intake.ListEmails({
      reader,
      limit: page.limit,
      before: page.before,
      ...present(filters),
      ...(from_ !== undefined && { from: from_ }),
    })
    const nextCursor = JSON.stringify(page.nextCursor(found.has_more, found.last_id))
    // The records come as JSON and leave as they came.
    const data = found.records_json.join(',')
    return { jsonText: `{"object":"list","data":[${data}],"has_more":${found.has_more},"next_cursor":${nextCursor}}` }
  },
})

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

const present = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>
