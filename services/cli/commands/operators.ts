import type { Command } from 'commander'
import { type Api, openApi } from '../api.ts'
import { operatorUrl } from '../credentials.ts'
import { failed } from '../failure.ts'
import { shown, table } from '../output.ts'
import type { Terminal } from '../terminal.ts'
import { contextOf } from './context.ts'
import { pathPart } from './emails.ts'

type Operator = { id: string; email: string; totp_enabled: boolean; disabled: boolean; created_at: string }
type Page = { data: Operator[]; next_cursor: string | null }

const path = '/operator/operators'

const hints = {
  unauthenticated: 'Set POSTRIDER_OPERATOR_TOKEN to the operator’s token of this server.',
  not_found: 'Check the id, and that the server has an operator’s token: without one these operations are off.',
}

/** @throws a failure: the environment has no token */
const operatorApi = (terminal: Terminal): Api => {
  const { POSTRIDER_OPERATOR_TOKEN: token = '' } = terminal.env
  if (token === '')
    throw failed({
      code: 'no_credentials',
      message: 'The operator’s token is not set.',
      hint: 'Set POSTRIDER_OPERATOR_TOKEN. An API key does not suffice.',
    })
  return openApi({ url: operatorUrl(terminal), apiKey: token, stopped: terminal.stopped, hints })
}

const stateOf = ({ disabled, totp_enabled: hasTotp }: Operator): string =>
  disabled ? 'disabled' : hasTotp ? 'on' : 'off: the person cannot act'

/** Returns the id of an operator. @throws a failure: no operator has the address */
const idOf = async (api: Api, user: string): Promise<string> => {
  if (!user.includes('@')) return user
  for (let cursor: string | undefined; ; ) {
    const { data, next_cursor: next } = await api.call<Page>({ path, query: { limit: '100', cursor }, isList: true })
    const found = data.find(({ email }) => email === user.toLowerCase())
    if (found) return found.id
    if (typeof next !== 'string')
      throw failed({ code: 'not_found', message: `${shown(user)} is not an operator.`, hint: null })
    cursor = next
  }
}

const addList = (operators: Command, terminal: Terminal): void => {
  operators
    .command('list')
    .summary('list the users who are operators')
    .description('Lists the users who are operators, the newest account first.')
    .option('--cursor <cursor>', 'continue with the next_cursor of the previous page')
    .action(async ({ cursor }: { cursor?: string }, command: Command) => {
      const { output } = contextOf(terminal, command)
      const api = operatorApi(terminal)
      const list = await api.call<Page>({ path, query: { limit: '100', cursor }, isList: true })
      const rows = list.data.map((one) => [one.id, one.email, stateOf(one), one.created_at])
      output.show(list, () =>
        rows.length === 0 ? 'There are no operators.\n' : table(['id', 'address', 'two-factor', 'since'], rows),
      )
    })
}

const addAdd = (operators: Command, terminal: Terminal): void => {
  operators
    .command('add')
    .argument('<email>', 'address of the user, who must have confirmed it and have two-factor authentication')
    .summary('make a user an operator')
    .description(
      'Makes a user with two-factor authentication an operator. The person switches it on in the dashboard under Settings, Two-factor.',
    )
    .action(async (email: string, _: object, command: Command) => {
      const { output } = contextOf(terminal, command)
      const added = await operatorApi(terminal).call<Operator>({ path, json: { email } })
      output.show(added, () => `${shown(added.email)} is an operator. Two-factor: ${stateOf(added)}.\n`)
    })
}

const addRemove = (operators: Command, terminal: Terminal): void => {
  operators
    .command('remove')
    .argument('<user>', 'id (usr_...) or address of the user')
    .summary('remove an operator')
    .description('Removes an operator. The account of the user stays.')
    .action(async (user: string, _: object, command: Command) => {
      const { output } = contextOf(terminal, command)
      const api = operatorApi(terminal)
      const id = await idOf(api, user)
      await api.call({ method: 'DELETE', path: `${path}/${pathPart(id)}` })
      output.show({ id, removed: true }, () => `${shown(user)} is no longer an operator.\n`)
    })
}

export const addOperatorCommands = (program: Command, terminal: Terminal): void => {
  const operators = program
    .command('operators')
    .summary('add and remove operators')
    .description(
      'Adds and removes users who are operators of the server. It needs the operator’s token in POSTRIDER_OPERATOR_TOKEN; the server is that of POSTRIDER_URL, or http://localhost:8080.',
    )
  addList(operators, terminal)
  addAdd(operators, terminal)
  addRemove(operators, terminal)
}
