import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from '../support/project.ts'

/* What the tests of the architecture read of the sources. */

/** Begins the names of the packages and services. */
export const scope = '@postrider/'

export const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/node_modules|(^|\/)dist\//.test(name))
    .map((name) => join(folder, name))

const texts = new Map<string, string>()

/** Returns the text of a file of the project, which is read once. */
export const textOf = (file: string): string => {
  const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
  texts.set(file, text)
  return text
}

/** Matches modules that only tests use, next to the files that they test. */
export const testSupport = /\/(?:fakes\w*|testRig|testGateway)\.ts$/

export const isGenerated = (file: string): boolean => /^packages\/contracts\/gen\/|\/src\/api\/gen\//.test(file)

export const isTest = (file: string): boolean => /\.(test|conformance)\.tsx?$/.test(file)

/** Returns the specifiers that a source text imports or re-exports, types included. */
export const importsIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '')

export const importsOf = (file: string): string[] => importsIn(textOf(file))

const packageNames = readdirSync(join(root, 'packages'))

/** Returns the npm workspace that contains a file: `packages/mail`, `services/intake`. */
export const workspaceOf = (file: string): string => file.split('/').slice(0, 2).join('/')

/** Returns the workspace that an import leads to, or null for libraries and modules of Node. */
export const importedWorkspace = (file: string, specifier: string): string | null => {
  if (specifier.startsWith('.')) return workspaceOf(relative(root, join(root, dirname(file), specifier)))
  if (!specifier.startsWith(scope)) return null
  const name = specifier.slice(scope.length).split('/')[0] ?? ''
  return packageNames.includes(name) ? `packages/${name}` : `services/${name}`
}

/** Returns the file of the project that an import leads to, or null. */
export const importedFile = (file: string, specifier: string): string | null => {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(file), specifier))
  const imported = importedWorkspace(file, specifier)
  return imported === null ? null : join(imported, specifier.split('/').slice(2).join('/'))
}

/** The folders of all packages and services. */
export const workspaces = ['packages', 'services'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => join(folder, name)),
)

/** All files of packages and services, except tests. */
export const sources = [...filesIn('packages'), ...filesIn('services')].filter((file) => !isTest(file))

export const sourcesOf = (workspace: string): string[] => sources.filter((file) => file.startsWith(`${workspace}/`))
