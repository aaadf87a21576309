import { useNow } from '../../ui/RelativeTime.tsx'
import { absoluteTime, hourMs, relativeTime } from '../../ui/times.ts'

/** Shows when a person was seen last. The time is stored to the hour, so minutes would be wrong. */
export const LastSeen = ({ at, className }: { at: string; className?: string }) => {
  const [since, now] = [Date.parse(at), useNow()]
  return (
    <time dateTime={at} title={`In the hour from ${absoluteTime(at)}`} className={className}>
      {now - since < hourMs ? 'in the last hour' : relativeTime(since, now)}
    </time>
  )
}
