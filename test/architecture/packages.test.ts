import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/project.ts'
import {
  importedFile,
  importedWorkspace,
  importsIn,
  importsOf,
  scope,
  sources,
  sourcesOf,
  textOf,
  workspaceOf,
  workspaces,
} from './sources.ts'

/**
 * The packages that a package may import. The entry `services` applies to every service: no service imports another.
 */
const allowedPackages: Record<string, readonly string[]> = {
  'packages/mail': [],
  'packages/kit': ['packages/domain', 'packages/mail'],
  'packages/domain': ['packages/mail'],
  'packages/contracts': ['packages/domain', 'packages/mail'],
  'packages/ports': ['packages/kit', 'packages/contracts', 'packages/domain', 'packages/mail'],
  'packages/adapters': ['packages/kit', 'packages/contracts', 'packages/domain', 'packages/mail', 'packages/ports'],
  services: ['packages/kit', 'packages/contracts', 'packages/domain', 'packages/mail', 'packages/ports'],
}

/**
 * Workspaces whose imports differ from those of their group. The dashboard runs in a browser: it checks its forms with
 * the schemas of the API, and reaches the service only through the API.
 */
const ownAllowed: Record<string, readonly string[]> = { 'services/dashboard': ['packages/contracts'] }

/**
 * The npm libraries that a package may import. Packages that are not listed here may import any library but drivers.
 */
const allowedLibraries: Record<string, readonly string[]> = {
  'packages/mail': ['handlebars', 'html-to-text', 'mime', 'tldts', 'unhomoglyph'],
  'packages/domain': [],
  'packages/contracts': ['zod', '@grpc/grpc-js', '@grpc/proto-loader'],
  'packages/ports': [],
  'packages/kit': [
    '@grpc/grpc-js',
    '@opentelemetry/api',
    '@opentelemetry/sdk-node',
    '@zxcvbn-ts/language-common',
    'grpc-health-check',
    'leven',
    'pino',
    'pino-pretty',
    'prom-client',
    'protobufjs',
    'zod',
  ],
}

/** The modules of Node that pure packages may import. They use `node:net` only to parse IP addresses. */
const pureModules = ['node:crypto', 'node:net', 'node:url', 'node:zlib']

/** `node:net` is not listed: kit uses it to listen, other packages to parse IP addresses. */
const drivers = /^(mongodb|kafkajs|ioredis|node:sqlite|node:tls|node:dns)/

/** The paths inside a library that may be imported: documented entries, and data without code. */
const libraryEntries: readonly string[] = [
  '@hookform/resolvers/zod',
  'react-dom/client',
  'unhomoglyph/data.json',
  'zod/v4/core',
]

/** Returns the packages that the style sheets of a workspace import, and those whose files they name. */
const styleImportsOf = (workspace: string): string[] =>
  readdirSync(join(root, workspace), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css') && !/node_modules|(^|\/)dist\//.test(name))
    .flatMap((name) => [...textOf(join(workspace, name)).matchAll(/(?:@import |url\()"([^"]+)"/g)])
    .map((match) => match[1] ?? '')

/** Returns the imports of a file that Node executes: those without `type`. */
const executedImportsOf = (file: string): string[] =>
  importsIn(textOf(file).replaceAll(/^(?:import|export) type\s[^;'"]*?from '[^']+'/gm, ''))

/**
 * Returns the libraries that a process loads from its first file on.
 * @param isStart whether only when it starts: without what dynamic imports load
 */
const librariesOf = (first: string, { isStart }: { isStart: boolean }): Set<string> => {
  const files = new Set([first])
  const libraries = new Set<string>()
  for (const file of files)
    for (const specifier of executedImportsOf(file)) {
      const imported = importedFile(file, specifier)
      const isLater = isStart && textOf(file).includes(`import('${specifier}')`)
      if (imported === null) libraries.add(specifier)
      else if (!isLater && /\.tsx?$/.test(imported)) files.add(imported)
    }
  return libraries
}

/**
 * A line that begins a statement other than a type or an import of types. Inner lines and comments do not begin with a
 * letter.
 */
const executedStatement = /^(?!(?:(?:import|export) )?(?:type|interface)\s)\w/m

/** Returns the npm package of an import, or null for files and modules of Node. */
const npmPackageOf = (specifier: string): string | null => {
  if (specifier.startsWith('.') || specifier.startsWith('node:') || specifier === '') return null
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Returns a line for each import of the files that `isWrong` selects. */
const wrongImports = (files: readonly string[], isWrong: (specifier: string, file: string) => boolean): string[] =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((specifier) => isWrong(specifier, file))
      .map((specifier) => `${file} imports ${specifier}`),
  )

describe('packages and services', () => {
  it('every package and service imports only packages of lower layers', () => {
    const files = sources.filter((file) => workspaceOf(file) !== 'services/standalone')
    const wrong = wrongImports(files, (specifier, file) => {
      const workspace = workspaceOf(file)
      const wiring = file.endsWith('/main.ts') ? ['packages/adapters'] : []
      const others = ownAllowed[workspace] ?? allowedPackages[workspace] ?? allowedPackages['services'] ?? []
      const allowed = [workspace, ...wiring, ...others]
      const imported = importedWorkspace(file, specifier)
      return imported !== null && !allowed.includes(imported)
    })
    assert.deepEqual(wrong, [])
  })

  it('the dashboard imports only the HTTP schemas of contracts', () => {
    const wrong = wrongImports(
      sourcesOf('services/dashboard'),
      (specifier) => specifier.startsWith(scope) && !specifier.startsWith(`${scope}contracts/http/`),
    )
    assert.deepEqual(wrong, [])
  })

  it('no files import each other in a cycle', () => {
    const graph = new Map(
      sources.map((file) => [file, importsOf(file).flatMap((specifier) => importedFile(file, specifier) ?? [])]),
    )
    assert.deepEqual(cyclesIn(graph), [])
  })

  it('only adapters import drivers', () => {
    const files = sources.filter((file) => workspaceOf(file) !== 'packages/adapters')
    assert.deepEqual(
      wrongImports(files, (specifier) => drivers.test(specifier)),
      [],
    )
  })

  for (const [workspace, allowed] of Object.entries(allowedLibraries))
    it(`${workspace} imports no library except ${allowed.join(', ') || 'none'}`, () => {
      const wrong = wrongImports(sourcesOf(workspace), (specifier) => {
        const library = npmPackageOf(specifier)
        return library !== null && !library.startsWith(scope) && !allowed.includes(library)
      })
      assert.deepEqual(wrong, [])
    })

  it('no file imports an inner path of a library, except documented entries', () => {
    const wrong = wrongImports(sources, (specifier) => {
      const library = npmPackageOf(specifier)
      if (library === null || library.startsWith(scope)) return false
      return specifier !== library && !libraryEntries.includes(specifier)
    })
    assert.deepEqual(wrong, [])
  })

  for (const workspace of ['packages/mail', 'packages/domain', 'packages/contracts', 'packages/ports'])
    it(`${workspace} imports no module of Node that does I/O`, () => {
      const wrong = wrongImports(
        sourcesOf(workspace),
        (specifier) => specifier.startsWith('node:') && !pureModules.includes(specifier),
      )
      assert.deepEqual(wrong, [])
    })

  it('packages/ports contains no code that runs, except conformance suites', () => {
    const wrong = sourcesOf('packages/ports').filter((file) => executedStatement.test(textOf(file)))
    assert.deepEqual(wrong, [])
  })

  // Regression: mongodb and handlebars, which a gateway does not use, were a fifth of the modules that it loaded.
  it('the gateway starts without the libraries of other services', () => {
    const loaded = librariesOf('services/gateway/main.ts', { isStart: true })
    assert.ok(loaded.has('koa'))
    const ofOthers = ['handlebars', 'html-to-text', 'kafkajs', 'mongodb', 'marked', 'undici', 'zod-openapi']
    assert.deepEqual(
      ofOthers.filter((library) => loaded.has(library)),
      [],
    )
  })

  it('packages/adapters imports only types from packages/ports', () => {
    const wrong = sourcesOf('packages/adapters').filter((file) =>
      executedImportsOf(file).some((specifier) => importedWorkspace(file, specifier) === 'packages/ports'),
    )
    assert.deepEqual(wrong, [])
  })
})

describe('package.json files', () => {
  const readManifest = (folder: string) => JSON.parse(textOf(join(folder, 'package.json')))

  it('every package.json lists exactly the dependencies that its sources import', () => {
    const wrong = workspaces.flatMap((workspace) => {
      const manifest = readManifest(workspace)
      const listed = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
      const imported = new Set(
        [...sourcesOf(workspace).flatMap(importsOf), ...styleImportsOf(workspace)].flatMap(
          (specifier) => npmPackageOf(specifier) ?? [],
        ),
      )
      imported.delete(manifest.name)
      // A second TypeScript, for the generator of types, which cannot use the one of the project.
      if (workspace === 'services/dashboard') imported.add('typescript')
      return [
        ...[...imported].filter((name) => !listed.has(name)).map((name) => `${workspace} does not list ${name}`),
        ...[...listed].filter((name) => !imported.has(name)).map((name) => `${workspace} does not import ${name}`),
      ]
    })
    assert.deepEqual(wrong, [])
  })

  it('no process loads a library that is installed for development only', () => {
    const manifests = workspaces.map(readManifest)
    const installed = new Set(manifests.flatMap(({ dependencies = {} }) => Object.keys(dependencies)))
    const firstFiles = sources.filter((file) => /^services\/\w+\/(main|bin)\.ts$|\w[wW]orker\.ts$/.test(file))
    const wrong = firstFiles.flatMap((file) =>
      [...librariesOf(file, { isStart: false })]
        .flatMap((specifier) => npmPackageOf(specifier) ?? [])
        .filter((name) => !installed.has(name))
        .map((name) => `${file}: ${name}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('only known dependencies have install scripts, and npm runs none of them', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: boolean }>
    }
    const found = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
    const names = found.map((path) => path.split('node_modules/').at(-1))
    const denied = Object.entries(readManifest('.').allowScripts).filter(([, isAllowed]) => isAllowed === false)
    assert.deepEqual(
      names.toSorted(),
      denied.map(([name]) => name),
    )
  })

  it('docs/dependencies.md gives a reason for every dependency of a package.json', () => {
    const reasons = textOf('docs/dependencies.md')
    const listed = ['.', ...workspaces].flatMap((folder) => {
      const manifest = readManifest(folder)
      return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
    })
    const missing = [...new Set(listed)].filter((name) => !name.startsWith(scope) && !reasons.includes(`\`${name}\``))
    assert.deepEqual(missing, [])
  })
})

/**
 * Returns the cycles of a graph of imports. Imports of types count, because a reader follows them too; generated files
 * do not.
 */
const cyclesIn = (graph: ReadonlyMap<string, readonly string[]>): string[] => {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    if (done.has(file) || file.includes('/gen/')) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return cycles
}
