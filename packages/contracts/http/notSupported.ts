import { notSupported } from '@postrider/domain/notSupported.ts'
import { z } from 'zod'

type Shape = { type: 'string' } | { type: 'array'; items: { type: 'string' }; maxItems: 0 }

const refusedUnless = <Value>(asksForNothing: (value: unknown) => boolean, description: string, shape: Shape) =>
  z
    .custom<Value>(asksForNothing, { params: { code: notSupported.code }, error: notSupported.message })
    .meta({ ...shape, description: `${description} Not supported yet: refused with \`not_supported\`.` })
    .optional()

/** A field that the contract has and this version does not implement. It is refused unless it is absent or null. */
export const notSupportedYet = (description: string) =>
  refusedUnless<undefined>((value) => value === undefined, description, { type: 'string' })

/** The same for a list that restricts. An empty one restricts nothing, so it is accepted. */
export const emptyListOnly = (description: string) =>
  refusedUnless<[]>((value) => Array.isArray(value) && value.length === 0, description, {
    type: 'array',
    items: { type: 'string' },
    maxItems: 0,
  })
