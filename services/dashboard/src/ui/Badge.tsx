import type { ReactNode } from 'react'
import { classes } from './classes.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'idle'

const tones: Record<Tone, { pill: string; dot: string }> = {
  good: { pill: 'bg-good-tint text-good', dot: 'bg-good' },
  bad: { pill: 'bg-bad-tint text-bad', dot: 'bg-bad' },
  warn: { pill: 'bg-warn-tint text-warn', dot: 'bg-warn' },
  info: { pill: 'bg-info-tint text-info', dot: 'bg-info' },
  idle: { pill: 'bg-idle-tint text-idle', dot: 'bg-idle' },
}

/** A short state in words; the color repeats what the word states. @param dot whether a dot precedes it */
export const Badge = ({
  tone = 'idle',
  dot = false,
  children,
}: {
  tone?: Tone
  dot?: boolean
  children: ReactNode
}) => (
  <span
    className={classes(
      'inline-flex h-5.5 items-center gap-1.5 whitespace-nowrap rounded-full px-2 text-tiny font-medium',
      tones[tone].pill,
    )}
  >
    {dot && <span aria-hidden className={classes('size-1.5 rounded-full', tones[tone].dot)} />}
    {children}
  </span>
)

/** Label of a state. @param text what it means; absent: the name needs no explanation */
export type StateLabel = { label: string; tone: Tone; text?: string }

/** A state with a dot. Its meaning appears when the pointer is over it. */
export const LabelBadge = ({ state: { label, tone, text } }: { state: StateLabel }) => {
  const badge = (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
  return text === undefined ? badge : <span title={text}>{badge}</span>
}

/** A dot in the color of a state. */
export const Dot = ({ tone }: { tone: Tone }) => (
  <span aria-hidden className={classes('inline-block size-2 shrink-0 rounded-full', tones[tone].dot)} />
)
