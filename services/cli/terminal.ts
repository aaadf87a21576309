/** Input and output of a command: the process, or a test. */
export type Terminal = {
  env: Readonly<Record<string, string | undefined>>
  /** Writes to stdout. */
  out(text: string): void
  /** Writes to stderr. */
  err(text: string): void
  /** Whether stdout is a terminal; otherwise results are JSON. */
  isTerminal: boolean
  /** Whether a prompt is possible. */
  canAsk: boolean
  /** Returns all of stdin. */
  readInput(): Promise<string>
  /** Prompts for a text that is not shown. */
  askSecret(question: string): Promise<string>
  /** The folder of the configuration of the user. */
  configFolder: string
  /** Aborted when the user ends the command. */
  stopped: AbortSignal
}
