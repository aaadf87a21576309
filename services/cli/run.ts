import { Command, CommanderError } from 'commander'
import { addAccountCommands } from './commands/account.ts'
import { addEmailCommands } from './commands/emails.ts'
import { addEventCommands } from './commands/events.ts'
import { addOperatorCommands } from './commands/operators.ts'
import { addSendCommand } from './commands/send.ts'
import { addWebhookCommands } from './commands/webhooks.ts'
import { exitCodeOf, failureJson, failureOf, failureText, usageFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

/*
 * The command line. bin.ts is the process; run parses arguments and runs a command of `commands`.
 *
 *   requests   api (HTTP), credentials (server and key), failure (what failed, and what to do)
 *   events     tail reads the events of a workspace, by arrivals (requests that wait) or by polls; follow retries it;
 *              forward sends signed copies to a local server, syntheticEvent makes a test event for it
 *   terminal   terminal (input and output), output (tables and JSON without control characters)
 */

const about = `The command line of Postrider, an email sending service.

The environment variables POSTRIDER_URL and POSTRIDER_API_KEY name the server and the API key. Without them the values of "postrider login" are used. Results are tables on a terminal and JSON elsewhere, and with --json.`

const exitCodes = `
Exit codes: 0 success, 1 failure, 2 wrong usage. Errors are written to stderr, with the request id where there is one.`

/** Returns the program with its commands. @param isJson whether errors are JSON */
const makeProgram = (terminal: Terminal, version: string, isJson: boolean): Command => {
  const writeUsage = (text: string): void => {
    const message = text.trim().replace(/^error: /, '')
    terminal.err(isJson ? failureJson(usageFailure(message)) : text)
  }
  const program = new Command('postrider')
    .description(about)
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .option('--json', 'write results and errors as JSON, also on a terminal')
    .addHelpText('after', exitCodes)
    .showHelpAfterError(isJson ? false : '(--help lists the options)')
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, outputError: writeUsage })
    .exitOverride()
  addAccountCommands(program, terminal)
  addSendCommand(program, terminal)
  addEmailCommands(program, terminal)
  addEventCommands(program, terminal)
  addWebhookCommands(program, terminal)
  addOperatorCommands(program, terminal)
  return program
}

/**
 * Runs one command.
 * @param args those after the name of the program
 * @returns the exit code: 0 success, 1 failure, 2 wrong usage
 */
export const run = async (args: readonly string[], terminal: Terminal, version: string): Promise<number> => {
  const isJson = !terminal.isTerminal || args.includes('--json')
  const program = makeProgram(terminal, version, isJson)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (thrown) {
    // Help and the version end with 0; the message of everything else is written.
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2
    const failure = failureOf(thrown)
    if (failure === null) throw thrown
    terminal.err(isJson ? failureJson(failure) : failureText(failure))
    return exitCodeOf(failure)
  }
}
