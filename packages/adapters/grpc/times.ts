import { accountTimes, type TimeFields, type WithTimes } from '@postrider/contracts/services.ts'
import { isoTimeOrEmpty } from '@postrider/domain/time.ts'

type Codec<Fields extends TimeFields> = {
  /** Returns a record with the texts of a message. */
  write<Value extends WithTimes<object, Fields>>(
    record: Value,
  ): Omit<Value, FieldOf<Fields>> & Record<FieldOf<Fields>, string>
  /** Returns a message with its times as numbers. */
  read<Message extends Record<FieldOf<Fields>, string>>(message: Message): WithTimes<Message, Fields>
}

type FieldOf<Fields extends TimeFields> = Fields['always'][number] | Fields['maybe'][number]

/** Returns the conversion of the fields with a time of one kind of message. */
export const codec = <Fields extends TimeFields>({ always, maybe }: Fields): Codec<Fields> => {
  const names = [...always, ...maybe]
  const mapped = <From, To>(record: object, map: (value: From) => To): object => {
    const values = record as Record<string, From>
    return { ...record, ...Object.fromEntries(names.map((name) => [name, map(values[name] as From)])) }
  }
  return {
    write: (record) => mapped(record, isoTimeOrEmpty) as never,
    read: (message) => mapped(message, (text: string) => (text === '' ? null : Date.parse(text))) as never,
  }
}

/** Callers are in messages of accounts and of intake. */
export const caller = codec(accountTimes.caller)
