import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { absoluteTime, relativeTime, shortTime } from './times.ts'

const NowContext = createContext(0)

const tickMs = 10_000

/** Gives everything inside it the current time, so that all relative times change together. */
export const NowProvider = ({ children }: { children: ReactNode }) => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return <NowContext value={now}>{children}</NowContext>
}

/** Returns the current time in milliseconds, to ten seconds. */
export const useNow = (): number => use(NowContext)

/** A time as its distance from now. The exact one is shown on hover, in the zone of the viewer. */
export const RelativeTime = ({ at, className }: { at: string; className?: string }) => (
  <time dateTime={at} title={absoluteTime(at)} className={className}>
    {relativeTime(Date.parse(at), useNow())}
  </time>
)

/** A time in full, in the zone of the viewer. */
export const AbsoluteTime = ({ at, className }: { at: string; className?: string }) => (
  <time dateTime={at} title={at} className={className}>
    {absoluteTime(at)}
  </time>
)

/** A time to the second. The full time is shown on hover. */
export const ShortTime = ({ at, className }: { at: string; className?: string }) => (
  <time dateTime={at} title={absoluteTime(at)} className={className}>
    {shortTime(at)}
  </time>
)
