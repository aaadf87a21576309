import { z } from 'zod'
import { unknownNames } from './didYouMean.ts'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

type Report = Pick<z.RefinementCtx, 'addIssue'>

/** Adds one problem with its own name; checking goes on, so that every problem is told. */
export const report = (
  context: Report,
  problem: { code: string; message: string; path?: (string | number)[]; input?: unknown },
): void =>
  context.addIssue({
    code: 'custom',
    message: problem.message,
    path: problem.path ?? [],
    params: { code: problem.code },
    input: problem.input,
    continue: true,
  })

/**
 * An object that takes these fields and no others: a field nobody knows is named, with what was probably meant.
 * `null` counts as absent, except where the field's own schema takes it.
 */
export const closed = <Fields extends z.ZodRawShape>(fields: Fields) => {
  const known = Object.keys(fields)
  const names = new Set(known)
  const keepsNull = new Set(known.filter((name) => z.safeParse(fields[name] as z.ZodType, null).success))
  const withoutNulls = (raw: unknown): unknown => {
    if (!isObject(raw)) return raw
    const isDropped = (name: string) => raw[name] === null && names.has(name) && !keepsNull.has(name)
    const dropped = Object.keys(raw).filter(isDropped)
    return dropped.length === 0 ? raw : Object.fromEntries(Object.entries(raw).filter(([name]) => !isDropped(name)))
  }
  const refuseUnknown = (value: unknown, context: Report): void => {
    if (!isObject(value)) return
    for (const { name, message } of unknownNames(Object.keys(value), known)) {
      report(context, { path: [name], code: 'unknown_field', message })
    }
  }
  // Loose, so that unknown fields reach the check; with `when`, so that they are told beside what else is wrong.
  const object = z
    .looseObject(fields)
    .superRefine(refuseUnknown, { when: () => true })
    .meta({ additionalProperties: false })
  return z.preprocess(withoutNulls, object as unknown as z.ZodObject<Fields>)
}
