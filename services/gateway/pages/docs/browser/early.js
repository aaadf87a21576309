// Runs before anything is drawn: sets the theme of the dashboard and the language that the reader chose.
{
  /** @param {string} name */
  const stored = (name) => {
    try {
      return localStorage.getItem(name)
    } catch {
      return null
    }
  }
  const root = document.documentElement
  const theme = stored('postrider.theme')
  if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme
  const language = stored('postrider.language')
  if (language === 'curl' || language === 'node' || language === 'python') root.dataset['language'] = language
  root.dataset['script'] = 'yes'

  // The reference was one page; its fragments lead to the entries of the first page, and from there to the operation.
  if (location.pathname === '/docs' && /^#(?!operations$|objects$)\w/.test(location.hash)) {
    addEventListener('DOMContentLoaded', () => {
      const link = document.querySelector(`li[id="${CSS.escape(location.hash.slice(1))}"] a`)
      if (link instanceof HTMLAnchorElement) location.replace(link.href)
    })
  }
}
