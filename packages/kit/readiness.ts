/** Asks one thing a process needs. Throws, or is false, while it isn't there. */
export type Check = () => unknown

export type Readiness = {
  /** Whether requests should come here. */
  ready(): Promise<boolean>
  /** Each thing by name: `ok`, or what is the matter with it. */
  report(): Promise<Record<string, string>>
  /** From now on nothing should come any more. */
  drain(): void
}

/** What a check that doesn't answer counts as. */
const noAnswer = 'no answer'

const ask = async (check: Check, timeoutMs: number): Promise<string> => {
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.resolve(noAnswer), timeoutMs)
  const asked = (async () => ((await check()) === false ? 'not ready' : 'ok'))().catch((thrown: unknown) =>
    thrown instanceof Error ? thrown.message : String(thrown),
  )
  const answer = await Promise.race([asked, late.promise])
  clearTimeout(timer)
  return answer
}

/**
 * Whether a process has all it needs. Probes come often and from several sides, so an answer serves for a moment.
 * @param checks what it can't do without; what it can live without for a while belongs into the metrics
 */
export const readiness = (
  checks: Record<string, Check>,
  { timeoutMs = 1_000, servesMs = 500, now = performance.now.bind(performance) } = {},
): Readiness => {
  let draining = false
  let known: { at: number; report: Promise<Record<string, string>> } | null = null
  const look = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(checks).map(async ([name, check]) => [name, await ask(check, timeoutMs)] as const),
      ),
    )
  const report = (): Promise<Record<string, string>> => {
    if (!known || now() - known.at > servesMs) known = { at: now(), report: look() }
    return known.report
  }
  return {
    report: async () => ({ ...(await report()), ...(draining && { process: 'stopping' }) }),
    ready: async () => !draining && Object.values(await report()).every((answer) => answer === 'ok'),
    drain: () => {
      draining = true
    },
  }
}
