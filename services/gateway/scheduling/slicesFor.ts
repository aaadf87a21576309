import { rateLimitClient } from '@postrider/domain/network.ts'
import type { Slices } from '@postrider/kit/slices.ts'
import type { Context, RouteDeps } from '../deps.ts'

/** Returns the runner of long work of a request. Workspaces, and client addresses without one, take turns. */
export const slicesFor = ({ slices }: Pick<RouteDeps, 'slices'>, { state }: Context): Slices =>
  slices.of(state.identity?.caller.workspace ?? rateLimitClient(state.clientAddress))
