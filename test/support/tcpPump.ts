import type { Socket } from 'node:net'

/** What a pump looks at while it works; `whenHealed` holds what is to be called once `held` has become false. */
export type Gate = { latencyMs: number; held: boolean; whenHealed: Set<() => void> }

/** Bytes that a wire takes in without passing them on; beyond, its sender waits, as one does whose packets are lost. */
const windowBytes = 2 ** 20

/**
 * Passes on what comes from one socket to another in its order, each piece `latencyMs` after it came and none while
 * the gate is held. @returns stops it
 */
export const pump = (from: Socket, to: Socket, gate: Gate): (() => void) => {
  /** In order of arrival; null: the sender has no more to say. */
  const pieces: (Buffer | null)[] = []
  /** How many of them have waited long enough. */
  let ripe = 0
  let waitingBytes = 0
  const timers = new Set<NodeJS.Timeout>()

  const flow = (): void => {
    for (; ripe > 0 && !gate.held && !to.destroyed; ripe--) {
      const piece = pieces.shift()
      waitingBytes -= piece?.length ?? 0
      if (piece) to.write(piece)
      else to.end()
    }
    if (waitingBytes <= windowBytes) from.resume()
  }
  const later = (work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, gate.latencyMs)
    timers.add(timer)
  }
  const take = (piece: Buffer | null): void => {
    pieces.push(piece)
    waitingBytes += piece?.length ?? 0
    if (waitingBytes > windowBytes) from.pause()
    const ripen = (): void => {
      ripe++
      flow()
    }
    if (gate.latencyMs === 0 && timers.size === 0) ripen()
    else later(ripen)
  }
  from.on('data', take)
  from.on('end', () => take(null))
  gate.whenHealed.add(flow)
  return () => {
    gate.whenHealed.delete(flow)
    for (const timer of timers) clearTimeout(timer)
  }
}
