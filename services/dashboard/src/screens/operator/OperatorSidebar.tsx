import { Link } from '@tanstack/react-router'
import { BookOpen, ChevronsUpDown, LayoutDashboard, LogOut, ServerCog } from 'lucide-react'
import { operatorNavigation } from '../../app/operatorNavigation.ts'
import { AppearanceChoices } from '../../app/shell/AppearanceChoices.tsx'
import { Mark } from '../../app/shell/Mark.tsx'
import { ScreenLinks, SearchButton } from '../../app/shell/sidebarParts.tsx'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../ui/Menu.tsx'
import { leaveOperatorArea } from './leave.ts'

/** Service, search, screens of the operator, and the ways out. @param openPalette absent: the search has its own place */
export const OperatorSidebar = ({ openPalette }: { openPalette: (() => void) | undefined }) => (
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
            <ServerCog className="size-4" />
          </span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-small">{location.host}</span>
            <span className="block truncate text-tiny text-faint">By the operator token</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-faint" />
        </button>
      }
    >
      <AppearanceChoices />
      <MenuSeparator />
      <MenuLink>
        <Link to="/">
          <LayoutDashboard aria-hidden className="size-4" />
          Dashboard of a workspace
        </Link>
      </MenuLink>
      <MenuLink>
        <a href="/docs">
          <BookOpen aria-hidden className="size-4" />
          Documentation
        </a>
      </MenuLink>
      <MenuItem icon={LogOut} onSelect={leaveOperatorArea}>
        Forget the token
      </MenuItem>
    </Menu>
  </div>
)
