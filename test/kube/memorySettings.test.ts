import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { root } from '../support/project.ts'
import { skip } from '../support/skip.ts'

const dockerfile = readFileSync(join(root, 'k8s/Dockerfile'), 'utf8')

/** Returns the variables for glibc that the image sets. */
const mallocVariables = (): Record<string, string> =>
  Object.fromEntries(
    [...dockerfile.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name = '', value = '']) => [name, value]),
  )

/**
 * Fills and frees buffers of growing size, between small ones that stay, as connections do during a burst of large
 * emails. Prints by how many MiB the memory of the process grew.
 */
const burst = `
  import { readFileSync } from 'node:fs'
  import v8 from 'node:v8'
  import vm from 'node:vm'
  v8.setFlagsFromString('--expose-gc')
  const gc = vm.runInNewContext('gc')
  const used = () => Number(/RssAnon:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
  const turn = () => new Promise((done) => setImmediate(done))
  gc()
  const before = used()
  const small = []
  for (let round = 0; round < 6; round++) {
    let large = []
    for (let number = 0; number < 8; number++) {
      large.push(Buffer.alloc((1 + round + number / 2) * 2 ** 20, 1))
      small.push(Buffer.from(new Uint8Array(40_000).fill(1).buffer))
    }
    large = []
    gc()
    await turn()
  }
  gc()
  await turn()
  console.log(used() - before)`

const usedAfterBurst = (env: Record<string, string>): number =>
  Number(execFileSync(process.execPath, ['--input-type=module', '-e', burst], { env, encoding: 'utf8' }))

describe('memory settings of the image', () => {
  it('are those of the unit for one machine', () => {
    const page = readFileSync(join(root, 'docs/one-machine.md'), 'utf8')
    const line = Object.entries(mallocVariables()).map(([name, value]) => `${name}=${value}`)
    assert.ok(page.includes(`\nEnvironment=${line.join(' ')}\n`), line.join(' '))
  })

  it('are the flags of `npm start`', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
    const command = /^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? assert.fail('the image has no CMD')
    assert.deepEqual(['exec', 'node', ...JSON.parse(command)], scripts.start.split(' '))
  })

  // An intake once used 244 MiB 12 min after a burst of large emails, although its heap and buffers were only 70 MiB.
  it('return the memory of large buffers to the system', function returnsMemory() {
    const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
    if (header.glibcVersionRuntime === undefined) skip(this, 'Node does not run on glibc here')
    const variables = mallocVariables()
    assert.deepEqual(Object.keys(variables), ['MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_', 'MALLOC_ARENA_MAX'])
    const [before, after] = [usedAfterBurst({}), usedAfterBurst(variables)]
    assert.ok(after < before / 2, `${after} MiB with the settings, ${before} MiB without`)
  })
})
