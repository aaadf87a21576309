/** Returns a function that makes a value at its first call and returns it from then on. */
export const madeOnce = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
