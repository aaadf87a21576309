import { Link } from '@tanstack/react-router'
import { BookOpen, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { Menu, MenuChoices, MenuHeading, MenuItem, MenuLink, MenuSeparator } from '../../ui/Menu.tsx'
import { chooseTheme, storedTheme, type Theme } from '../theme.ts'
import { useLogOut } from './useLogOut.ts'

const themeChoices: readonly { value: Theme; name: string; icon: typeof Sun }[] = [
  { value: 'system', name: 'As the system', icon: Monitor },
  { value: 'light', name: 'Light', icon: Sun },
  { value: 'dark', name: 'Dark', icon: Moon },
]

/** The person, the theme of this browser, and the end of the session. */
export const UserMenu = () => {
  const { user, role } = useSession()
  const [theme, setTheme] = useState(storedTheme)
  const logOut = useLogOut()
  const choose = (chosen: Theme) => {
    chooseTheme(chosen)
    setTheme(chosen)
  }
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
      <MenuHeading>Appearance</MenuHeading>
      <MenuChoices
        label="Appearance"
        value={theme}
        onChange={choose}
        choices={themeChoices.map(({ value, name, icon: Icon }) => ({
          value,
          label: (
            <>
              <Icon aria-hidden className="size-4 text-muted" />
              {name}
            </>
          ),
        }))}
      />
      <MenuSeparator />
      <MenuLink>
        <Link to="/settings/account">
          <UserRound aria-hidden className="size-4" />
          Your account
        </Link>
      </MenuLink>
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
