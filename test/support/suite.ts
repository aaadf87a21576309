import process from 'node:process'
import { type Client, connect } from './client.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { operatorToken, removeDataDirectory, type Standalone, startStandalone } from './standalone.ts'

/** A running service with a real SMTP server behind it. `standalone` null: it was already running somewhere. */
export type System = { client: Client; receiver: Receiver; standalone: Standalone | null }

/** Address of a service that already runs; its route must lead to `POSTRIDER_E2E_SINK_PORT` of this machine. */
const target = process.env['POSTRIDER_E2E_URL']

const joinTarget = async (url: string): Promise<System> => {
  const token = process.env['POSTRIDER_E2E_OPERATOR_TOKEN']
  const port = process.env['POSTRIDER_E2E_SINK_PORT']
  if (token === undefined || port === undefined)
    throw new Error('POSTRIDER_E2E_URL needs POSTRIDER_E2E_OPERATOR_TOKEN and POSTRIDER_E2E_SINK_PORT')
  const receiver = await startReceiver({ port: Number(port), host: '0.0.0.0' })
  return { client: connect(url, token), receiver, standalone: null }
}

const startOwn = async (): Promise<System> => {
  const receiver = await startReceiver()
  const standalone = await startStandalone({
    POSTRIDER_ROUTE: receiver.route,
    POSTRIDER_OPERATOR_TOKEN: operatorToken,
    // The tests come from many "addresses" by X-Forwarded-For, or the sign-up limit would end them after ten.
    POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
    LOG_LEVEL: 'debug',
  })
  return { client: connect(standalone.url, operatorToken), receiver, standalone }
}

// The one system that all files of this run share: a process a file would cost more than the tests do.
let shared: Promise<System> | undefined

const sharedSystem = (): Promise<System> => {
  shared ??= target === undefined ? startOwn() : joinTarget(target)
  return shared
}

after(async function stopShared() {
  this.timeout(20_000)
  const system = await shared?.catch(() => undefined)
  if (system === undefined) return
  system.client.close()
  if (system.standalone !== null) {
    await system.standalone.stop()
    await removeDataDirectory(system.standalone.data)
  }
  await system.receiver.close()
})

/** To be called in a `describe`: gives its tests the shared system. */
export const useSystem = (): (() => System) => {
  let system: System | undefined
  before(async function startShared() {
    this.timeout(30_000)
    system = await sharedSystem()
  })
  return () => {
    if (system === undefined) throw new Error('the system is there inside of tests only')
    return system
  }
}

/** To be called in a `describe` whose tests start processes of their own: skipped where the service runs elsewhere. */
export const needsOwnProcess = (): void => {
  before(function skipElsewhere() {
    if (target !== undefined) this.skip()
  })
}

/** Starts a service of the caller's own beside a client of it; disposed with everything it kept. */
export const ownSystem = async (
  env: Record<string, string>,
): Promise<AsyncDisposable & { standalone: Standalone; client: Client }> => {
  const standalone = await startStandalone({
    POSTRIDER_OPERATOR_TOKEN: operatorToken,
    POSTRIDER_TRUSTED_PROXIES: '127.0.0.0/8,::1/128',
    ...env,
  })
  const client = connect(standalone.url, operatorToken)
  return {
    standalone,
    client,
    [Symbol.asyncDispose]: async () => {
      client.close()
      await standalone.stop()
      await removeDataDirectory(standalone.data)
    },
  }
}
