import { existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { Fault } from '@postrider/kit/fault.ts'
import { severity } from './errors.ts'

/** Returns whether an error of SQLite, or of the file system, means that the disk or its quota is full. */
export const isDiskFull = (thrown: unknown): boolean => {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null
  return code === 'ENOSPC' || code === 'EDQUOT' || severity(thrown) === 'full'
}

type DiskSpace = {
  freeBytes: number
  /** Size in which the file system allocates. */
  blockBytes: number
}

/** Returns the space of the disk that holds a file. The file and its directories do not need to exist. */
export const diskSpace = (path: string): DiskSpace => {
  const { bavail, bsize } = statfsSync(existingParent(resolve(path)))
  return { freeBytes: bavail * bsize, blockBytes: bsize }
}

const existingParent = (path: string): string => {
  const parent = dirname(path)
  return existsSync(parent) ? parent : existingParent(parent)
}

/** A start that failed for lack of space: the stored data is sound, so the advice must not be another directory. */
const startFault = (path: string, cause: unknown): Fault => {
  const free = Math.floor(diskSpace(path).freeBytes / 1_024)
  const detail = `The disk of ${dirname(path)} is full (${free} KiB free). Free some space and start again with the same directory; stored mail is not damaged.`
  return new Fault('unavailable', detail, { cause })
}

/** Runs a part of the start. @throws Fault `unavailable`: the disk is full */
export const needingSpace = <T>(path: string, work: () => T): T => {
  try {
    return work()
  } catch (thrown) {
    throw isDiskFull(thrown) ? startFault(path, thrown) : thrown
  }
}

/** Returns the fault for a promise of the start that was rejected; any other error unchanged. */
export const spaceFault = (path: string, thrown: unknown): unknown => {
  const origin = thrown instanceof Fault ? thrown.cause : thrown
  return isDiskFull(origin) ? startFault(path, origin) : thrown
}
