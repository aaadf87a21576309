import process from 'node:process'

/*
 * The end of a process. A process whose event loop is empty ends by itself, but Node first runs the tasks that V8 still
 * has, such as compilations and collections. In some runs these never end: the main thread stays busy, and no signal
 * handler runs any more (nodejs/node#54918 has one cause). Here a process ends before its event loop is empty.
 */

const pollMs = 5

/** How long the event loop is kept alive to examine it. */
const keepAliveMs = 200

/** Standard output and errors, which every process has. */
const isOutput = /^(PipeWrap|TTYWrap)$/

/**
 * Returns what may keep the process running apart from its output and one timer of the caller, such as `TCPSocketWrap`.
 */
const activeKinds = (): string[] => {
  const kinds = process.getActiveResourcesInfo().filter((kind) => !isOutput.test(kind))
  const own = kinds.indexOf('Timeout')
  return kinds.filter((_, number) => number !== own)
}

/**
 * Waits until nothing is left in the event loop. Node also names what does not keep it alive, such as a paused socket.
 * What is left after a moment is therefore waited for as Node does, until the loop is empty.
 * @param maxMs returns after this time in any case
 * @returns what is left
 */
export const untilIdle = async (maxMs: number): Promise<string[]> => {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const onEmpty = (): void => resolve([])
  process.once('beforeExit', onEmpty)
  const until = performance.now() + Math.min(keepAliveMs, maxMs)
  const poll = setInterval(() => {
    if (activeKinds().length === 0) resolve([])
    if (performance.now() >= until) clearInterval(poll)
  }, pollMs)
  const late = setTimeout(() => resolve([...new Set(process.getActiveResourcesInfo())]), maxMs).unref()
  const left = await promise
  clearInterval(poll)
  clearTimeout(late)
  process.off('beforeExit', onEmpty)
  return left.filter((kind) => !isOutput.test(kind))
}

/**
 * Ends the process now, with the exit code that is set. `process.exit` waits for the threads of V8, and for those of
 * libuv: up to 40 s for a name server that does not answer (getaddrinfo). Replacing the process does not wait for them.
 */
export const endNow = (): void => {
  // Added last: the log writes its last lines in a listener of its own.
  process.once('exit', (code) =>
    process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {}),
  )
  process.exit()
}
