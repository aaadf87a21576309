import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type AnyDefinition, loadSync } from '@grpc/proto-loader'

/** The parts of protos that other versions use: `package.Message.3` → `int32 count`. */
export type Surface = ReadonlyMap<string, string>

type Field = { name: string; number: number; label: string; type: string; typeName: string }
type Message = { name: string; field: Field[]; nestedType: Message[]; enumType: Enum[]; oneofDecl: { name: string }[] }
type Enum = { name: string; value: { name: string; number: number }[] }
type Method = {
  requestStream: boolean
  responseStream: boolean
  requestType: { type: Message }
  responseType: { type: Message }
}

type Fact = [path: string, is: string]

const lower = (name: string): string => name.replace(/^(TYPE|LABEL)_/, '').toLowerCase()

const fieldFact = (path: string, { oneofDecl }: Message, field: Field): Fact => {
  const { name, number, label, type, typeName } = field
  const repeated = label === 'LABEL_REPEATED' ? 'repeated ' : ''
  // protobuf represents an optional field as a oneof with one member.
  const optional = oneofDecl.some((one) => one.name === `_${name}`) ? 'optional ' : ''
  return [`${path}.${number}`, `${repeated}${optional}${typeName || lower(type)} ${name}`]
}

const enumFacts = (path: string, { value }: Enum): Fact[] =>
  value.map(({ name, number }) => [`${path}.${number}`, name])

const messageFacts = (path: string, message: Message): Fact[] => [
  ...message.field.map((field) => fieldFact(path, message, field)),
  ...message.nestedType.flatMap((nested) => messageFacts(`${path}.${nested.name}`, nested)),
  ...message.enumType.flatMap((nested) => enumFacts(`${path}.${nested.name}`, nested)),
]

const methodFact = (path: string, [name, method]: [string, Method]): Fact => {
  const stream = (is: boolean): string => (is ? 'stream ' : '')
  const { requestType, responseType, requestStream, responseStream } = method
  const request = `${stream(requestStream)}${requestType.type.name}`
  return [`${path}/${name}`, `${request} → ${stream(responseStream)}${responseType.type.name}`]
}

const factsOf = (path: string, definition: AnyDefinition): Fact[] => {
  if (!('format' in definition))
    return Object.entries(definition as unknown as Record<string, Method>).map((method) => methodFact(path, method))
  const type = definition.type as unknown as Message | Enum
  return [[path, 'present'], ...('field' in type ? messageFacts(path, type) : enumFacts(path, type))]
}

/** Returns the surface of the files in a folder `protos/`. */
export const surfaceOf = (protos: string): Surface => {
  const files = readdirSync(protos, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.proto'))
  const definitions = files.flatMap((file) => Object.entries(loadSync(file, { includeDirs: [protos], keepCase: true })))
  return new Map(definitions.flatMap(([path, definition]) => factsOf(path, definition)))
}

/** Returns the parts of a surface that a later one lacks or changes. A surface may only grow. */
export const lostFrom = (before: Surface, now: Surface): string[] =>
  [...before].flatMap(([path, was]) => {
    const is = now.get(path)
    if (is === was) return []
    return [is === undefined ? `${path}: ${was} is gone` : `${path}: ${was} became ${is}`]
  })

/** Returns the modules in a folder of a tree, by their path in the tree; empty if the folder does not exist. */
export const modulesIn = async (tree: string, folder: string): Promise<Map<string, Record<string, unknown>>> => {
  if (!existsSync(join(tree, folder))) return new Map()
  const names = readdirSync(join(tree, folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const loaded = names.map(async (name) => [join(folder, name), await import(join(tree, folder, name))] as const)
  return new Map(await Promise.all(loaded))
}
