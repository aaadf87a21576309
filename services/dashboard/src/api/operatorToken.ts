/*
 * The operator's token as long as this tab is open. It is never in `localStorage`, which other tabs and later visits
 * read.
 */

const storageKey = 'postrider.operator'

/** Where the browser keeps nothing for a tab, the token lasts as long as the page. */
let inMemory: string | null = null

/** Returns the token of this tab; null: the tab has none. */
export const operatorToken = (): string | null => {
  try {
    return sessionStorage.getItem(storageKey) ?? inMemory
  } catch {
    return inMemory
  }
}

/** Uses a token for this tab, which a reload keeps. */
export const storeOperatorToken = (token: string): void => {
  inMemory = token
  try {
    sessionStorage.setItem(storageKey, token)
  } catch {
    // It lasts as long as the page.
  }
}

/** Removes the token of this tab. */
export const forgetOperatorToken = (): void => {
  inMemory = null
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // There was none.
  }
}
