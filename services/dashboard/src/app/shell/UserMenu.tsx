import { Link } from '@tanstack/react-router'
import { BookOpen, LogOut, ServerCog, UserRound } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../ui/Menu.tsx'
import { AppearanceChoices } from './AppearanceChoices.tsx'
import { useLogOut } from './useLogOut.ts'

/** The person, the theme of this browser, and the end of the session. */
export const UserMenu = () => {
  const { user, role } = useSession()
  const logOut = useLogOut()
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          className="flex items-center gap-2.5 rounded-md px-1.5 py-1 text-left transition-colors hover:bg-hover"
        >
          <span
            aria-hidden
            className="flex size-7 shrink-0 items-center justify-center rounded-full bg-line text-tiny font-semibold text-ink uppercase"
          >
            {user.email.slice(0, 1)}
          </span>
          <span className="min-w-0 flex-1">
            <span className="sr-only">Account </span>
            <span className="block truncate text-small">{user.email}</span>
            <span className="block text-tiny text-faint capitalize">{role}</span>
          </span>
        </button>
      }
    >
      <AppearanceChoices />
      <MenuSeparator />
      <MenuLink>
        <Link to="/settings/account">
          <UserRound aria-hidden className="size-4" />
          Your account
        </Link>
      </MenuLink>
      {user.operator && (
        <MenuLink>
          <Link to="/operator">
            <ServerCog aria-hidden className="size-4" />
            Operator
          </Link>
        </MenuLink>
      )}
      <MenuLink>
        <a href="/docs">
          <BookOpen aria-hidden className="size-4" />
          Documentation
        </a>
      </MenuLink>
      <MenuItem icon={LogOut} onSelect={logOut}>
        Log out
      </MenuItem>
    </Menu>
  )
}
