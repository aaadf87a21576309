/**
 * Fields of a message with a time. In a proto message each is a text (RFC 3339), in a process a number. The fields in
 * `always` have one. For those in `maybe` an empty text, and null in a process, stands for no time. Those in `optional`
 * may be absent in both.
 */
export type TimeFields = {
  readonly always: readonly string[]
  readonly maybe?: readonly string[]
  readonly optional?: readonly string[]
}

/** The names of such fields. */
type TimeName<Fields extends TimeFields, Kind extends keyof TimeFields = keyof TimeFields> = {
  [One in Kind]: Fields extends Readonly<Record<One, readonly (infer Name extends string)[]>> ? Name : never
}[Kind]

/** A message whose times are numbers. */
export type WithTimes<Message, Fields extends TimeFields> = Omit<Message, TimeName<Fields>> &
  Record<TimeName<Fields, 'always'>, number> &
  Record<TimeName<Fields, 'maybe'>, number | null> &
  Partial<Record<TimeName<Fields, 'optional'>, number>>

/** Message with its times as text. */
export type WithTimeTexts<Message, Fields extends TimeFields> = Omit<Message, TimeName<Fields>> &
  Record<TimeName<Fields, 'always' | 'maybe'>, string> &
  Partial<Record<TimeName<Fields, 'optional'>, string>>
