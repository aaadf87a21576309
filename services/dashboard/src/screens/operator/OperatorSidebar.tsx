import { Link } from '@tanstack/react-router'
import { ChevronsUpDown, LayoutDashboard, LogOut, ServerCog } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../../api/session.ts'
import { operatorNavigation } from '../../app/operatorNavigation.ts'
import { AppearanceChoices } from '../../app/shell/AppearanceChoices.tsx'
import { Mark } from '../../app/shell/Mark.tsx'
import { AccountLink, DocumentationLink, LogOutItem, ScreenLinks, SearchButton } from '../../app/shell/sidebarParts.tsx'
import { useLogOut } from '../../app/shell/useLogOut.ts'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../ui/Menu.tsx'
import { leaveOperatorArea } from './leave.ts'

/** Absent: the search is elsewhere. */
type SidebarOptions = { openPalette: (() => void) | undefined }

/** The sidebar of a tab with the operator's token. */
export const TokenSidebar = (options: SidebarOptions) => (
  <OperatorSidebar
    {...options}
    sign={<ServerCog className="size-4" />}
    name={location.host}
    by="By the operator token"
    ways={
      <MenuItem icon={LogOut} onSelect={leaveOperatorArea}>
        Forget the token
      </MenuItem>
    }
  />
)

/** The sidebar of a person who is an operator. */
export const SessionSidebar = (options: SidebarOptions) => {
  const { user } = useSession()
  const logOut = useLogOut()
  return (
    <OperatorSidebar
      {...options}
      sign={<span className="text-tiny font-semibold uppercase">{user.email.slice(0, 1)}</span>}
      name={user.email}
      by="Operator"
      account={<AccountLink />}
      ways={<LogOutItem onSelect={logOut} />}
    />
  )
}

/**
 * Service, search, screens of the operator, and the ways out.
 * @param name who acts
 * @param by how
 * @param ways how to end it
 */
const OperatorSidebar = ({
  openPalette,
  sign,
  name,
  by,
  account,
  ways,
}: SidebarOptions & { sign: ReactNode; name: string; by: string; account?: ReactNode; ways: ReactNode }) => (
  <div className="flex min-h-0 flex-1 flex-col gap-3 p-3">
    <div className="flex items-center gap-2.5 px-1.5 py-1">
      <Mark className="size-7 shrink-0" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-small font-semibold">Operator</span>
        <span className="block truncate text-tiny text-faint">All workspaces</span>
      </span>
    </div>
    {openPalette && <SearchButton onClick={openPalette} />}
    <ScreenLinks groups={operatorNavigation} isShown={() => true} />
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex items-center gap-2.5 rounded-md px-1.5 py-1 text-left transition-colors hover:bg-hover"
        >
          <span aria-hidden className="flex size-7 shrink-0 items-center justify-center rounded-full bg-line text-ink">
            {sign}
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-small">{name}</span>
            <span className="block truncate text-tiny text-faint">{by}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-faint" />
        </button>
      }
    >
      <AppearanceChoices />
      <MenuSeparator />
      {account}
      <MenuLink>
        <Link to="/">
          <LayoutDashboard aria-hidden className="size-4" />
          Dashboard of a workspace
        </Link>
      </MenuLink>
      <DocumentationLink />
      {ways}
    </Menu>
  </div>
)
