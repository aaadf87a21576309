import type { ReactNode } from 'react'

/** Names with their values. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) => (
  <dl className="grid grid-cols-[minmax(6.5rem,max-content)_minmax(0,1fr)] gap-x-4 gap-y-2 text-small">
    {facts.map(([name, value]) => (
      <div key={name} className="contents">
        <dt className="text-muted">{name}</dt>
        <dd className="min-w-0 break-words">{value}</dd>
      </div>
    ))}
  </dl>
)
