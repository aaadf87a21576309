import { parseSync } from 'vite'

/** A module of the project: its path from the root, and its text. */
export type Module = { file: string; text: string }

type Named = { kind: string; name?: string | null }

/** Stands for every value of a module, as `import *` and `import()` use them. */
const all = '*'

const nameIn = ({ kind, name }: Named): string => (kind === 'Name' ? (name ?? all) : all)

/** Returns the values that a module declares and exports, and what it imports, or exports of others. */
const linksIn = ({ file, text }: Module) => {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module
  const exported = staticExports.flatMap(({ entries }) => entries)
  const passed = exported.flatMap(({ moduleRequest, importName }) =>
    moduleRequest === null ? [] : [{ from: moduleRequest.value, name: nameIn(importName) }],
  )
  const imported = staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName }) => ({ from: moduleRequest.value, name: nameIn(importName) })),
  )
  const dynamic = dynamicImports.map(({ moduleRequest: { start, end } }) => ({
    from: text.slice(start + 1, end - 1),
    name: all,
  }))
  const own = exported.filter(({ isType, moduleRequest }) => !isType && moduleRequest === null)
  return { values: own.map(({ exportName }) => nameIn(exportName)), uses: [...imported, ...passed, ...dynamic] }
}

/** Returns how often a name occurs in a text without its comments. */
const occurrences = (text: string, name: string): number =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '').split(new RegExp(`(?<![\\w$])${name}(?![\\w$])`)).length -
  1

export type UnusedExportsOptions = {
  product: readonly Module[]
  tests: readonly Module[]
  /** Returns the path of an imported module of the project, or null. */
  fileOf(file: string, specifier: string): string | null
}

/**
 * Returns the exported values of product code without a use: those that no other module imports, and those that only
 * tests import and the module itself does not use.
 */
export const unusedExports = ({ product, tests, fileOf }: UnusedExportsOptions) => {
  const valuesUsedBy = (links: readonly { file: string; uses: ReturnType<typeof linksIn>['uses'] }[]): Set<string> =>
    new Set(links.flatMap(({ file, uses }) => uses.map(({ from, name }) => `${fileOf(file, from)} ${name}`)))
  const read = (modules: readonly Module[]) => modules.map((module) => ({ ...module, ...linksIn(module) }))
  const links = read(product)
  const [byProduct, byTests] = [valuesUsedBy(links), valuesUsedBy(read(tests))]
  const isUsed = (by: ReadonlySet<string>, file: string, name: string) =>
    by.has(`${file} ${name}`) || by.has(`${file} ${all}`)
  const exported = links.flatMap(({ file, text, values }) => values.map((name) => ({ file, text, name })))
  const others = exported.filter(({ file, name }) => !isUsed(byProduct, file, name))
  return others
    .filter(({ file, text, name }) => !isUsed(byTests, file, name) || occurrences(text, name) === 1)
    .map(({ file, name }) => `${file} ${name}`)
}
