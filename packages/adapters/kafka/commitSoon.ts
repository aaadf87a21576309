type Commit = () => Promise<void>

const soonMs = 1_000

/**
 * Commits offsets a second after there was something to commit, beside the work: a commit after each batch costs more
 * than the batch. One that fails is let go: a hint heard twice costs a look, and heartbeats find out what is wrong.
 */
export const commitSoon = () => {
  let timer: NodeJS.Timeout | undefined
  let last: Commit = async () => {}
  const run = async (): Promise<void> => {
    timer = undefined
    await last().catch(() => {})
  }
  return {
    /** @param commit commits all that was resolved */
    soon: (commit: Commit): void => {
      last = commit
      timer ??= setTimeout(() => void run(), soonMs)
    },
    /** Commits what is left now. */
    finish: async (): Promise<void> => {
      if (timer === undefined) return
      clearTimeout(timer)
      await run()
    },
  }
}
