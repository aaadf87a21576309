import { rateLimitClient } from '@postrider/domain/network.ts'
import type { Monotonic } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { makeTurns, type Slices } from '@postrider/kit/slices.ts'
import type { Context, RouteDeps, Step } from '../deps.ts'
import { recentCounts } from './requestScheduler.ts'

/**
 * Refused and abandoned requests of a client in this second and the last, above which its requests begin one by one.
 */
const manyFailures = 30

/**
 * The status of a request whose client ended its connection while the request waited for events, in the log and in
 * metrics as nginx has it. Clients end a wait whenever they need no response any more, so it is neither a refusal nor a
 * failure.
 */
export const clientLeft = 499

/** Order of the requests of clients whose requests fail often. */
export type FailingClients = {
  /** Whether a request has to wait for a turn. */
  mustWait(address: string): boolean
  /** Resolves in a later event loop iteration: in each, one request of a client begins. */
  turn(address: string): Promise<void>
  /** Counts a request that was refused, or that its client abandoned. */
  failed(address: string): void
}

/** @param elapsed monotonic time in milliseconds */
export const failingClients = (elapsed: Monotonic): FailingClients => {
  const failures = recentCounts(elapsed)
  const waiting = makeTurns()
  return {
    mustWait: (address) => {
      if (waiting.size() === 0 && failures.isEmpty()) return false
      const client = rateLimitClient(address)
      return waiting.sizeOf(client) > 0 || failures.of(client) > manyFailures
    },
    turn: (address) => waiting.wait(rateLimitClient(address)),
    failed: (address) => failures.add(rateLimitClient(address)),
  }
}

/**
 * Makes the requests of a client that causes many failures begin one by one, so that a flood of requests that are cheap
 * to refuse does not fill every event loop iteration. Requests of other clients begin round-robin. A request whose
 * client has disconnected before its turn is dropped.
 */
export const scheduleByClient = ({ clientTurns }: Pick<RouteDeps, 'clientTurns'>): Step => {
  const failing = failingClients(() => performance.now())
  return async function scheduleByClient(context, next) {
    const { clientAddress } = context.state
    const turn = failing.mustWait(clientAddress)
      ? failing.turn(clientAddress)
      : clientTurns.schedule(rateLimitClient(clientAddress))
    if (turn !== null) await turn
    if (turn === null || !context.req.socket.destroyed) await next()
    if (context.status === clientLeft) return
    if (context.status >= 400 || context.req.socket.destroyed) failing.failed(clientAddress)
  }
}

/**
 * Makes what a request needs after its checks begin round-robin across the workspaces, because one may send from many
 * addresses, and in an iteration that has time for it.
 * @throws Fault `malformed_request`: the client has disconnected before its turn
 */
export const takeWorkspaceTurn = async (
  deps: Pick<RouteDeps, 'slices' | 'workspaceTurns'>,
  context: Context,
): Promise<void> => {
  const owner = context.state.identity?.caller.workspace
  const turn = owner === undefined ? null : deps.workspaceTurns.schedule(owner)
  if (turn !== null) await turn
  const short = slicesFor(deps, context).short()
  if (short !== null) await short
  if (turn === null && short === null) return
  if (context.req.socket.destroyed)
    throw new Fault('malformed_request', 'The client disconnected before its request began.')
}

/** `takeWorkspaceTurn` as a step, for requests whose body is not read as a whole. */
export const scheduleByWorkspace = (deps: Pick<RouteDeps, 'slices' | 'workspaceTurns'>): Step =>
  async function takeWorkspaceTurns(context, next) {
    await takeWorkspaceTurn(deps, context)
    return next()
  }

/** Returns the runner of long work of a request. Workspaces, and client addresses without one, take turns. */
export const slicesFor = ({ slices }: Pick<RouteDeps, 'slices'>, { state }: Context): Slices =>
  slices.of(state.identity?.caller.workspace ?? rateLimitClient(state.clientAddress))
