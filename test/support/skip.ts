import type { Context } from 'mocha'

/** Skips the calling test or, in a hook, the suite of the hook. The report of the run lists the reason. */
export const skip = (context: Context, reason: string): never => {
  const { test } = context
  const isHook = test !== undefined && 'type' in test && test.type === 'hook'
  Object.assign((isHook ? test.parent : test) ?? {}, { skipReason: reason })
  return context.skip()
}
