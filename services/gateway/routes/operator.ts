import { Id, Page } from '@postrider/contracts/http/schema.ts'
import { ControlsList, ControlsRecord, UpdateControls } from '@postrider/contracts/http/workspace.ts'
import { mostPageBytes } from '@postrider/domain/listPage.ts'
import { listPage } from '../lists.ts'
import { controlsRecord, overrideText, present } from '../records.ts'
import { openRoute } from '../route.ts'

const path = '/api/v1/operator/workspaces'

export const listWorkspaces = openRoute({
  name: 'listWorkspaces',
  method: 'GET',
  path,
  operator: true,
  tag: 'Operator',
  summary: 'List every workspace',
  limit: null,
  query: Page,
  answerBytes: mostPageBytes,
  reply: { status: 200, body: ControlsList, description: 'A page of workspaces, newest first.' },
  handle: async ({ query }, { accounts, quota, cursors }) => {
    const { limit, before, body } = listPage(cursors, path, '', query)
    // One more than the page shows whether another page follows.
    const { workspaces } = await accounts.ListWorkspaces({ limit: limit + 1, before })
    const shown = workspaces.slice(0, limit).map((workspace) => controlsRecord(quota, workspace))
    return { json: body(await Promise.all(shown), workspaces.length > limit) }
  },
})

export const getControls = openRoute({
  name: 'getWorkspaceControls',
  method: 'GET',
  path: '/api/v1/operator/workspaces/:id',
  operator: true,
  tag: 'Operator',
  summary: 'Read the operator’s settings for a workspace',
  limit: null,
  params: Id,
  reply: { status: 200, body: ControlsRecord, description: 'The workspace.' },
  handle: async ({ params: { id } }, { accounts, quota }) => ({
    json: await controlsRecord(quota, await accounts.GetWorkspace({ workspace: id })),
  }),
})

export const setControls = openRoute({
  name: 'setWorkspaceControls',
  method: 'PATCH',
  path: '/api/v1/operator/workspaces/:id',
  operator: true,
  tag: 'Operator',
  summary: 'Change a workspace’s limits, stop its mail, leave a note',
  description:
    'An absent field stays as it is. `rate` and `burst` replace both a key’s default and the workspace’s limit.',
  limit: null,
  params: Id,
  body: UpdateControls,
  reply: { status: 200, body: ControlsRecord, description: 'The workspace after the change.' },
  handle: async ({ params: { id }, body: { limits, suspended, note } }, { accounts, quota, keyCache }) => {
    const { monthly, daily, rate, burst } = limits ?? {}
    // First, because it also checks that the workspace exists.
    const controls = present({ suspended, note, rate: overrideText(rate), burst: overrideText(burst) })
    const workspace = await accounts.SetWorkspaceControls({ workspace: id, ...controls })
    if (monthly !== undefined || daily !== undefined) {
      const sends = present({ monthly: overrideText(monthly), daily: overrideText(daily) })
      await quota.SetLimits({ workspace: id, ...sends })
    }
    keyCache.forget((known) => known.workspace === id)
    return { json: await controlsRecord(quota, workspace) }
  },
})
