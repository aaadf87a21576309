import type { Command } from 'commander'
import { type Api, openApi } from '../api.ts'
import { readCredentials } from '../credentials.ts'
import { type Output, openOutput } from '../output.ts'
import type { Terminal } from '../terminal.ts'

/** Context of the action of a command. */
export type Context = { terminal: Terminal; output: Output; openApi(): Promise<Api> }

export const contextOf = (terminal: Terminal, command: Command): Context => ({
  terminal,
  output: openOutput(terminal, command.optsWithGlobals()),
  openApi: async () => openApi({ ...(await readCredentials(terminal)), stopped: terminal.stopped }),
})

/** Collects the values of an option that may be repeated. */
export const repeated = (value: string, before: string[] = []): string[] => [...before, value]

/** Reads `--limit`. */
export const limitRange = { min: 1, max: 100 } as const
