import type { Vars } from '../../api/templates.ts'

/* The values of previews, as JSON text, kept for each template in this browser. */

const nameOf = (id: string): string => `postrider.templateData.${id}`

/** Returns what the person entered; null: nothing. */
export const storedTestData = (id: string): string | null => {
  try {
    return localStorage.getItem(nameOf(id))
  } catch {
    return null
  }
}

/** Stores what the person entered. @param text null: the values are made from the template */
export const storeTestData = (id: string, text: string | null): void => {
  try {
    if (text === null) localStorage.removeItem(nameOf(id))
    else localStorage.setItem(nameOf(id), text)
  } catch {
    // It lasts as long as the page.
  }
}

/** Returns the values of a text, or what is wrong with it. */
export const readTestData = (text: string): { vars: Vars } | { error: string } => {
  if (text.trim() === '') return { vars: {} }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { vars: value as Vars }
    return { error: 'The values must be a JSON object, such as {"name": "Ann"}.' }
  } catch (thrown) {
    return { error: `This is not JSON: ${thrown instanceof Error ? thrown.message : 'it cannot be read'}` }
  }
}

export const testDataText = (vars: Vars): string => JSON.stringify(vars, null, 2)
