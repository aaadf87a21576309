const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

const storageKey = 'postrider.theme'

/** Returns the theme that was chosen in this browser. A browser without storage follows the system. */
export const storedTheme = (): Theme => {
  try {
    const stored = localStorage.getItem(storageKey)
    return themes.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Shows a theme. Without one the system decides (styles.css). */
export const applyTheme = (theme: Theme): void => {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Shows a theme and stores the choice. */
export const chooseTheme = (theme: Theme): void => {
  applyTheme(theme)
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // The choice lasts as long as the page.
  }
}
