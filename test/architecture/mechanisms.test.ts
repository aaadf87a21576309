import assert from 'node:assert/strict'
import { openStatuses } from '@postrider/domain/email/status.ts'
import { sources, sourcesOf, testSupport, textOf } from './sources.ts'

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
  'packages/kit/repeatBatches.ts': 'is the mechanism of jobs that work in batches',
  'services/accounts/eraseWorkspaces.ts': 'deletion of a workspace',
  'services/intake/erasures.ts': 'erasure of an address',
  'services/intake/redactLog.ts': 'erasure of an address',
  'services/intake/stats.ts': 'statistics',
  'services/intake/testClocks.ts': 'moves of test clocks',
  'services/webhooks/chores.ts': 'removal of old records',
  'services/webhooks/scanner.ts': 'the scan of events',
  'services/webhooks/sender.ts': 'deliveries of an endpoint that was disabled',
}

/** Returns the text between a parenthesis and the one that closes it. @param from position after the first one */
const inParentheses = (text: string, from: number): string => {
  let to = from
  for (let depth = 1; depth > 0 && to < text.length; to++) depth += Number(text[to] === '(') - Number(text[to] === ')')
  return text.slice(from, to - 1)
}

/** Returns the parameters or arguments after each match of a pattern, which ends with a parenthesis. */
const listsAfter = (pattern: RegExp, text: string): { name: string; list: string }[] =>
  [...text.matchAll(pattern)].map((found) => ({
    name: found[1] ?? '',
    list: inParentheses(text, found.index + found[0].length),
  }))

describe('mechanisms of the product', () => {
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

  // Its early end makes an error, which costs more than the pause.
  it('no module pauses with the timer of Node', () => {
    const found = sources.filter((file) =>
      /^import \{[^}]*\bsetTimeout\b.*'node:timers\/promises'$/m.test(textOf(file)),
    )
    assert.deepEqual(found, [])
  })

  it('only the listed modules hold promises in a set or a map', () => {
    const found = sources.filter((file) => /new (?:Set|Map)<[^()]*\bPromise\b/.test(textOf(file)))
    assert.deepEqual(found.toSorted(), Object.keys(ownPromises))
  })

  it('only the listed jobs wait for a plain event loop iteration, requests for a slice', () => {
    const waiting = sources.filter(
      (file) => !testSupport.test(file) && /^import \{ setImmediate .*'node:timers\/promises'$/m.test(textOf(file)),
    )
    assert.deepEqual(waiting.toSorted(), Object.keys(iterationsOfJobs).toSorted())
  })

  // With a runner of their own, stores ran a slice in addition to that of the service in each iteration.
  it('services give the runner of their process to each adapter that accepts one', () => {
    const declared = sourcesOf('packages/adapters').flatMap((file) =>
      listsAfter(/export const (\w+) = \(/g, textOf(file)),
    )
    const accepting = new Set(declared.filter(({ list }) => /\bslices\??:/.test(list)).map(({ name }) => name))
    assert.ok(accepting.has('mongoEmails') && accepting.has('sqliteAccounts'))
    const services = sources.filter((file) => file.startsWith('services/') && !testSupport.test(file))
    const wrong = services.flatMap((file) =>
      listsAfter(/\b(\w+)\(/g, textOf(file))
        .filter(({ name, list }) => accepting.has(name) && !/\bslices\b/.test(list))
        .map(({ name }) => `${file}: ${name}`),
    )
    assert.deepEqual(wrong, [])
  })

  it('units of time and MiB have one definition, and one for the browser', () => {
    const definition = /\bconst (?:(?:minuteMs|hourMs|dayMs|mebibyte) =|\[[^\]]*\bdayMs\b[^\]]*\] =)/
    const found = sources.filter((file) => definition.test(textOf(file)))
    assert.deepEqual(found.toSorted(), ['packages/mail/units.ts', 'services/dashboard/src/ui/times.ts'])
  })

  // Regression: the guard of what may be erased had a list of its own, which a new status would not have been in.
  it('statuses of mail that is not final have one list', () => {
    const open = openStatuses.join('|')
    const list = new RegExp(`\\[[^\\]]*'(?:${open})',\\s*'(?:${open})'`)
    const found = sources.filter((file) => !file.includes('/gen/') && list.test(textOf(file)))
    assert.deepEqual(found, ['packages/domain/email/status.ts'])
  })
})
