import { useEffect, useState } from 'react'

/** Returns a value as soon as it has not changed for a while. The first one is returned at once. */
export const useDelayed = <Value>(value: Value, ms: number): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
