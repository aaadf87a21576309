import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const kit = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href)

/** Runs a process whose `main` is this text; `signals` are sent, in one go, when it prints "open". */
const runIt = async (main: string, signals: NodeJS.Signals[] = [], read = '{ config: {}, unknown: [] }') => {
  const script = `
    import { run } from ${kit('run.ts')}
    import { Fault } from ${kit('fault.ts')}
    const say = (text) => process.stdout.write(text + '\\n')
    await run('trial', ${read}, async (open) => { ${main} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  let output = ''
  const hear = (text: string): void => {
    if (!output.includes('open') && (output + text).includes('open')) for (const signal of signals) child.kill(signal)
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', hear)
  child.stderr.setEncoding('utf8').on('data', hear)
  const [code, signal] = await once(child, 'close')
  return { code, signal, output }
}

const open = `
  const alive = setInterval(() => {}, 1_000)
  open.defer(async () => { await new Promise((done) => setTimeout(done, 50)); clearInterval(alive); say('first closed') })
  open.defer(() => say('second closed'))
  say('open')`

describe('run', () => {
  for (const signals of [['SIGTERM'], ['SIGINT', 'SIGINT'], ['SIGINT', 'SIGTERM']] as NodeJS.Signals[][]) {
    it(`closes what was opened last first on ${signals.join(' and ')}, and ends with 0`, async () => {
      const { code, output } = await runIt(open, signals)
      assert.equal(output, 'open\nsecond closed\nfirst closed\n')
      assert.equal(code, 0)
    })
  }

  it('closes what is open after a fault, and ends with 1', async () => {
    const { code, output } = await runIt(`${open}; setTimeout(() => { throw new TypeError('a bug') }, 1)`)
    assert.match(output, /trial: TypeError: a bug\n\s+at .*second closed\nfirst closed\n$/s)
    assert.equal(code, 1)
  })

  it('tells a refusal in its own words alone', async () => {
    const { code, output } = await runIt(`throw new Fault('conflict', 'Port 80 is in use.')`)
    assert.equal(output, 'trial: Port 80 is in use.\n')
    assert.equal(code, 1)
  })

  it('starts nothing with a bad configuration, lists every fault, and ends with 2', async () => {
    const { code, output } = await runIt(open, [], `{ faults: ['PORT: no', 'ROUTE: no'], unknown: ['POSTRIDER_PROT'] }`)
    assert.equal(
      output,
      'trial: POSTRIDER_PROT is no variable of ours and has no effect; docs/config.md lists them\n' +
        'trial: nothing was started, its configuration has 2 faults; docs/config.md tells of each variable:\n' +
        '  PORT: no\n  ROUTE: no\n',
    )
    assert.equal(code, 2)
  })
})
