import type { Mode } from '../api/types.ts'

const storageKey = 'postrider.mode'

/** Returns the mode that this tab has shown last. */
export const storedMode = (): Mode => {
  try {
    return sessionStorage.getItem(storageKey) === 'test' ? 'test' : 'live'
  } catch {
    return 'live'
  }
}

export const storeMode = (mode: Mode): void => {
  try {
    sessionStorage.setItem(storageKey, mode)
  } catch {
    // The choice lasts as long as the page.
  }
}
