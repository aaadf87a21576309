/** Asks one thing a process needs. Throws, or is false, while it isn't there. */
export type Check = () => unknown

export type Readiness = {
  /** Names one more thing the process can't do without; what it can live without for a while belongs into the metrics. */
  needs(name: string, check: Check): void
  /**
   * Names a thing it must have met once: a peer. That one goes away later is told to those who ask, in our own words; if
   * everybody who needs it went with it, one restart would take a whole installation from its load balancer.
   */
  needsToStart(name: string, check: Check): void
  /** From now on requests may come; before, it is starting. */
  started(): void
  /** From now on nothing should come any more. */
  drain(): void
  /** Whether requests should come here. */
  ready(): Promise<boolean>
  /** Each thing by name: `ok`, or what is the matter with it. */
  report(): Promise<Record<string, string>>
}

const ask = async (check: Check, timeoutMs: number): Promise<string> => {
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.resolve('no answer'), timeoutMs)
  const asked = (async () => ((await check()) === false ? 'not ready' : 'ok'))().catch((thrown: unknown) =>
    thrown instanceof Error ? thrown.message : String(thrown),
  )
  const answer = await Promise.race([asked, late.promise])
  clearTimeout(timer)
  return answer
}

/** Whether a process has all it needs. Probes come often and from several sides, so an answer serves for a moment. */
export const makeReadiness = ({
  timeoutMs = 1_000,
  servesMs = 500,
  now = performance.now.bind(performance),
} = {}): Readiness => {
  const checks = new Map<string, Check>()
  let process = 'starting'
  let known: { at: number; answers: Promise<[string, string][]> } | null = null

  const look = (): Promise<[string, string][]> =>
    Promise.all([...checks].map(async ([name, check]) => [name, await ask(check, timeoutMs)] as [string, string]))

  const report = async (): Promise<Record<string, string>> => {
    if (!known || now() - known.at > servesMs) known = { at: now(), answers: look() }
    return { process, ...Object.fromEntries(await known.answers) }
  }

  return {
    needs: (name, check) => {
      checks.set(name, check)
      known = null
    },
    needsToStart: (name, check) => {
      let met = false
      checks.set(name, async () => {
        met ||= (await check()) !== false
        return met
      })
      known = null
    },
    started: () => {
      if (process === 'starting') process = 'ok'
    },
    drain: () => {
      process = 'stopping'
    },
    ready: async () => Object.values(await report()).every((answer) => answer === 'ok'),
    report,
  }
}
