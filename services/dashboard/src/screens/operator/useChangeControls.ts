import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../api/ApiProvider.tsx'
import type { components } from '../../api/gen/schema.ts'
import { type Controls, storeControls } from '../../api/operator.ts'
import { useToast } from '../../ui/Toast.tsx'

type Change = components['schemas']['UpdateWorkspaceControls']

/** Returns a function that changes the operator's settings of a workspace, and shows what was done. */
export const useChangeControls = ({ id }: Controls) => {
  const api = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  return async (body: Change, done: string): Promise<void> => {
    await storeControls(queries, await api.patch('/api/v1/operator/workspaces/{id}', { path: { id }, body }))
    toast({ title: done })
  }
}
