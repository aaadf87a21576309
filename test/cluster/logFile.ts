import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

/**
 * Returns the folder of the log files of a cluster, which no other running cluster of this machine has: it has the name
 * of the port, or with 0, for which each cluster gets another port later, that of this process.
 */
export const logFolder = (port: number): string => join('logs', port === 0 ? `process-${process.pid}` : String(port))

export type LogFile = Disposable & { write(text: string): void }

/**
 * Opens a log file of limited size. When a text would exceed `maxBytes`, the file is renamed to `<path>.1`, which
 * replaces an older one, and a new file begins. So the two contain the last `maxBytes` or more, and never more than
 * twice as many, if no single text is longer. A file of an earlier run is renamed too.
 */
export const openLogFile = (path: string, maxBytes: number): LogFile => {
  mkdirSync(dirname(path), { recursive: true })
  const open = (): number => openSync(path, 'a')
  let file = open()
  let bytes = fstatSync(file).size
  const rotate = (): void => {
    closeSync(file)
    renameSync(path, `${path}.1`)
    file = open()
    bytes = 0
  }
  if (bytes > 0) rotate()
  return {
    write: (text) => {
      const size = Buffer.byteLength(text)
      if (bytes > 0 && bytes + size > maxBytes) rotate()
      writeSync(file, text)
      bytes += size
    },
    [Symbol.dispose]: () => closeSync(file),
  }
}
