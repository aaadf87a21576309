/** Returns a function that makes a value at its first call and returns it from then on. */
export const lazy = <Value>(make: () => Value): (() => Value) => {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
