/** Part of a log that the warning needs; the log of a process has it, and that of the gateway's connections. */
export type WarningLog = { warn(fields: object, message: string): void }

/**
 * Returns a function that logs, the first time only, that a patch of a library does not fit the installed version, so
 * that the library runs unpatched.
 */
export const misfitLog = (log: WarningLog, library: string): ((reason: string) => void) => {
  let isLogged = false
  return (reason) => {
    if (!isLogged) log.warn({ library, reason }, 'patch does not fit this version, running unpatched')
    isLogged = true
  }
}
