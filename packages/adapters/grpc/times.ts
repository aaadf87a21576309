import type { TimeFields, WithTimes, WithTimeTexts } from '@postrider/contracts/services.ts'
import { isoTime, isoTimeOrEmpty } from '@postrider/domain/time.ts'

/*
 * Times of messages. `codec` is for a record that has the names of its message, `recordCodec` for a record of the
 * domain.
 */

type Codec<Fields extends TimeFields> = {
  /** Returns a record with the texts of a message. */
  write<Value extends WithTimes<object, Fields>>(record: Value): WithTimeTexts<Value, Fields>
  /** Returns a message with its times as numbers. */
  read<Message extends WithTimeTexts<object, Fields>>(message: Message): WithTimes<Message, Fields>
}

/** Returns the conversion of the fields with a time of one kind of message. */
export const codec = <Fields extends TimeFields>({ always, maybe = [], optional = [] }: Fields): Codec<Fields> => {
  const given = [...always, ...maybe]
  const mapped = <From, To>(record: object, map: (value: From) => To): object => {
    const values = record as Record<string, From>
    const names = [...given, ...optional.filter((name) => values[name] !== undefined)]
    return { ...record, ...Object.fromEntries(names.map((name) => [name, map(values[name] as From)])) }
  }
  return {
    write: (record) => mapped(record, isoTimeOrEmpty) as never,
    read: (message) => mapped(message, timeOrNull) as never,
  }
}

/** Returns the time of a text; null: it is absent or empty, which both stand for no time. */
const timeOrNull = (text: string | undefined): number | null => (text ? Date.parse(text) : null)

/** Returns the time of a field that always has one. A text without a time is a bug, and its result might be stored. */
const timeOf = (name: string, text: string | undefined): number => {
  const at = Date.parse(text ?? '')
  if (Number.isNaN(at)) throw new RangeError(`${name} of a message has no time`)
  return at
}

/**
 * Fields of a message with a time. The record has the same names in camel case. The fields in `always` have a time. No
 * time is null in a record; a message has an empty text for it in the fields of `maybe`, and lacks the fields of
 * `absent`.
 */
type RecordTimeFields = {
  readonly always?: readonly string[]
  readonly maybe?: readonly string[]
  readonly absent?: readonly string[]
}

type Names<Fields extends RecordTimeFields, Kind extends keyof RecordTimeFields> =
  Fields extends Readonly<Record<Kind, readonly (infer Name extends string)[]>> ? Name : never

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name

type RecordTimes<Fields extends RecordTimeFields> = Record<Camel<Names<Fields, 'always'>>, number> &
  Record<Camel<Names<Fields, 'maybe'> | Names<Fields, 'absent'>>, number | null>

type RecordCodec<Fields extends RecordTimeFields> = {
  /** Returns the fields of the message. @throws RangeError: a field in `always` has no time */
  write(
    record: RecordTimes<Fields>,
  ): Record<Names<Fields, 'always'> | Names<Fields, 'maybe'>, string> & Partial<Record<Names<Fields, 'absent'>, string>>
  /**
   * Returns the times of the record. An absent or empty text is no time, as an earlier release may write either.
   * @throws RangeError: a field in `always` has no time
   */
  read(
    message: Record<Names<Fields, 'always'>, string> &
      Partial<Record<Names<Fields, 'maybe'> | Names<Fields, 'absent'>, string | undefined>>,
  ): RecordTimes<Fields>
}

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the conversion of the fields with a time, between one kind of message and its record. */
export const recordCodec = <const Fields extends RecordTimeFields>({
  always = [],
  maybe = [],
  absent = [],
}: Fields): RecordCodec<Fields> => {
  const fields = [...always, ...maybe, ...absent].map((name) => ({
    name,
    inRecord: camel(name),
    isAlways: always.includes(name),
    mayBeAbsent: absent.includes(name),
  }))
  return {
    write: (record) => {
      const times = record as Record<string, number | null>
      const texts: Record<string, string> = {}
      for (const { name, inRecord, isAlways, mayBeAbsent } of fields) {
        const time = times[inRecord] ?? null
        if (time === null && mayBeAbsent) continue
        texts[name] = isAlways ? isoTime(time ?? Number.NaN) : isoTimeOrEmpty(time)
      }
      return texts as never
    },
    read: (message) => {
      const texts = message as Record<string, string | undefined>
      const times: Record<string, number | null> = {}
      for (const { name, inRecord, isAlways } of fields)
        times[inRecord] = isAlways ? timeOf(name, texts[name]) : timeOrNull(texts[name])
      return times as never
    },
  }
}
