import { setTimeout as pause } from 'node:timers/promises'
import { hangMs } from './until.ts'

/**
 * Waits for midnight (UTC) if it is near, so that neither the day nor the month changes during the test that follows.
 * What a suite prepares for tests that count by day needs it too: it must not belong to the day before.
 */
export const waitForMidnight = async (): Promise<void> => {
  const leftMs = 86_400_000 - (Date.now() % 86_400_000)
  if (leftMs < hangMs) await pause(leftMs + 500)
}
