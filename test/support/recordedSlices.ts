import { makeSlices, type Slices } from '@postrider/kit/slices.ts'

/** Returns a runner that adds the owner of each job to `owners`. */
export const recordedSlices = (owners: string[], owner = '', inner = makeSlices()): Slices => ({
  ...inner,
  run: (steps, isLong) => {
    owners.push(owner)
    return inner.run(steps, isLong)
  },
  of: (next) => recordedSlices(owners, next, inner.of(next)),
})
