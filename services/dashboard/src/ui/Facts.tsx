import type { ReactNode } from 'react'
import { classes } from './classes.ts'

/** Names with their values. @param stacked whether each value is below its name, for narrow containers */
export const Facts = ({
  facts,
  stacked = false,
}: {
  facts: readonly (readonly [string, ReactNode])[]
  stacked?: boolean
}) => (
  <dl
    className={classes(
      'grid text-small',
      stacked
        ? 'grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-6 gap-y-3.5'
        : 'grid-cols-[minmax(6.5rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-2',
    )}
  >
    {facts.map(([name, value]) => (
      <div key={name} className={stacked ? 'min-w-0' : 'contents'}>
        <dt className={stacked ? 'text-tiny text-faint' : 'text-muted'}>{name}</dt>
        <dd className="min-w-0 break-words">{value}</dd>
      </div>
    ))}
  </dl>
)
