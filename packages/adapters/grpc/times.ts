import type { TimeFields, WithTimes, WithTimeTexts } from '@postrider/contracts/services.ts'
import { isoTimeOrEmpty } from '@postrider/domain/time.ts'

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
    read: (message) => mapped(message, (text: string) => (text === '' ? null : Date.parse(text))) as never,
  }
}
