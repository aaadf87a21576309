const isKnown = (tag: string): boolean => {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}

/**
 * Returns a language that `Intl` accepts: the tag itself, its part before a modifier of POSIX such as `@posix`, or
 * English.
 */
export const knownLanguage = (tag: string | undefined): string => {
  const [plain = ''] = (tag ?? '').split(/[@.]/)
  return [tag ?? '', plain, plain.replaceAll('_', '-')].find((one) => one !== '' && isKnown(one)) ?? 'en'
}

/**
 * Gives the page a language that `Intl` accepts. A browser that was started with a locale of POSIX names it
 * `en-US@posix`, which is not a language tag (RFC 5646); the library of the charts passes it to `Intl` while it is
 * loaded, and would not load.
 */
export const repairLanguage = (browser: Navigator): void => {
  const language = knownLanguage(browser.language)
  if (language !== browser.language) Object.defineProperty(browser, 'language', { configurable: true, value: language })
}
