import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { roles } from '@postrider/domain/accounts/roles.ts'
import { invoiceStatuses } from '@postrider/domain/billing/invoices.ts'
import { domainStatuses } from '@postrider/domain/domains/domain.ts'
import { emailStatuses, recipientStatuses } from '@postrider/domain/email/status.ts'
import { plans } from '@postrider/domain/quota/plans.ts'
import { removals } from '@postrider/domain/retention/purge.ts'
import { deliveryStatuses } from '@postrider/domain/webhooks/delivery.ts'
import { replayStatuses } from '@postrider/domain/webhooks/replay.ts'
import { unusedExports } from './support/exports.ts'
import { functionsIn } from './support/functions.ts'

const root = join(import.meta.dirname, '..')
const scope = '@postrider/'

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
    'typeid-js',
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

/**
 * The only modules that open connections, each with the reason. What a user chose as a destination is reached through
 * `adapters/http` alone, which checks every address.
 */
const connecting: Readonly<Record<string, string>> = {
  'packages/adapters/dns/exchange.ts': 'queries to DNS servers: those of the operator, or public addresses',
  'packages/adapters/http/connection.ts': 'webhooks to URLs of customers, at checked addresses',
  'packages/adapters/smtp/connection.ts': 'mail to the route of the operator',
  'services/cli/api.ts': 'requests of the command line to the server of its user',
  'services/cli/forward.ts': 'events that the command line posts to a program of its user',
  'services/dashboard/src/first.ts': 'the first requests of the browser to the service that served the page',
  'services/dashboard/src/main.tsx': 'requests of the browser to the service that served the page',
}

/** Modules that repeat work with a timer of their own instead of `every`, each with the reason. */
const ownIntervals: Readonly<Record<string, string>> = {
  'packages/kit/endProcess.ts': 'keeps the process alive, which `every` does not',
  'packages/kit/listen.ts': 'keeps the process alive until its last connection is closed',
  'services/dashboard/src/ui/RelativeTime.tsx': 'runs in a browser',
  'services/gateway/connections/connections.ts':
    'counts checks, so that a process that was paused closes no connection',
}

/**
 * Modules that set a timer of their own, or wait for an event loop iteration with a callback, each with the reason.
 * Others use `every`, `wakeTimer`, `after`, `pause`, turns of `slices` or a batcher of kit.
 */
const ownTimers: Readonly<Record<string, string>> = {
  'packages/adapters/grpc/sendBatched.ts': 'one timer for the deadlines of all calls of a batch',
  'packages/adapters/kafka/consumer.ts': 'gathers offsets before a commit',
  'packages/adapters/kafka/idleTimers.ts': 'replaces a timer of kafkajs',
  'packages/adapters/redis/connect.ts': 'a limit in parts, so that a stall of this process does not count',
  'packages/adapters/smtp/connection.ts': 'limits of a connection, set again with each reply',
  'packages/adapters/smtp/smtpTransport.ts': 'the limit of a stop',
  'packages/adapters/sqlite/client/recordScheduler.ts': 'counts the work of an event loop iteration',
  'packages/kit/after.ts': 'is the mechanism',
  'packages/kit/batcher.ts': 'is the mechanism',
  'packages/kit/drain.ts': 'counts event loop iterations without an arrival',
  'packages/kit/endProcess.ts': 'the limit of an exit',
  'packages/kit/grpc/serve.ts': 'limits of a stop',
  'packages/kit/listen.ts': 'limits of a stop',
  'packages/kit/run.ts': 'the limit of an exit',
  'packages/kit/slices.ts': 'is the mechanism',
  'packages/kit/wakeTimer.ts': 'is the mechanism',
  'services/accounts/deferredWrites.ts': 'writes after the response, outside the context of its request',
  'services/dispatcher/laneWorker.ts': 'a pause that ends early without a call of its function',
  'services/gateway/bodies/unreadBodies.ts': 'ends a connection that is closed otherwise',
  'services/gateway/connections/pipelining.ts': 'counts the requests of an event loop iteration',
  'services/gateway/connections/readTurns.ts': 'measures the requests of an event loop iteration',
  'services/gateway/steps/requestScheduler.ts': 'measures the work of an event loop iteration',
  'services/gateway/steps/responseMemory.ts': 'releases memory after the requests of clients that left together',
}

/** Modules that hold promises in a set or a map of their own, each with the reason. */
const ownPromises: Readonly<Record<string, string>> = {
  'packages/adapters/dns/walk.ts': 'the answers of one walk, until it ends',
  'packages/kit/runningWork.ts': 'is the mechanism',
  'services/dashboard/src/first.ts': 'runs in a browser',
  'services/dispatcher/workerPool.ts': 'one promise less for each email',
}

/** Browsers have no kit. */
const inBrowser = (file: string): boolean => file.startsWith('services/dashboard/src/')

/**
 * Words of the domain. Those that mean nothing else may not be in a store; the others not as the value of a field or a
 * column that has such a word.
 */
const removedParts = ['personal', 'record'] satisfies (typeof removals)[number][]
const ownWords: readonly string[] = [...Object.keys(plans), ...roles, ...removedParts]
const wordsOfFields: readonly string[] = [
  ...ownWords,
  ...removals,
  ...recipientStatuses,
  ...emailStatuses,
  ...invoiceStatuses,
  ...deliveryStatuses,
  ...replayStatuses,
  ...domainStatuses,
]

/**
 * Words that queries of stores need, as `file: word`: the last success of a webhook, and scheduled mail in a page of a
 * list.
 */
const wordsOfQueries: readonly string[] = [
  'packages/adapters/mongo/webhooks/deliveries.ts: delivered',
  'packages/adapters/sqlite/emails/emails.ts: scheduled',
]

/**
 * Returns the words of the domain in a store, which decides nothing: rules choose the words, and a store writes them.
 */
const wordsIn = (text: string): string[] => {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const values = [...code.matchAll(/'(\w+)'/g)].map(([, word = '']) => word).filter((word) => ownWords.includes(word))
  const fields = code.matchAll(/\b(?:plan|remove|role|status|step)\s*(?::|<>|!=|(?<![=!])=(?!=)|\bIN \()\s*'(\w+)'/g)
  const ofFields = [...fields].map(([, word = '']) => word).filter((word) => wordsOfFields.includes(word))
  return [...new Set([...values, ...ofFields])].toSorted()
}

/** Ways to open a connection with Node or undici, in a source text without comments and texts. */
const connectingCode = [
  /(?<![.\w])fetch\s*\(|\bglobalThis\s*(?:\.\s*fetch\b|\[)/,
  /\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/,
  /\b(?:https?|http2|net|tls|dgram)\s*\.\s*(?:request|get|connect|createConnection|createSocket|Socket|Agent)\b/,
  /\bnew\s+(?:Socket|TLSSocket|Agent|ClientRequest)\b/,
]
const connectingImports: Readonly<Record<string, RegExp>> = {
  http: /\b(?:request|get|Agent|ClientRequest)\b/,
  https: /\b(?:request|get|Agent)\b/,
  http2: /\bconnect\b/,
  net: /\b(?:connect|createConnection|Socket|Stream)\b/,
  tls: /\b(?:connect|TLSSocket)\b/,
  dgram: /./,
  undici: /./,
  ...Object.fromEntries(['axios', 'got', 'ky', 'needle', 'node-fetch', 'superagent', 'ws'].map((name) => [name, /./])),
}

/** Returns whether a source opens connections: it imports what does, or uses what is there without an import. */
const isConnecting = (text: string): boolean => {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
  const executed = code.replaceAll(/^(?:import|export) type\s[^;'"]*?from '[^']+'/gm, '')
  const imports = executed.matchAll(
    /(?:import|export)\s([^;'"]*?)\sfrom\s+'(?:node:)?([\w/-]+)'|import\('(?:node:)?([\w/-]+)'\)/g,
  )
  for (const [, names = '', module = '', dynamic = ''] of imports) {
    if (dynamic in connectingImports) return true
    const values = names.replaceAll(/\btype\s+\w+/g, '')
    if (values.trim() !== '{ }' && connectingImports[module]?.test(values)) return true
  }
  const builtIns = executed.matchAll(/(?:(\{[^}]*\})\s*=\s*process\.)?getBuiltinModule\('(?:node:)?([\w/-]+)'\)/g)
  for (const [, names, module = ''] of builtIns) {
    if (module in connectingImports && (names === undefined || connectingImports[module]?.test(names))) return true
  }
  const withoutTexts = executed.replaceAll(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, "''")
  return connectingCode.some((pattern) => pattern.test(withoutTexts))
}

/** What a store may refuse by itself: it does not work, a person must change its settings, or the caller has a bug. */
const storeFaults = ['unavailable', 'forbidden', 'internal']

/**
 * Where a process does not start because of its database. Its operator reads the other codes; no user of the API does.
 */
const operatorFaults = ['packages/adapters/mongo/client/', 'packages/adapters/sqlite/client/']

/**
 * Returns the codes of the Faults that a source makes. Functions of `kit` that refuse a request count by the code of
 * theirs.
 */
const faultCodesIn = (text: string): string[] => {
  const made = [...text.matchAll(/new Fault\(\s*(?:'(\w+)')?/g)].map(([, code = 'a code that is computed']) => code)
  const refusing = /import \{[^}]*\b(?:invalid|refuseAny)\b[^}]*\} from '@postrider\/kit\/fault\.ts'/.test(text)
  return refusing ? [...made, 'validation_failed'] : made
}

/**
 * Jobs in the background that wait for the next event loop iteration. Work of a request waits for a slice of the
 * process (packages/kit/slices.ts) instead: otherwise the work of all requests would run in one iteration.
 */
const iterationsOfJobs: Readonly<Record<string, string>> = {
  'packages/adapters/tableScan.ts': 'an hourly search',
  'packages/adapters/sqlite/client/recordScheduler.ts': 'steps of the sweep; single records use slices',
  'packages/adapters/sqlite/emails/dueCount.ts': 'counts for metrics and the operator',
  'packages/adapters/sqlite/emails/terms.ts': 'the index of lists',
  'packages/adapters/sqlite/events/stats.ts': 'statistics',
  'packages/adapters/sqlite/webhooks/deliveries.ts': 'counts for metrics',
  'packages/adapters/sqlite/webhooks/replays.ts': 'removal of old records',
  'services/accounts/eraseWorkspaces.ts': 'deletion of a workspace',
  'services/intake/erasures.ts': 'erasure of an address',
  'services/intake/purge.ts': 'retention',
  'services/intake/redactLog.ts': 'erasure of an address',
  'services/intake/setAsideSuspended.ts': 'mail of suspended workspaces',
  'services/intake/stats.ts': 'statistics',
  'services/intake/sweep.ts': 'the sweep',
  'services/intake/testClocks.ts': 'moves of test clocks',
  'services/webhooks/chores.ts': 'removal of old records',
  'services/webhooks/scanner.ts': 'the scan of events',
  'services/webhooks/sender.ts': 'deliveries of an endpoint that was disabled',
}

const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/node_modules|(^|\/)dist\//.test(name))
    .map((name) => join(folder, name))

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Maximum length of a function in docs/style.md. */
const maxFunctionLines = 80

/** What only tests use, next to the files that they test. */
const testSupport = /\/(?:fakes\w*|testRig|testGateway)\.ts$/

/** The build puts these modules in place of modules of libraries. */
const replacing = /^services\/dashboard\/src\/app\/replaced\//

const isGenerated = (file: string): boolean => /^packages\/contracts\/gen\/|\/src\/api\/gen\//.test(file)

const isTest = (file: string): boolean => /\.(test|conformance)\.tsx?$/.test(file)

/** Returns the specifiers that a source text imports or re-exports, types included. */
const importsIn = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '')

/**
 * A skip without a reason, of a test that runs or of one that is declared. `skip` of a database cursor has a parameter.
 */
const bareSkip = /\.skip\(\)|\b(?:it|describe|context|specify)\.skip\b|\bx(?:it|describe|context|specify)\(/

/**
 * A docstring that documents nothing: another comment, an import, the end of a block or an empty line follows it. The
 * header of a file is a plain comment.
 */
const danglingDocstring =
  /^[ \t]*\/\*\*(?:[^*]|\*(?!\/))*\*\/(?=[ \t]*\n(?:[ \t]*\n|[ \t]*(?:\/\*|\/\/|import\b|[})\]]))|\s*$(?![\s\S]))/m

const importsOf = (file: string): string[] => importsIn(textOf(file))

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
 * A line that begins a statement other than a type or an import of types. Inner lines and comments do not begin with a
 * letter.
 */
const executedStatement = /^(?!(?:(?:import|export) )?(?:type|interface)\s)\w/m

/** Returns the npm workspace that contains a file: `packages/mail`, `services/intake`. */
const workspaceOf = (file: string): string => file.split('/').slice(0, 2).join('/')

/** Returns the workspace that an import leads to, or null for libraries and modules of Node. */
const importedWorkspace = (file: string, specifier: string): string | null => {
  if (specifier.startsWith('.')) return workspaceOf(relative(root, join(root, dirname(file), specifier)))
  if (!specifier.startsWith(scope)) return null
  const name = specifier.slice(scope.length).split('/')[0] ?? ''
  return packageNames.includes(name) ? `packages/${name}` : `services/${name}`
}

/** Returns the file of the project that an import leads to, or null. */
const importedFile = (file: string, specifier: string): string | null => {
  if (specifier.startsWith('.')) return relative(root, join(root, dirname(file), specifier))
  const imported = importedWorkspace(file, specifier)
  return imported === null ? null : join(imported, specifier.split('/').slice(2).join('/'))
}

/** Returns the npm package of an import, or null for files and modules of Node. */
const npmPackageOf = (specifier: string): string | null => {
  if (specifier.startsWith('.') || specifier.startsWith('node:') || specifier === '') return null
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

const packageNames = readdirSync(join(root, 'packages'))
const workspaces = ['packages', 'services'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => join(folder, name)),
)
const sources = [...filesIn('packages'), ...filesIn('services')].filter((file) => !isTest(file))
const sourcesOf = (workspace: string): string[] => sources.filter((file) => file.startsWith(`${workspace}/`))

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

  it('packages/adapters imports only types from packages/ports', () => {
    const wrong = sourcesOf('packages/adapters').filter((file) =>
      executedImportsOf(file).some((specifier) => importedWorkspace(file, specifier) === 'packages/ports'),
    )
    assert.deepEqual(wrong, [])
  })

  it('stores return the reasons of refusals of users, and throw only the listed faults', () => {
    const stores = sources.filter((file) => /^packages\/adapters\/(?:mongo|sqlite|memory)\//.test(file))
    const wrong = stores.flatMap((file) =>
      faultCodesIn(textOf(file))
        .filter((code) => !storeFaults.includes(code) && !operatorFaults.some((path) => file.startsWith(path)))
        .map((code) => `${file} throws a Fault ${code}`),
    )
    assert.deepEqual(wrong, [])
  })

  // How many deaths park an email is decided by `claimOutcome`; these two search for parked mail.
  it('only the searches for parked mail among the stores use the number of deaths that parks an email', () => {
    const found = sourcesOf('packages/adapters').filter((file) => textOf(file).includes('maxDeaths'))
    assert.deepEqual(found.toSorted(), [
      'packages/adapters/mongo/emails/oldParked.ts',
      'packages/adapters/mongo/emails/parking.ts',
    ])
  })

  it('only singleFlight.ts lets concurrent callers share a run', () => {
    const found = sources.filter((file) => /\w \?\?= [^;{}]*\.finally\(/.test(textOf(file)))
    assert.deepEqual(found, ['packages/kit/singleFlight.ts'])
  })

  it('only the listed modules repeat work with their own timer', () => {
    const found = sources.filter((file) => textOf(file).includes('setInterval('))
    assert.deepEqual(found.toSorted(), Object.keys(ownIntervals))
  })

  it('only the listed modules set their own timers, or wait for an event loop iteration with a callback', () => {
    const found = sources.filter(
      (file) =>
        !testSupport.test(file) && !inBrowser(file) && /(?<![.\w])set(?:Timeout|Immediate)\(/.test(textOf(file)),
    )
    assert.deepEqual(found.toSorted(), Object.keys(ownTimers))
  })

  it('only pause.ts pauses with the timer of Node', () => {
    const found = sources.filter((file) =>
      /^import \{[^}]*\bsetTimeout\b.*'node:timers\/promises'$/m.test(textOf(file)),
    )
    assert.deepEqual(found, ['packages/kit/pause.ts'])
  })

  it('only the listed modules hold promises in a set or a map', () => {
    const found = sources.filter((file) => /new (?:Set|Map)<[^()]*\bPromise\b/.test(textOf(file)))
    assert.deepEqual(found.toSorted(), Object.keys(ownPromises))
  })

  it('stores contain no plans, roles, steps of a removal and statuses', () => {
    const stores = sources.filter(
      (file) => /^packages\/adapters\/(?:mongo|sqlite|memory)\//.test(file) && !file.includes('/migrations/'),
    )
    const found = stores.flatMap((file) => wordsIn(textOf(file)).map((word) => `${file}: ${word}`))
    assert.deepEqual(found, wordsOfQueries)
  })

  for (const [text, words] of [
    ["find({ plan: 'pro' })", ['pro']],
    ["{ step: 'record', from: now }", ['record']],
    ["insert.run(user, 'owner')", ['owner']],
    ["\"status <> 'scheduled' AND role = 'owner'\"", ['owner', 'scheduled']],
    ["change.remove === 'content' && row['status'] !== 'queued'", []],
    ["// plan: 'pro'", []],
    ["Pick<Email, 'status' | 'content'>", []],
  ] as const)
    it(`the search for words of the domain reads ${text}`, () => assert.deepEqual(wordsIn(text), words))

  it('units of time and MiB have one definition, and one for the browser', () => {
    const definition = /\bconst (?:(?:minuteMs|hourMs|dayMs|mebibyte) =|\[[^\]]*\bdayMs\b[^\]]*\] =)/
    const found = sources.filter((file) => definition.test(textOf(file)))
    assert.deepEqual(found.toSorted(), ['packages/mail/units.ts', 'services/dashboard/src/ui/times.ts'])
  })

  it('the search for refusals finds each way to make one', () => {
    assert.deepEqual(faultCodesIn("throw new Fault('conflict', 'x')"), ['conflict'])
    assert.deepEqual(faultCodesIn("new Fault(\n    'not_found',\n    'x')"), ['not_found'])
    assert.deepEqual(faultCodesIn('new Fault(isA ? one : other)'), ['a code that is computed'])
    assert.deepEqual(faultCodesIn("import { Fault, invalid } from '@postrider/kit/fault.ts'"), ['validation_failed'])
    assert.deepEqual(faultCodesIn("import { Fault, isUnavailable } from '@postrider/kit/fault.ts'"), [])
  })

  it('only main files and the command line read the environment, and telemetry.ts, which runs before them', () => {
    const readers = sources.filter((file) => textOf(file).includes('process.env'))
    const others = ['packages/kit/telemetry.ts', 'services/cli/bin.ts']
    const wrong = readers.filter((file) => !file.endsWith('/main.ts') && !others.includes(file))
    assert.deepEqual(wrong, [])
  })

  it('only the listed modules open connections', () => {
    const isProduct = (file: string): boolean => file !== 'services/gateway/testGateway.ts'
    const found = sources.filter((file) => isProduct(file) && !file.includes('/gen/') && isConnecting(textOf(file)))
    assert.deepEqual(found.toSorted(), Object.keys(connecting).toSorted())
  })

  for (const text of [
    "await fetch('https://example.com')",
    'globalThis.fetch(url)',
    "globalThis['fetch'](url)",
    "import http from 'node:http'\nhttp.request(url)",
    "import * as https from 'node:https'\nhttps.get(url)",
    "import { request } from 'node:https'",
    "import { type Server, get } from 'http'",
    "import { connect } from 'node:net'",
    "import { type Socket, createConnection as open } from 'node:net'",
    "import tls from 'node:tls'\ntls.connect({})",
    "import { connect } from 'node:http2'",
    "import { createSocket } from 'node:dgram'",
    "import { request } from 'undici'",
    "const { request } = await import('node:http')",
    "const undici = await import('undici')",
    "const { request } = process.getBuiltinModule('node:http')",
    "const http = process.getBuiltinModule('node:http')",
    'new WebSocket(url)',
  ])
    it(`the search for connections finds ${text.split('\n').at(-1)}`, () => assert.equal(isConnecting(text), true))

  for (const text of [
    "import { createServer, type Server } from 'node:http'",
    "const { createServer, Server } = process.getBuiltinModule('node:http')",
    "import { isIP } from 'node:net'",
    "import type { Socket } from 'node:net'",
    "import { type Socket } from 'node:net'",
    '// fetch(url)',
    "const sample = 'await fetch(url)'",
    'const sample = `await fetch(url)`',
    'records.fetch(id)',
  ])
    it(`the search for connections ignores ${text}`, () => assert.equal(isConnecting(text), false))

  it('only the listed jobs wait for a plain event loop iteration, requests for a slice', () => {
    const waiting = sources.filter(
      (file) => !testSupport.test(file) && /^import \{ setImmediate .*'node:timers\/promises'$/m.test(textOf(file)),
    )
    assert.deepEqual(waiting.toSorted(), Object.keys(iterationsOfJobs).toSorted())
  })

  it('every main file imports tracing first', () => {
    const mains = sources.filter((file) => file.endsWith('/main.ts'))
    const wrong = mains.filter((file) => importsOf(file)[0] !== '@postrider/kit/telemetry.ts')
    assert.deepEqual(wrong, [])
  })

  it(`no function has more than ${maxFunctionLines} lines`, () => {
    const product = sources.filter((file) => !testSupport.test(file) && !isGenerated(file))
    const candidates = product.filter((file) => textOf(file).split('\n').length > maxFunctionLines)
    const long = candidates.flatMap((file) =>
      functionsIn(textOf(file), file).flatMap(({ line, lines }) =>
        lines > maxFunctionLines ? [`${file}:${line} begins a function of ${lines} lines`] : [],
      ),
    )
    assert.deepEqual(long, [])
  })

  // The dashboard is one page in a tab, whose state a module may have.
  it('no module has state: it declares no variable with let', () => {
    const product = sources.filter((file) => !isTest(file) && !file.startsWith('services/dashboard/src/'))
    const found = product.filter((file) => /^(export )?let /m.test(textOf(file)))
    assert.deepEqual(found, [])
  })

  it('every exported value is imported by another file, and used by product code', () => {
    const isProduct = (file: string) => !isTest(file) && !testSupport.test(file) && !file.startsWith('test/')
    const read = (file: string) => ({ file, text: textOf(file) })
    const files = ['packages', 'services', 'charts', 'test'].flatMap(filesIn).filter((file) => !isGenerated(file))
    const unused = unusedExports({
      product: files.filter(isProduct).map(read),
      tests: files.filter((file) => !isProduct(file)).map(read),
      fileOf: importedFile,
    })
    assert.deepEqual(
      unused.filter((one) => !replacing.test(one)),
      [],
    )
  })

  it('tests skip with `skip`, so that the report of the run lists the reason', () => {
    const own = ['test/architecture.test.ts', 'test/support/skip.ts']
    const files = ['packages', 'services', 'test'].flatMap(filesIn).filter((file) => !own.includes(file))
    assert.deepEqual(
      files.filter((file) => bareSkip.test(textOf(file))),
      [],
    )
  })

  it('every docstring documents what follows it', () => {
    const files = ['packages', 'services', 'charts', 'test'].flatMap(filesIn).filter((file) => !isGenerated(file))
    assert.deepEqual(
      files.filter((file) => danglingDocstring.test(textOf(file))),
      [],
    )
  })

  for (const [text, isDangling] of [
    ['/** A header. */\n\nconst a = 1', true],
    ['/** One. */\n/** Another. */\nconst a = 1', true],
    ['const a = 1\n\n/** The end. */\n', true],
    ['/**\n * A value.\n */\nconst a = 1', false],
    ["/* A header. */\n\nconst files = '**/*.ts'", false],
  ] as const)
    it(`the search for docstrings of nothing reads ${JSON.stringify(text)}`, () =>
      assert.equal(danglingDocstring.test(text), isDangling))

  it('comments have at most 120 columns, as code has', () => {
    const files = ['packages', 'services', 'charts', 'test'].flatMap(filesIn).filter((file) => !isGenerated(file))
    // Rows of a table and directives of tools are one line.
    const isLong = (line: string): boolean => line.length > 120 && /^ *(\/\/(?! biome-)|\/?\*(?! \|))/.test(line)
    assert.deepEqual(
      files.filter((file) => textOf(file).split('\n').some(isLong)),
      [],
    )
  })

  it('Fault is the only class', () => {
    const found = sources.filter((file) => /^(export )?(abstract )?class /m.test(textOf(file)))
    assert.deepEqual(found, ['packages/kit/fault.ts'])
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
