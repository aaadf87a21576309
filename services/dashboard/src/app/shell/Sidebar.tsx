import { Link } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useSession } from '../../api/session.ts'
import { navigation, type Screen } from '../navigation.ts'
import { ModeSwitch } from './ModeSwitch.tsx'
import { UserMenu } from './UserMenu.tsx'
import { WorkspaceMenu } from './WorkspaceMenu.tsx'

const item =
  'flex h-8 items-center gap-2.5 rounded-md px-2 text-small font-medium text-muted transition-colors hover:bg-hover hover:text-ink data-[status=active]:bg-hover data-[status=active]:text-ink max-lg:h-10 max-lg:text-body'

/** Workspace, mode, search, screens, person. @param openPalette absent: the search has its own place */
export const Sidebar = ({ openPalette }: { openPalette?: () => void }) => (
  <div className="flex min-h-0 flex-1 flex-col gap-3 p-3">
    <WorkspaceMenu />
    <ModeSwitch />
    {openPalette && (
      <button
        type="button"
        onClick={openPalette}
        aria-keyshortcuts="Meta+K Control+K"
        className="flex h-8 items-center gap-2.5 rounded-md border border-line bg-surface px-2 text-small text-faint transition-colors hover:text-ink"
      >
        <Search aria-hidden className="size-4" />
        <span className="flex-1 text-left">Search</span>
        <kbd className="font-sans text-tiny">{isApple() ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
    )}
    <nav aria-label="Screens" className="-mx-1 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-1 py-1">
      {navigation.map((group) => (
        <div key={group.label ?? 'main'} className="flex flex-col gap-0.5">
          {group.label && <p className="px-2 pb-1 text-tiny font-medium text-faint">{group.label}</p>}
          {group.screens.map((screen) => (
            <NavigationLink key={screen.to} screen={screen} />
          ))}
        </div>
      ))}
    </nav>
    <UserMenu />
  </div>
)

const NavigationLink = ({ screen: { to, label, icon: Icon, only } }: { screen: Screen }) => {
  const { role } = useSession()
  if (only !== undefined && role !== only) return null
  return (
    <Link to={to} className={item}>
      <Icon aria-hidden className="size-4" />
      {label}
    </Link>
  )
}

/** Whether the keyboard has a command key. */
const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)
