import { Outlet, useRouterState } from '@tanstack/react-router'
import { Menu as MenuIcon, Search } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Screen } from '../navigation.ts'
import { CommandPalette } from './CommandPalette.tsx'
import type { Command } from './command.ts'
import { MobileNavigation } from './MobileNavigation.tsx'
import { useContentFocus } from './useContentFocus.ts'
import { useRowFocus } from './useRowFocus.ts'
import { useShortcuts } from './useShortcuts.ts'

/**
 * A frame of screens: navigation, palette, content.
 * @param name what the header of a narrow screen shows
 * @param sidebar the navigation; without `openPalette` the search is elsewhere
 * @param useCommands returns what the palette finds for a text
 * @param screens those that G and a key open
 * @param notices what is shown above every screen
 */
export const Frame = ({
  name,
  sidebar,
  useCommands,
  screens,
  notices,
  isTest = false,
}: {
  name: string
  sidebar: (openPalette?: () => void) => ReactNode
  useCommands: (text: string) => readonly Command[]
  screens: readonly Screen[]
  notices?: ReactNode
  /** Whether a line at the upper edge marks test mail. */
  isTest?: boolean
}) => {
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [isNavigationOpen, setNavigationOpen] = useState(false)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const content = useContentFocus()
  useRowFocus(content)
  const openPalette = () => setPaletteOpen(true)
  useShortcuts({ openPalette, screens })
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
        {sidebar(openPalette)}
      </aside>
      <header className="sticky top-0 z-20 flex h-12 items-center gap-1 border-b border-line bg-page px-2 lg:hidden">
        <IconButton
          icon={MenuIcon}
          label="Open navigation"
          className="size-10"
          onClick={() => setNavigationOpen(true)}
        />
        <span className="flex-1 font-semibold">{name}</span>
        <IconButton icon={Search} label="Search" className="size-10" onClick={openPalette} />
      </header>
      <main ref={content} id="content" tabIndex={-1} className="group/main min-w-0 outline-none">
        {/* As wide as the content of the screen: a band over the whole width would end before the scrollbar. */}
        <div className="mx-auto w-full max-w-6xl px-4 group-has-[>[data-width=read]]/main:max-w-3xl sm:px-8">
          {isTest && <div className="h-0.5 rounded-b-full bg-warn" />}
          {notices}
        </div>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <MobileNavigation open={isNavigationOpen} onClose={() => setNavigationOpen(false)}>
        {sidebar()}
      </MobileNavigation>
      <CommandPalette useCommands={useCommands} open={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
    </div>
  )
}
