import { useIsOperator } from '../../api/operatorAccess.ts'
import { useSession } from '../../api/session.ts'
import { useFollowFeed } from '../live/useFollowFeed.ts'
import { useMode } from '../mode.tsx'
import { mayOpen, navigation, screens } from '../navigation.ts'
import { useCommands } from './commands.ts'
import { Frame } from './Frame.tsx'
import { ModeSwitch } from './ModeSwitch.tsx'
import { ScreenLinks, SearchButton } from './sidebarParts.tsx'
import { UserMenu } from './UserMenu.tsx'
import { WorkspaceMenu } from './WorkspaceMenu.tsx'
import { WorkspaceNotices } from './WorkspaceNotices.tsx'

/** The frame of every screen behind the login. */
export const Shell = () => {
  useFollowFeed()
  const { mode } = useMode()
  const { role } = useSession()
  const isOperator = useIsOperator()
  return (
    <Frame
      name="Postrider"
      sidebar={(openPalette) => <Sidebar openPalette={openPalette} />}
      useCommands={useCommands}
      screens={screens.filter((screen) => mayOpen(screen, { role, isOperator }))}
      notices={<WorkspaceNotices />}
      isTest={mode === 'test'}
    />
  )
}

/** Workspace, mode, search, screens, person. @param openPalette absent: the search is elsewhere */
const Sidebar = ({ openPalette }: { openPalette: (() => void) | undefined }) => {
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
