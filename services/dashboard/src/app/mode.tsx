import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import type { Mode } from '../api/types.ts'
import { Badge } from '../ui/Badge.tsx'
import { storedMode, storeMode } from './storedMode.ts'

type ModeChoice = { mode: Mode; setMode: (mode: Mode) => void }

const ModeContext = createContext<ModeChoice>({ mode: 'live', setMode: () => {} })

/** Provides whether this tab shows live or test mail. Each tab has its own choice, which a reload keeps. */
export const ModeProvider = ({ children }: { children: ReactNode }) => {
  const [mode, setShown] = useState(storedMode)
  const setMode = useCallback((chosen: Mode) => {
    setShown(chosen)
    storeMode(chosen)
  }, [])
  const choice = useMemo(() => ({ mode, setMode }), [mode, setMode])
  return <ModeContext value={choice}>{children}</ModeContext>
}

/** Returns the mode of this tab, and a function that changes it. */
export const useMode = (): ModeChoice => use(ModeContext)

/** Marks the heading of a screen that shows test mail. */
export const ModeBadge = () => (useMode().mode === 'test' ? <Badge tone="warn">Test</Badge> : null)
