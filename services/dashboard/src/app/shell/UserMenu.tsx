import { Link } from '@tanstack/react-router'
import { ServerCog } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { Menu, MenuLink, MenuSeparator } from '../../ui/Menu.tsx'
import { AppearanceChoices } from './AppearanceChoices.tsx'
import { AccountLink, DocumentationLink, LogOutItem } from './sidebarParts.tsx'
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
      <AccountLink />
      {user.operator && (
        <MenuLink>
          <Link to="/operator">
            <ServerCog aria-hidden className="size-4" />
            Operator
          </Link>
        </MenuLink>
      )}
      <DocumentationLink />
      <LogOutItem onSelect={logOut} />
    </Menu>
  )
}
