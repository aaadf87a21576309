import { useState } from 'react'

/**
 * Returns a function that runs one action of a dialog or a button, whether it runs, and the error of the last run, if
 * it failed.
 */
export const useAction = () => {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (action: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setError(null)
    try {
      await action()
    } catch (thrown) {
      setError(thrown)
    }
    setBusy(false)
  }
  return { run, isBusy, error }
}
