import { parseApiKey } from '@postrider/domain/accounts/apiKey.ts'
import type { Command } from 'commander'
import { openApi } from '../api.ts'
import { loginUrl, removeCredentials, serverUrl, storeCredentials } from '../credentials.ts'
import { failed, failureOf } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { contextOf } from './context.ts'

const readKey = async (terminal: Terminal): Promise<string> => {
  const given = terminal.isInteractive ? await terminal.readSecret('API key: ') : await terminal.readInput()
  const key = given.trim()
  if (parseApiKey(key) !== null) return key
  throw failed({
    code: 'invalid_key',
    message: 'This is not a valid API key: keys begin with pr_live_ or pr_test_. Check it for typing errors.',
    hint: 'Copy the whole key. Without a terminal, pass it on stdin.',
  })
}

/** @throws a failure: the server rejects the key, or does not respond */
const tryKey = async (credentials: { url: string; apiKey: string }, stopped: AbortSignal): Promise<void> => {
  try {
    await openApi({ ...credentials, stopped }).call({ path: '/emails', query: { limit: '1' } })
  } catch (thrown) {
    // The key is valid, and has other scopes.
    if (failureOf(thrown)?.code !== 'insufficient_scope') throw thrown
  }
}

export const addAccountCommands = (program: Command, terminal: Terminal): void => {
  program
    .command('login')
    .summary('store the address of a server and an API key')
    .description(
      'Stores the address of a server and an API key in the configuration folder of the user, in a file that only the user can read (mode 0600). The command prompts for the key, or reads it from stdin if that is not a terminal. It is tried before it is stored.',
    )
    .option('--url <url>', 'address of the server (default: POSTRIDER_URL, the stored one, or http://localhost:8080)')
    .action(async ({ url: given }: { url?: string }, command: Command) => {
      const { output } = contextOf(terminal, command)
      const url = given === undefined ? await loginUrl(terminal) : serverUrl(given)
      const apiKey = await readKey(terminal)
      await tryKey({ url, apiKey }, terminal.stopped)
      const file = await storeCredentials(terminal, { url, apiKey })
      const mode = parseApiKey(apiKey)?.mode
      output.show({ url, mode, file }, () => `The ${mode} key for ${url} is stored in ${file}.\n`)
    })

  program
    .command('logout')
    .summary('remove the stored API key')
    .description('Removes the stored address and API key. The key stays valid: revoke it if it is not needed any more.')
    .action(async (_: object, command: Command) => {
      const { output } = contextOf(terminal, command)
      const removed = await removeCredentials(terminal)
      output.show({ removed }, () => (removed ? 'The stored API key is removed.\n' : 'No API key was stored.\n'))
    })
}
