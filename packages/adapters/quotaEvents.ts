import { createHash } from 'node:crypto'
import type { QuotaCrossing } from '@postrider/domain/quota/thresholds.ts'
import { idOf } from '@postrider/kit/ids.ts'
import type { NewWorkspaceEvent } from '@postrider/ports/workspaceEvents.ts'

/** Returns the event of a threshold that was reached. Its id is determined by workspace, period, limit and percentage. */
export const quotaEvent = ({ type, workspace, mark, startsAt, data }: QuotaCrossing): NewWorkspaceEvent => ({
  id: idOf('evt', startsAt, createHash('sha256').update(`quota ${workspace} ${mark}`).digest()),
  type,
  workspace,
  mode: 'live',
  data,
})
