import { z } from 'zod'
import { isObject, report } from './closed.ts'

const mostBytes = 64 * 1_024
const deepest = 5

/** Whether a value is nested over `levels` deep. */
const isDeeper = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}

/** `1e999` is JSON, and no number anybody can print. */
const isPrintable = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'object' || value === null || Object.values(value).every(isPrintable)

/** Values for a template's placeholders. */
export const TemplateVars = z
  .custom<Record<string, unknown>>(isObject, { params: { code: 'wrong_type' }, error: 'Must be an object.' })
  .meta({ type: 'object', additionalProperties: true })
  .transform((vars, context) => {
    const text = JSON.stringify(vars)
    if (Buffer.byteLength(text) > mostBytes) {
      report(context, { code: 'vars_too_large', message: 'template_vars has at most 64 KiB as JSON.' })
      return z.NEVER
    }
    if (isDeeper(vars, deepest)) {
      report(context, { code: 'vars_too_deep', message: `template_vars may be nested ${deepest} levels deep.` })
    }
    if (!isPrintable(vars))
      report(context, { code: 'invalid_number', message: 'A number here is too large to be one.' })
    return vars
  })
  .meta({ example: { name: 'Jane', order: { total: '12.50' } } })
