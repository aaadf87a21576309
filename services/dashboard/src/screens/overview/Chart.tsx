import { lazy, type ReactNode, Suspense, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Panel } from '../../ui/Table.tsx'
import type { PlotSpec } from './plotSpec.ts'

/** Loaded alongside the screen and the numbers, which it does not wait for. */
const loading = import('./Plot.tsx')
const Plot = lazy(async () => ({ default: (await loading).Plot }))

/** An entry of a legend: what a color means, and its number. */
export type LegendEntry = { label: string; swatch: string; value: string }

/** Shows what the colors of a chart mean. */
const Legend = ({ entries }: { entries: readonly LegendEntry[] }) => (
  <dl className="grid grid-cols-[repeat(auto-fill,minmax(5rem,1fr))] gap-x-3 gap-y-2">
    {entries.map(({ label, swatch, value }) => (
      <div key={label}>
        <dt className="flex items-center gap-1.5 text-tiny text-faint">
          <span aria-hidden className={classes('size-2 shrink-0 rounded-xs', swatch)} />
          {label}
        </dt>
        <dd className="h-5 truncate text-small font-medium tabular-nums">{value}</dd>
      </div>
    ))}
  </dl>
)

/**
 * A chart in an area of fixed height, with its heading and legend. The legend has the numbers of the bucket under the
 * pointer, else those of the whole range.
 * @param spec null: it is being read
 * @param legend returns the entries of a bucket; null: of the range
 */
export const Chart = ({
  title,
  hint,
  spec,
  height,
  summary,
  legend,
  timeOf,
  whole,
}: {
  title: string
  hint?: ReactNode
  spec: PlotSpec | null
  /** Class of the height of the plot. */
  height: string
  /** The chart in a sentence, for screen readers. */
  summary: string
  legend: (position: number | null) => readonly LegendEntry[]
  timeOf: (position: number) => string
  /** Name of the whole range. */
  whole: string
}) => {
  const [pointed, setPointed] = useState<number | null>(null)
  const position = spec && pointed !== null && pointed < spec.times.length ? pointed : null
  const skeleton = <Skeleton className="size-full" />
  return (
    <Panel className="flex min-w-0 flex-col gap-3 p-4">
      <div className="flex h-6 items-center justify-between gap-3">
        <h2 className="truncate font-semibold">{title}</h2>
        <span className="shrink-0 text-tiny text-faint">{position === null ? whole : timeOf(position)}</span>
      </div>
      <Legend entries={legend(position)} />
      <div className={height}>
        {spec ? (
          <Suspense fallback={skeleton}>
            <Plot spec={spec} label={summary} onPoint={setPointed} />
          </Suspense>
        ) : (
          skeleton
        )}
      </div>
      {hint && <p className="text-tiny text-faint">{hint}</p>}
    </Panel>
  )
}
