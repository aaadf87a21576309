import { type ResolveFnOutput, registerHooks } from 'node:module'

/*
 * Makes Node resolve each of our modules once per process instead of once per import: a standalone process has 2,700
 * imports of 740 modules, and resolving them is a fifth of the CPU of its start. Mocha (`.mocharc.json`) and the
 * processes that tests start load this file first. The first import of a module is resolved by Node itself; the
 * architecture tests check what a package may import. `npm start` and the programs of `test/cluster/program.ts` run
 * without this file.
 */
const resolved = new Map<string, ResolveFnOutput>()

/** Returns what the result depends on, or undefined: a package of others may have several versions. */
const keyOf = (specifier: string, parent: string | undefined): string | undefined => {
  if (!specifier.endsWith('.ts')) return undefined
  if (specifier.startsWith('@postrider/')) return specifier
  return specifier.startsWith('.') && parent !== undefined ? new URL(specifier, parent).href : undefined
}

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const key = keyOf(specifier, context.parentURL)
    const known = key === undefined ? undefined : resolved.get(key)
    if (known !== undefined) return known
    const found = nextResolve(specifier, context)
    if (key !== undefined) resolved.set(key, { ...found, shortCircuit: true })
    return found
  },
})
