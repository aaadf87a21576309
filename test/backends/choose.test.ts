import assert from 'node:assert/strict'
import { type Situation, waysTo, whyNone } from './choose.ts'

describe('where a back end is looked for', () => {
  const engine = { noEngine: null }
  const noEngine = { noEngine: 'no container engine answers' }
  const jars = { noJars: null }
  const noJars = { noJars: 'Java is missing' }
  const cases: [string, Situation, string[]][] = [
    ['a given address, whatever else is there', { given: 'host:1', ...engine, ...jars }, ['given']],
    ['a given address, where nothing else is', { given: 'host:1', ...noEngine, ...noJars }, ['given']],
    ['an empty address is none', { given: '', ...noEngine, ...jars }, ['jars']],
    ['a container before the jars', { given: undefined, ...engine, ...jars }, ['container', 'jars']],
    ['a container alone', { given: undefined, ...engine, ...noJars }, ['container']],
    ['the jars alone', { given: undefined, ...noEngine, ...jars }, ['jars']],
    ['nowhere', { given: undefined, ...noEngine, ...noJars }, []],
  ]
  for (const [name, situation, kinds] of cases) {
    it(name, () =>
      assert.deepEqual(
        waysTo(situation).map(({ kind }) => kind),
        kinds,
      ),
    )
  }

  it('says in one line what is missing', () => {
    assert.equal(
      whyNone('kafka', { given: undefined, ...noEngine, ...noJars }),
      'back end kafka: none; POSTRIDER_TEST_KAFKA_BROKERS is not set, no container engine answers, Java is missing',
    )
  })
})
