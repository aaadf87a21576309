import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Who may import what. The order is the direction data may be known in: nothing imports what stands below it. */
const root = join(import.meta.dirname, '..')
const ours = '@postrider/'

const may: Record<string, readonly string[]> = {
  'packages/mail': [],
  'packages/kit': [],
  'packages/domain': ['packages/mail', 'packages/kit'],
  'packages/contracts': ['packages/domain', 'packages/mail'],
  'packages/ports': ['packages/kit', 'packages/contracts', 'packages/domain', 'packages/mail'],
  'packages/adapters': ['packages/kit', 'packages/contracts', 'packages/domain', 'packages/mail', 'packages/ports'],
  services: ['packages/kit', 'packages/contracts', 'packages/domain', 'packages/mail', 'packages/ports'],
}

/** What of npm a room may use; drivers stand in adapters alone. */
const libraries: Record<string, readonly string[]> = {
  'packages/mail': ['handlebars', 'html-to-text', 'nodemailer'],
  'packages/domain': ['typeid-js'],
  'packages/contracts': ['zod', '@grpc/grpc-js', '@grpc/proto-loader'],
  'packages/ports': [],
}

/** `node:net` is left out: parsing addresses and lists of networks is no I/O, and most of what it is used for. */
const drivers = /^(mongodb|kafkajs|ioredis|node:sqlite|node:tls|node:dns)/

const filesUnder = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name))

const isTest = (file: string): boolean => /\.(test|conformance)\.ts$/.test(file)

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '')

/** The room a file stands in: a package, or a single service. */
const roomOf = (file: string): string => file.split('/').slice(0, 2).join('/')

const targetRoom = (file: string, specifier: string): string | null => {
  if (specifier.startsWith('.')) return roomOf(relative(root, join(root, dirname(file), specifier)))
  if (!specifier.startsWith(ours)) return null
  const name = specifier.slice(ours.length).split('/')[0] ?? ''
  return ['mail', 'domain', 'kit', 'contracts', 'ports', 'adapters'].includes(name)
    ? `packages/${name}`
    : `services/${name}`
}

const sources = [...filesUnder('packages'), ...filesUnder('services')].filter((file) => !isTest(file))

describe('the house', () => {
  it('lets every room import only what it may', () => {
    const wrong = sources.flatMap((file) => {
      const room = roomOf(file)
      if (room === 'services/standalone') return []
      const wiring = file.endsWith('/main.ts') ? ['packages/adapters'] : []
      const allowed = [room, ...wiring, ...(may[room] ?? may['services'] ?? [])]
      return importsOf(file)
        .map((specifier) => targetRoom(file, specifier))
        .filter((target) => target !== null && !allowed.includes(target))
        .map((target) => `${file} imports ${target}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('keeps drivers in adapters', () => {
    const wrong = sources
      .filter((file) => !file.startsWith('packages/adapters'))
      .flatMap((file) =>
        importsOf(file)
          .filter((name) => drivers.test(name))
          .map((name) => `${file} imports ${name}`),
      )
    assert.deepEqual(wrong, [])
  })

  it('keeps the pure rooms to their libraries', () => {
    const wrong = Object.entries(libraries).flatMap(([room, allowed]) =>
      sources
        .filter((file) => file.startsWith(`${room}/`))
        .flatMap((file) =>
          importsOf(file)
            .filter((name) => !name.startsWith('.') && !name.startsWith('node:') && !name.startsWith(ours))
            .filter((name) => !allowed.some((library) => name === library || name.startsWith(`${library}/`)))
            .map((name) => `${file} imports ${name}`),
        ),
    )
    assert.deepEqual(wrong, [])
  })

  it('reads the environment in main files alone, and where tracing begins before them', () => {
    const readers = sources.filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'))
    const wrong = readers.filter((file) => !file.endsWith('/main.ts') && file !== 'packages/kit/telemetry.ts')
    assert.deepEqual(wrong, [])
  })

  it('begins every main file with tracing', () => {
    const mains = sources.filter((file) => file.endsWith('/main.ts'))
    const wrong = mains.filter((file) => importsOf(file)[0] !== '@postrider/kit/telemetry.ts')
    assert.deepEqual(wrong, [])
  })

  it('has one class, Fault', () => {
    const wrong = sources.filter((file) =>
      /^(export )?(abstract )?class /m.test(readFileSync(join(root, file), 'utf8')),
    )
    assert.deepEqual(wrong, ['packages/kit/fault.ts'])
  })

  it('has no circle of imports', () => {
    const graph = new Map(
      sources.map((file) => [
        file,
        importsOf(file).flatMap((specifier) => {
          if (specifier.startsWith('.')) return [relative(root, join(root, dirname(file), specifier))]
          const room = targetRoom(file, specifier)
          return room === null ? [] : [join(room, specifier.split('/').slice(2).join('/'))]
        }),
      ]),
    )
    assert.deepEqual(circlesIn(graph), [])
  })

  it('names in every manifest just what its sources import', () => {
    const rooms = ['packages', 'services'].flatMap((folder) =>
      readdirSync(join(root, folder)).map((name) => join(folder, name)),
    )
    const wrong = rooms.flatMap((room) => {
      const manifest = JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8'))
      const named = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }))
      const used = new Set(
        sources
          .filter((file) => file.startsWith(`${room}/`))
          .flatMap(importsOf)
          .flatMap(packageOf),
      )
      used.delete(manifest.name)
      return [
        ...[...used].filter((name) => !named.has(name)).map((name) => `${room} imports ${name} and doesn't name it`),
        ...[...named].filter((name) => !used.has(name)).map((name) => `${room} names ${name} and doesn't import it`),
      ]
    })
    assert.deepEqual(wrong, [])
  })

  it('lists every dependency with its reason', () => {
    const reasons = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
    const manifests = [
      'package.json',
      ...['packages', 'services'].flatMap((folder) =>
        readdirSync(join(root, folder)).map((name) => join(folder, name, 'package.json')),
      ),
    ]
    const named = manifests.flatMap((file) => {
      const manifest = JSON.parse(readFileSync(join(root, file), 'utf8'))
      return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies })
    })
    const unlisted = [...new Set(named)].filter((name) => !name.startsWith(ours) && !reasons.includes(`\`${name}\``))
    assert.deepEqual(unlisted, [])
  })
})

/** `@scope/name` or `name` of an import; nothing for files and Node's own. */
const packageOf = (specifier: string): string[] => {
  if (specifier.startsWith('.') || specifier.startsWith('node:') || specifier === '') return []
  return [
    specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/'),
  ]
}

/** Type-only circles count too: a reader walks them all the same. Generated files are left out. */
const circlesIn = (graph: ReadonlyMap<string, readonly string[]>): string[] => {
  const done = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    if (done.has(file) || file.includes('/gen/')) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  return circles
}
