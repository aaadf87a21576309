import type { Controls, Limit } from '../../api/operator.ts'
import type { StateLabel } from '../../ui/Badge.tsx'

/** Names of the plans. */
export const planLabels: Readonly<Record<Controls['plan'], string>> = {
  free: 'Free',
  pro: 'Pro',
  unlimited: 'Unlimited',
}

/** Returns the state of a workspace. A scheduled deletion stops its mail too. */
export const stateLabel = ({ suspended, deletes_at }: Controls): StateLabel => {
  if (deletes_at !== null) return { label: 'Deleting', tone: 'bad' }
  return suspended ? { label: 'Stopped', tone: 'warn' } : { label: 'Active', tone: 'good' }
}

export type LimitName = keyof Pick<Controls['limits'], 'monthly' | 'daily' | 'rate' | 'burst'>

/** The limits in the order of the screens. `short`: the limit in a list */
export const limits: readonly {
  name: LimitName
  label: string
  text: string
  ofPlan: string
  short: (limit: string) => string
}[] = [
  {
    name: 'monthly',
    label: 'Sends a month',
    text: 'Accepted recipients of a calendar month, UTC.',
    ofPlan: 'As the plan',
    short: (limit) => `${limit} a month`,
  },
  {
    name: 'daily',
    label: 'Sends a day',
    text: 'Accepted recipients of a calendar day, UTC.',
    ofPlan: 'As the plan',
    short: (limit) => `${limit} a day`,
  },
  {
    name: 'rate',
    label: 'Requests a second',
    text: 'Of each API key, and of all keys together.',
    ofPlan: 'As the service',
    short: (limit) => `${limit} a second`,
  },
  {
    name: 'burst',
    label: 'Requests in a burst',
    text: 'Of each API key, and of all keys together.',
    ofPlan: 'As the service',
    short: (limit) => `${limit} in a burst`,
  },
]

/** Returns a limit in words. @param ofPlan what the workspace has without a value of its own */
export const limitText = (limit: Limit, ofPlan: string): string => {
  if (limit === 'plan') return ofPlan
  return limit === null ? 'No limit' : limit.toLocaleString('en')
}

/** Returns which limits of a workspace the operator set, in few words; empty: none. */
export const changedText = (controls: Controls): string => {
  const own = limits.filter(({ name }) => controls.limits[name] !== 'plan')
  if (own.length === limits.length && own.every(({ name }) => controls.limits[name] === null)) return 'No limits'
  return own.map(({ name, short }) => short(limitText(controls.limits[name], ''))).join(', ')
}
