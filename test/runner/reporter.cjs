// Mocha's reporter for a process of `npm test`. It prints nothing and writes a result file for the runner.
// Mocha loads reporters with `require`, so this file is CommonJS.
const { readFileSync, writeFileSync } = require('node:fs')
const { relative } = require('node:path')
const { format } = require('node:util')
const { reporters } = require('mocha')

/** Returns the reason that test/support/skip.ts stored at the test or at a suite around it. */
const reasonOf = (runnable) => {
  for (let at = runnable; at; at = at.parent) if (at.skipReason) return at.skipReason
  return 'no reason was given'
}

/** Returns the outermost suite of a test, below the root suite, which contains hooks of whole files. */
const topSuite = (runnable) => {
  let at = runnable
  while (at.parent && !at.parent.root) at = at.parent
  return at
}

const fileOf = (suite) => relative(process.cwd(), suite.file ?? 'unknown')

const ticksPerSecond = 100

/** Returns the CPU milliseconds of this process and its ended children, or null if there is no /proc. */
const cpuMs = () => {
  try {
    // The name in brackets may contain spaces; utime, stime, cutime and cstime are the 12th to 15th field after it.
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1).split(' ')
    return (fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 1_000) / ticksPerSecond
  } catch {
    return null
  }
}

/** Returns the titles, differences and stacks of failures as mocha prints them. */
const failureText = (failures) => {
  const lines = []
  const { consoleLog } = reporters.Base
  reporters.Base.consoleLog = (...parts) => lines.push(format(...parts))
  reporters.Base.list(failures)
  reporters.Base.consoleLog = consoleLog
  return lines.join('\n')
}

/** Nothing takes so long to close. */
const lingerMs = 30_000

/** Returns what keeps this process from its end, such as `ChildProcess 4711` or `Socket 127.0.0.1:9092`. */
const openResources = () => {
  // Node documents only the kinds, which do not name the culprit.
  const handles = process._getActiveHandles?.() ?? []
  const named = handles.map((handle) => {
    const place = handle.pid ?? handle.remotePort ?? handle.localPort ?? handle.fd ?? ''
    const what = Array.isArray(handle.spawnargs) ? handle.spawnargs.slice(-4).join(' ') : ''
    return `${handle.constructor.name} ${place} ${what}`.trim()
  })
  return [...process.getActiveResourcesInfo(), ...named].join(', ')
}

module.exports = class RunReporter extends reporters.Base {
  constructor(runner, options) {
    super(runner, options)
    const skipped = []
    const files = new Map()
    let began = 0
    runner.on('pending', (test) =>
      skipped.push({ suite: topSuite(test).title, test: test.fullTitle(), reason: reasonOf(test) }),
    )
    runner.on('suite', (suite) => {
      if (suite.parent?.root) began = performance.now()
    })
    runner.on('suite end', (suite) => {
      if (!suite.parent?.root) return
      const file = fileOf(suite)
      files.set(file, (files.get(file) ?? 0) + performance.now() - began)
    })
    runner.once('end', () => {
      const { passes, failures } = this.stats
      const result = {
        passed: passes,
        failed: failures,
        skipped,
        cpuMs: cpuMs(),
        files: [...files].map(([file, ms]) => ({ file, ms: Math.round(ms) })),
        failureText: failures > 0 ? failureText(this.failures) : '',
      }
      writeFileSync(options.reporterOptions.result, JSON.stringify(result))
      const report = () => console.log(`    still open ${lingerMs / 1_000} s after the last test: ${openResources()}`)
      setTimeout(report, lingerMs).unref()
    })
  }
}
