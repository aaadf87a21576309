import { ApiKeyList } from '@postrider/contracts/http/apiKeyRecord.ts'
import { Page } from '@postrider/contracts/http/lists.ts'
import type { Accounts } from '@postrider/contracts/services.ts'
import { apiKeyRecord } from '../apiKeyRecord.ts'
import type { Cursors } from '../cursors.ts'
import { listBody, listPage } from '../listPage.ts'
import { sessionRoute } from '../route.ts'

const path = '/api/v1/api-keys'

export const listKeys = sessionRoute({
  name: 'listApiKeys',
  method: 'GET',
  path,
  session: true,
  tag: 'API keys',
  summary: 'List the workspace’s API keys',
  description: 'Also those revoked of late. Lists show how a key begins and ends, and its last use.',
  limit: 'read',
  query: Page,
  reply: { status: 200, body: ApiKeyList, description: 'A page of keys, newest first.' },
  handle: async (
    { query, caller: { workspace } },
    { accounts, cursors }: { accounts: Pick<Accounts, 'ListKeys'>; cursors: Cursors },
  ) => {
    const { limit, before, nextCursor } = listPage(cursors, path, workspace, query)
    // The accounts give all at once, newest first: a workspace has few keys. Ids sort by the time they were made.
    const { keys } = await accounts.ListKeys({ workspace })
    const older = before === '' ? keys : keys.filter(({ id }) => id < before)
    const data = older.slice(0, limit).map(apiKeyRecord)
    const hasMore = older.length > limit
    return { json: listBody(data, hasMore, nextCursor(hasMore, data.at(-1)?.id)) }
  },
})
