import assert from 'node:assert/strict'
import { repeatBatches } from './repeatBatches.ts'

describe('repeatBatches', () => {
  const sizesOf = async (found: readonly number[], max: number) => {
    const sizes: number[] = []
    await repeatBatches({
      size: 10,
      max,
      run: async (size) => {
        sizes.push(size)
        return found[sizes.length - 1] ?? 0
      },
    })
    return sizes
  }

  it('repeats a batch until one is not full', async () => {
    assert.deepEqual(await sizesOf([10, 10, 9, 10], 50), [10, 10, 10])
    assert.deepEqual(await sizesOf([0], 50), [10])
  })

  it('stops after the maximum number of batches', async () => {
    assert.deepEqual(await sizesOf([10, 10, 10], 2), [10, 10])
  })

  it('lets other work run between two batches', async () => {
    const order: string[] = []
    const batches = repeatBatches({
      size: 1,
      max: 2,
      run: async () => order.push('batch'),
    })
    setImmediate(() => order.push('other'))
    await batches
    assert.deepEqual(order, ['batch', 'other', 'batch'])
  })
})
