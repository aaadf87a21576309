/** Returns the smallest of 1, 2, 2.5, 5 and 10 times a power of ten that is at least `value`. */
const niceStep = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(value))
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= value * (1 - 1e-9)) ?? 10
  return factor * power
}

/**
 * Returns the lines of a scale from 0 to at least `max`, at even and short numbers.
 * @param isWhole whether the values are whole numbers, so that the lines are too
 */
export const linesOf = (max: number, { count = 4, isWhole = false } = {}): number[] => {
  const least = isWhole ? 1 : Number.MIN_VALUE
  const wanted = Math.max(max, least) / count
  const step = isWhole ? Math.ceil(niceStep(Math.max(wanted, 1))) : niceStep(max > 0 ? wanted : 1 / count)
  const lines = Math.max(1, Math.ceil((Math.max(max, 0) / step) * (1 - 1e-9)))
  return Array.from({ length: lines + 1 }, (_, line) => Number((line * step).toPrecision(12)))
}

/** Returns the positions of at most `max` labels on `count` buckets, at even distances, the last bucket included. */
export const labeled = (count: number, max: number): number[] => {
  const step = Math.max(1, Math.ceil(count / Math.max(1, max)))
  const labels: number[] = []
  for (let position = count - 1; position >= 0; position -= step) labels.unshift(position)
  return labels
}

/** Returns for each layer the sums of it and the layers below it. */
export const stacked = (layers: readonly (readonly number[])[]): number[][] => {
  const sums: number[][] = []
  for (const layer of layers) {
    const below = sums.at(-1)
    sums.push(layer.map((value, position) => value + (below?.[position] ?? 0)))
  }
  return sums
}
