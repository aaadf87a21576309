import assert from 'node:assert/strict'
import { type Available, waysTo, whyNone } from './find.ts'

const engine = { noEngine: null }
const noEngine = { noEngine: 'no container engine responds' }
const jars = { noJars: null }
const noJars = { noJars: 'Java is missing' }

describe('waysTo', () => {
  const cases: [string, Available, string[]][] = [
    ['only a given address if everything is available', { given: 'host:1', ...engine, ...jars }, ['given']],
    ['a given address if nothing else is available', { given: 'host:1', ...noEngine, ...noJars }, ['given']],
    ['the jars if the given address is empty', { given: '', ...noEngine, ...jars }, ['jars']],
    ['a container before the jars', { given: undefined, ...engine, ...jars }, ['container', 'jars']],
    ['a container if there are no jars', { given: undefined, ...engine, ...noJars }, ['container']],
    ['the jars if there is no container engine', { given: undefined, ...noEngine, ...jars }, ['jars']],
    ['nothing if nothing is available', { given: undefined, ...noEngine, ...noJars }, []],
  ]
  for (const [name, available, kinds] of cases) {
    it(`returns ${name}`, () =>
      assert.deepEqual(
        waysTo(available).map(({ kind }) => kind),
        kinds,
      ))
  }
})

describe('whyNone', () => {
  it('returns one line with everything that is missing', () => {
    assert.equal(
      whyNone('kafka', { given: undefined, ...noEngine, ...noJars }),
      'back end kafka: none; POSTRIDER_TEST_KAFKA_BROKERS is not set, no container engine responds, Java is missing',
    )
  })
})
