import { classes } from './classes.ts'

/** A placeholder for a text that is being read. It has the size of the text, so nothing moves when the text appears. */
export const Skeleton = ({ className }: { className: string }) => (
  <span aria-hidden className={classes('skeleton block', className)} />
)

/** Placeholders for the rows of a list. */
export const SkeletonRows = ({ rows = 8, label }: { rows?: number; label: string }) => (
  <div role="status" aria-label={label} className="divide-y divide-line">
    {Array.from({ length: rows }, (_, row) => (
      // The rows are all the same and never move.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <div key={row} className="flex h-11 items-center gap-6 px-4">
        <Skeleton className="h-3 w-20" />
        <Skeleton className={classes('h-3', row % 3 === 0 ? 'w-2/5' : row % 3 === 1 ? 'w-1/3' : 'w-1/2')} />
        <Skeleton className="ml-auto h-3 w-14" />
      </div>
    ))}
  </div>
)
