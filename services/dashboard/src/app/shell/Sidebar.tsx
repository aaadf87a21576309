import { useIsOperator } from '../../api/operatorAccess.ts'
import { useSession } from '../../api/session.ts'
import { mayOpen, navigation } from '../navigation.ts'
import { ModeSwitch } from './ModeSwitch.tsx'
import { ScreenLinks, SearchButton } from './sidebarParts.tsx'
import { UserMenu } from './UserMenu.tsx'
import { WorkspaceMenu } from './WorkspaceMenu.tsx'

/** Workspace, mode, search, screens, person. @param openPalette absent: the search has its own place */
export const Sidebar = ({ openPalette }: { openPalette: (() => void) | undefined }) => {
  const { role } = useSession()
  const isOperator = useIsOperator()
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 p-3">
      <WorkspaceMenu />
      <ModeSwitch />
      {openPalette && <SearchButton onClick={openPalette} />}
      <ScreenLinks groups={navigation} isShown={(screen) => mayOpen(screen, { role, isOperator })} />
      <UserMenu />
    </div>
  )
}
