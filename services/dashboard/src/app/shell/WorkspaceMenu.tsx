import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemText } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { enterWorkspace, workspacesQuery } from '../../api/workspaces.ts'
import { Menu, MenuChoices, MenuHeading } from '../../ui/Menu.tsx'
import { useToast } from '../../ui/Toast.tsx'
import { Mark } from './Mark.tsx'

const planNames: Readonly<Record<string, string>> = { free: 'Free', pro: 'Pro', unlimited: 'Unlimited' }

/** The workspace of this tab, and the way to another one. */
export const WorkspaceMenu = () => {
  const api = useApi()
  const toast = useToast()
  const { workspace } = useSession()
  const { data } = useQuery(workspacesQuery(api))
  const memberships = data?.data ?? [{ id: workspace.id, name: workspace.name }]
  const enter = (id: string) => {
    if (id === workspace.id) return
    enterWorkspace(api, id).catch((error: unknown) => toast({ tone: 'bad', title: problemText(error) }))
  }
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex items-center gap-2.5 rounded-md px-1.5 py-1 text-left transition-colors hover:bg-hover"
        >
          <Mark className="size-7 shrink-0" />
          <span className="min-w-0 flex-1">
            <span className="sr-only">Workspace </span>
            <span className="block truncate text-small font-semibold">{workspace.name}</span>
            <span className="block truncate text-tiny text-faint">
              {planNames[workspace.plan] ?? workspace.plan} plan
            </span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-faint" />
        </button>
      }
    >
      <MenuHeading>Workspaces</MenuHeading>
      <MenuChoices
        label="Workspace"
        value={workspace.id}
        onChange={enter}
        choices={memberships.map(({ id, name }) => ({ value: id, label: <span className="truncate">{name}</span> }))}
      />
    </Menu>
  )
}
