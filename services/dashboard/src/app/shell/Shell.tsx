import { useIsOperator } from '../../api/operatorAccess.ts'
import { useSession } from '../../api/session.ts'
import { useFollowFeed } from '../live/useFollowFeed.ts'
import { useMode } from '../mode.tsx'
import { mayOpen, screens } from '../navigation.ts'
import { useCommands } from './commands.ts'
import { Frame } from './Frame.tsx'
import { Sidebar } from './Sidebar.tsx'
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
