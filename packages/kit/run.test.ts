import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const kit = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)

const noConfig = '{ config: {}, unknown: [] }'

/**
 * Runs a process with this text as its `main`; `signals` are sent immediately when it prints "open", and `later` when
 * it prints "stopping". Of two signals that are pending at the same time, the process may handle the second one first.
 */
const runProcess = async (
  main: string,
  signals: NodeJS.Signals[] = [],
  { read = noConfig, isTask = false, later = [] as NodeJS.Signals[] } = {},
) => {
  const child = startProcess(main, read, isTask)
  let output = ''
  const onOutput = (text: string): void => {
    const isNew = (word: string): boolean => !output.includes(word) && (output + text).includes(word)
    if (isNew('open')) for (const signal of signals) child.kill(signal)
    if (isNew('stopping')) for (const signal of later) child.kill(signal)
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', onOutput)
  const [code, signal] = await once(child, 'close')
  return { code, signal, output }
}

/**
 * Starts a process with this text as its `main`. Its errors share the pipe of its output: two pipes have no common
 * order.
 */
const startProcess = (main: string, read: string, isTask: boolean) => {
  const script = `
    import { run } from ${kit('run.ts')}
    import { Fault } from ${kit('fault.ts')}
    const say = (text) => process.stdout.write(text + '\\n')
    await run('trial', ${read}, async (open) => { ${main} }, { isTask: ${isTask} })`
  return spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', process.execPath, '--input-type=module', '-e', script])
}

const open = `
  const alive = setInterval(() => {}, 1_000)
  open.defer(async () => { await new Promise((done) => setTimeout(done, 50)); clearInterval(alive); say('first closed') })
  open.defer(() => say('second closed'))
  say('open')`

describe('run', () => {
  for (const signals of [['SIGTERM'], ['SIGINT', 'SIGINT'], ['SIGINT', 'SIGTERM']] as NodeJS.Signals[][]) {
    it(`closes resources in reverse order on ${signals.join(' and ')} and exits with 0`, async () => {
      const { code, output } = await runProcess(open, signals)
      assert.equal(output, 'open\nsecond closed\nfirst closed\n')
      assert.equal(code, 0)
    })
  }

  it('closes resources after an uncaught error and exits with 1', async () => {
    const { code, output } = await runProcess(`${open}; setTimeout(() => { throw new TypeError('a bug') }, 1)`)
    assert.match(output, /trial: TypeError: a bug\n\s+at .*second closed\nfirst closed\n$/s)
    assert.equal(code, 1)
  })

  // Each report of the lost output once caused the next, so the process used a core and never ended.
  it('exits with 1 after an uncaught error that it cannot report, because the reader of its output is gone', async () => {
    const main = `${open}; process.stdin.once('data', () => { say('lost'); throw new TypeError('a bug') })`
    const child = startProcess(main, noConfig, false)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    child.stdin.end('go')
    assert.deepEqual(await once(child, 'exit'), [1, null])
  })

  // A preparation that was evicted while it waited for MongoDB once counted as done.
  it('exits with 1 if a signal stops a task before its work is done', async () => {
    const { code, output } = await runProcess(open, ['SIGTERM'], { isTask: true })
    assert.equal(output, 'open\ntrial: Stopped before the work was done.\nsecond closed\nfirst closed\n')
    assert.equal(code, 1)
  })

  it('exits with 0 if a signal arrives after a task is finished', async () => {
    const { code } = await runProcess(`open.finish(); ${open}`, ['SIGTERM'], { isTask: true })
    assert.equal(code, 0)
  })

  // A name server that did not answer once delayed the end of a process for half a minute: `process.exit` waits for the
  // threads of libuv. A pipe without a writer occupies one of them forever.
  for (const [code, end] of [
    [0, 'open.finish()'],
    [1, "open.fail(new Fault('unavailable', 'MongoDB is unavailable.'))"],
  ] as const)
    it(`ends with ${code} although a thread and a timer never end`, async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'run-'))
      const pipe = join(folder.path, 'pipe')
      execFileSync('mkfifo', [pipe])
      const ended = await runProcess(`
        const { open: openFile } = await import('node:fs')
        openFile(${JSON.stringify(pipe)}, 'r', () => {})
        setInterval(() => {}, 1_000)
        ${end}`)
      assert.match(ended.output, /trial: ended without waiting for .*FSReqCallback.*\n$/)
      assert.equal(ended.code, code)
    })

  for (const [reason, main, signals, isTask] of [
    ['SIGTERM', open, ['SIGTERM'], false],
    ['SIGINT', open, ['SIGINT'], false],
    ['error', `${open}; setTimeout(() => { throw new TypeError('a bug') }, 1)`, [], false],
    ['error', `say('open'); throw new Fault('conflict', 'Port 80 is in use.')`, [], false],
    ['finished', `say('open'); open.finish()`, [], true],
    ['SIGTERM', open, ['SIGTERM'], true],
  ] as const)
    it(`logs the start, and the stop by ${reason} before and after everything is closed${isTask ? ', of a task' : ''}`, async () => {
      const life = `
        const { logLifecycle } = await import(${kit('lifecycle.ts')})
        const line = (fields, message) => say(message + ' ' + JSON.stringify(fields))
        const started = logLifecycle(open, { info: line }, 'cluster')
        started({ grpc_port: 50051 })`
      const later: NodeJS.Signals[] = reason === 'SIGINT' ? ['SIGTERM'] : []
      const { output } = await runProcess(`${life}; ${main}`, [...signals], { isTask, later })
      assert.match(
        output,
        /^started \{"version":"\d+\.\d+\.\d+","composition":"cluster",.*"grpc_port":50051,"duration_ms":\d+\}\n/,
      )
      assert.match(output, new RegExp(`^stopping \\{"reason":"${reason}"\\}$`, 'm'))
      assert.match(output, new RegExp(`^stopped \\{"reason":"${reason}","duration_ms":\\d+,"uptime_s":\\d+\\}$`, 'm'))
      const order = ['stopping', 'first closed', 'stopped'].map((text) => output.indexOf(text))
      if (output.includes('first closed'))
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
        )
    })

  it('prints only the message of a Fault', async () => {
    const { code, output } = await runProcess(`throw new Fault('conflict', 'Port 80 is in use.')`)
    assert.equal(output, 'trial: Port 80 is in use.\n')
    assert.equal(code, 1)
  })

  it('lists every error of an invalid configuration, opens nothing and exits with 2', async () => {
    const { code, output } = await runProcess(open, [], {
      read: `{ errors: ['PORT: no', 'ROUTE: no'], unknown: ['POSTRIDER_PROT', 'POSTRIDER_SINGUP'], meant: { POSTRIDER_SINGUP: 'POSTRIDER_SIGNUP' } }`,
    })
    assert.equal(
      output,
      'trial: unknown variable POSTRIDER_PROT has no effect; see docs/config.md\n' +
        'trial: unknown variable POSTRIDER_SINGUP has no effect; did you mean POSTRIDER_SIGNUP?\n' +
        'trial: invalid configuration (2 errors); see docs/config.md\n' +
        '  PORT: no\n  ROUTE: no\n',
    )
    assert.equal(code, 2)
  })
})
