import { Link } from '@tanstack/react-router'
import { BookOpen, LogOut, Search, UserRound } from 'lucide-react'
import { MenuItem, MenuLink } from '../../ui/Menu.tsx'
import type { Screen, ScreenGroup } from '../navigation.ts'

const item =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-small font-medium text-muted transition-colors hover:bg-hover hover:text-ink data-[status=active]:bg-hover data-[status=active]:text-ink max-lg:h-10 max-lg:text-body'

/** Opens the palette. */
export const SearchButton = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    onClick={onClick}
    aria-keyshortcuts="Meta+K Control+K"
    className="flex h-8 items-center gap-2.5 rounded-md border border-line bg-surface px-2 text-small text-faint transition-colors hover:text-ink"
  >
    <Search aria-hidden className="size-4" />
    <span className="flex-1 text-left">Search</span>
    <kbd className="font-sans text-tiny">{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
  </button>
)

/** The links to screens by group. A group without a shown screen is left out. */
export const ScreenLinks = ({
  groups,
  isShown,
}: {
  groups: readonly ScreenGroup[]
  isShown: (screen: Screen) => boolean
}) => (
  <nav aria-label="Screens" className="-mx-1 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-1 py-1">
    {groups
      .map(({ label, screens }) => ({ label, screens: screens.filter(isShown) }))
      .filter(({ screens }) => screens.length > 0)
      .map(({ label, screens }) => (
        <div key={label ?? 'main'} className="flex flex-col gap-0.5">
          {label && <p className="px-2 pb-1 text-tiny font-medium text-faint">{label}</p>}
          {screens.map(({ to, label: name, icon: Icon }) => (
            <Link key={to} to={to} className={item}>
              <Icon aria-hidden className="size-4" />
              {name}
            </Link>
          ))}
        </div>
      ))}
  </nav>
)

export const AccountLink = () => (
  <MenuLink>
    <Link to="/settings/account">
      <UserRound aria-hidden className="size-4" />
      Your account
    </Link>
  </MenuLink>
)

export const DocumentationLink = () => (
  <MenuLink>
    <a href="/docs">
      <BookOpen aria-hidden className="size-4" />
      Documentation
    </a>
  </MenuLink>
)

export const LogOutItem = ({ onSelect }: { onSelect: () => void }) => (
  <MenuItem icon={LogOut} onSelect={onSelect}>
    Log out
  </MenuItem>
)

/** Whether the keyboard has a command key. */
const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)
