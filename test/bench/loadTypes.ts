/** What the load generator is to do: `count` messages, or as many as fit in `durationMs`, in closed loops. */
export type Load = {
  protocol: 'http' | 'smtp'
  port: number
  connections: number
  count?: number
  durationMs?: number
  /** Number of the first message; each carries its own. */
  first: number
  /** HTTP only. */
  path?: string
  authorization?: string
}

/** Latencies of accepted messages, from the first byte sent to the answer's last byte, in milliseconds. */
export type LoadResult = {
  accepted: number
  /** By status or reply code. */
  refused: Record<string, number>
  elapsedMs: number
  p50Ms: number
  p99Ms: number
}
