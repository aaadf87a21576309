import { join } from 'node:path'
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader'
import fc from 'fast-check'

type Message = Record<string, unknown>
type Field = { name: string; type: string; label: string; typeName: string }
type Shape = { name: string; field: Field[]; nestedType: Shape[]; options: { mapEntry?: boolean } | null }
type Type = MessageTypeDefinition<object, Message> & { type: Shape }
type Method = { requestType: Type; responseType: Type }

const options = { keepCase: true, longs: Number, enums: String, defaults: true, arrays: true, objects: true }

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('', '\0', '\r\n', '😀', '__proto__'),
)

const scalars: Record<string, fc.Arbitrary<unknown>> = {
  TYPE_STRING: texts,
  TYPE_BOOL: fc.boolean(),
  TYPE_INT32: fc.integer(),
  TYPE_DOUBLE: fc.double(),
  TYPE_BYTES: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
}

/** Returns generators of complete messages for each method of a service, derived from its proto. */
export const examples = ({ proto, name }: { proto: string; name: string }) => {
  const definitions = loadSync(proto, { ...options, includeDirs: [join(import.meta.dirname, '../../protos')] })
  const types = Object.entries(definitions).filter((entry): entry is [string, Type] => 'format' in entry[1])

  /** Finds a type by its name in the file, which may lack the package. */
  const typeNamed = (typeName: string): Type => {
    const found = types.find(([full]) => full === typeName || full.endsWith(`.${typeName.replace(/^\./, '')}`))
    if (!found) throw new Error(`${proto} does not define ${typeName}`)
    return found[1]
  }

  const message = (type: Type): fc.Arbitrary<Message> => {
    const empty = type.deserialize(Buffer.alloc(0))
    // A field without a default in an empty message may be absent.
    const isOptional = ({ name }: Field): boolean => !Object.hasOwn(empty, name)
    const fields = type.type.field.map((field): [Field, fc.Arbitrary<unknown>] => [field, value(type.type, field)])
    return fc
      .tuple(
        ...fields.map(([field, arbitraryOf]) =>
          isOptional(field) ? fc.option(arbitraryOf, { nil: undefined }) : arbitraryOf,
        ),
      )
      .map((values) =>
        Object.fromEntries(
          fields.flatMap(([{ name }], index) => (values[index] === undefined ? [] : [[name, values[index]]])),
        ),
      )
  }

  const value = (shape: Shape, field: Field): fc.Arbitrary<unknown> => {
    const entry = shape.nestedType.find((nested) => nested.options?.mapEntry && nested.name === field.typeName)
    const values = scalars[entry?.field.find(({ name }) => name === 'value')?.type ?? '']
    if (values) return fc.array(fc.tuple(texts, values), { maxLength: 3 }).map(Object.fromEntries)
    const arbitrary = scalars[field.type] ?? message(typeNamed(field.typeName))
    return field.label === 'LABEL_REPEATED' ? fc.array(arbitrary, { maxLength: 3 }) : arbitrary
  }

  return Object.entries(definitions[name] as unknown as Record<string, Method>).map(([method, types]) => ({
    method,
    types,
    request: message(types.requestType),
    reply: message(types.responseType),
  }))
}
