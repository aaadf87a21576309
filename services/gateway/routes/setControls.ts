import { Id } from '@postrider/contracts/http/lists.ts'
import { ControlsRecord, UpdateControls } from '@postrider/contracts/http/operator.ts'
import { controlsRecord } from '../controlsRecord.ts'
import type { RouteDeps } from '../deps.ts'
import { overrideText } from '../overrides.ts'
import { openRoute } from '../route.ts'

export const setControls = openRoute({
  name: 'setWorkspaceControls',
  method: 'PATCH',
  path: '/api/v1/operator/workspaces/:id',
  operator: true,
  tag: 'Operator',
  summary: 'Change a workspace’s limits, stop its mail, leave a note',
  description: 'What is absent stays. `rate` and `burst` replace both a key’s default and the workspace’s limit.',
  limit: null,
  params: Id,
  body: UpdateControls,
  reply: { status: 200, body: ControlsRecord, description: 'The workspace after the change.' },
  handle: async (
    { params: { id }, body: { limits, suspended, note } },
    { accounts, quota, keyCache }: Pick<RouteDeps, 'accounts' | 'quota' | 'keyCache'>,
  ) => {
    const { monthly, daily, rate, burst } = limits ?? {}
    // First, for it also tells whether there is such a workspace.
    const workspace = await accounts.SetWorkspaceControls({
      workspace: id,
      ...(suspended !== undefined && { suspended }),
      ...(note !== undefined && { note }),
      ...(rate !== undefined && { rate: overrideText(rate) }),
      ...(burst !== undefined && { burst: overrideText(burst) }),
    })
    if (monthly !== undefined || daily !== undefined) {
      await quota.SetLimits({
        workspace: id,
        ...(monthly !== undefined && { monthly: overrideText(monthly) }),
        ...(daily !== undefined && { daily: overrideText(daily) }),
      })
    }
    keyCache.forget((known) => known.workspace === id)
    return { json: await controlsRecord(quota, workspace) }
  },
})
