import type { Replay, Webhook } from '../../api/webhooks.ts'
import { AbsoluteTime, RelativeTime, useNow } from '../../ui/RelativeTime.tsx'
import { Panel } from '../../ui/Table.tsx'

/** How long the result of a replay is shown. */
const shownMs = 3_600_000

/** The newest replay, while it runs and some time after. */
export const ReplayProgress = ({ webhook: { replay } }: { webhook: Webhook }) => {
  const now = useNow()
  if (!replay || (replay.ended_at !== null && now - Date.parse(replay.ended_at) > shownMs)) return null
  const percent = replay.status === 'done' ? 100 : Math.round(replay.progress * 100)
  return (
    <Panel className="px-4 py-3.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-medium">{titles[replay.status]}</h2>
        <span className="text-small text-muted tabular-nums" role="status">
          {resultText(replay)}
        </span>
      </div>
      <div
        role="progressbar"
        aria-label="Part of the time window that was sent"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="my-2.5 h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div
          className={`h-full rounded-full transition-[width] ${replay.status === 'done' ? 'bg-good' : 'bg-info'}`}
          style={{ width: `${percent}%` }}
        />
      </div>
      <p className="text-small text-muted">
        Events from <AbsoluteTime at={replay.from} /> to <AbsoluteTime at={replay.to} />.
        {replay.ended_at !== null && (
          <>
            {' '}
            Ended <RelativeTime at={replay.ended_at} />.
          </>
        )}
      </p>
    </Panel>
  )
}

const titles: Readonly<Record<Replay['status'], string>> = {
  running: 'Replay in progress',
  done: 'Replay finished',
  canceled: 'Replay canceled, because the endpoint was disabled',
}

const resultText = ({ sent, delivered }: Replay): string =>
  sent === 0 ? 'No event sent' : `${sent} ${sent === 1 ? 'event' : 'events'} sent, ${delivered} accepted immediately`
