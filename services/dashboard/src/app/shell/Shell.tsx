import { Outlet, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { useMode } from '../mode.tsx'
import { CommandPalette } from './CommandPalette.tsx'
import { MobileNavigation } from './MobileNavigation.tsx'
import { Sidebar } from './Sidebar.tsx'
import { useContentFocus } from './useContentFocus.ts'
import { useShortcuts } from './useShortcuts.ts'
import { WorkspaceNotices } from './WorkspaceNotices.tsx'

/** The frame of every screen behind the log-in: navigation, mode, palette. */
export const Shell = () => {
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isNavigationOpen, setNavigationOpen] = useState(false)
  const { mode } = useMode()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const content = useContentFocus()
  useShortcuts({ openPalette: () => setPaletteOpen(true) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation closes with each change of the path
  useEffect(() => setNavigationOpen(false), [path])
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only z-50 rounded-md bg-solid px-3 py-2 text-on-solid focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 flex h-dvh flex-col border-r border-line bg-sunken max-lg:hidden">
        <Sidebar openPalette={() => setPaletteOpen(true)} />
      </aside>
      <header className="sticky top-0 z-20 flex h-12 items-center gap-1 border-b border-line bg-page px-2 lg:hidden">
        <IconButton
          icon={MenuIcon}
          label="Open navigation"
          className="size-10"
          onClick={() => setNavigationOpen(true)}
        />
        <span className="flex-1 font-semibold">Postrider</span>
        <IconButton icon={Search} label="Search" className="size-10" onClick={() => setPaletteOpen(true)} />
      </header>
      <main
        ref={content}
        id="content"
        tabIndex={-1}
        className={classes('min-w-0 outline-none', mode === 'test' && 'border-t-2 border-warn')}
      >
        <WorkspaceNotices />
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <MobileNavigation open={isNavigationOpen} onClose={() => setNavigationOpen(false)} />
      <CommandPalette open={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  )
}
