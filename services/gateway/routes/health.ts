import { HealthRecord } from '@postrider/contracts/http/health.ts'
import type { RouteDeps } from '../deps.ts'
import { operatorRoute } from '../route.ts'

/** Returns the name of a part without the package and version of its gRPC service. */
const partName = (name: string): string => /^postrider\.(\w+)\./.exec(name)?.[1] ?? name

const partOf = (name: string, detail: string | null, processes: number | null = null) => ({
  name,
  status: detail === null ? ('ok' as const) : ('failing' as const),
  processes,
  detail,
})

/** Returns the part that sends mail, which no service calls. */
const dispatcherPart = async ({ intake }: Pick<RouteDeps, 'intake'>) => {
  // Why it does not respond is a part of its own.
  const lanes = await intake.CountDispatchers({}).then(
    (counted) => counted.lanes,
    () => null,
  )
  if (lanes === null) return partOf('dispatcher', 'Intake returned no count, so the number of dispatchers is unknown.')
  if (lanes.length === 0)
    return partOf('dispatcher', 'Kafka returned no count, so the number of dispatchers is unknown.')
  const processes = Math.max(...lanes.map(({ dispatchers }) => dispatchers))
  if (processes === 0) return partOf('dispatcher', 'No dispatcher consumes a lane, so accepted mail waits.', 0)
  const silent = lanes.filter(({ dispatchers }) => dispatchers === 0).map(({ lane }) => lane)
  const detail = silent.length === 0 ? null : `No dispatcher consumes the lane ${silent.join()}; its mail is delayed.`
  return partOf('dispatcher', detail, processes)
}

export const getHealth = operatorRoute({
  name: 'getHealth',
  method: 'GET',
  path: '/api/v1/operator/health',
  operator: true,
  tag: 'Operator',
  summary: 'Read whether each part works',
  description:
    'The parts are the services and stores that the responding process uses, Redis in a cluster, and the dispatchers, which send mail. Each of several processes reports only itself; dispatchers are counted, at most some seconds ago. `GET /api/v1/operator/queues` shows whether due mail leaves.',
  limit: null,
  reply: { status: 200, body: HealthRecord, description: 'The parts. 200 even if one of them does not work.' },
  handle: async (_, deps) => {
    const { health, ready } = deps
    const stateOfParts = async () => (health ? health() : { process: (await ready()) ? 'ok' : 'not ready' })
    const [states, dispatcher] = await Promise.all([stateOfParts(), dispatcherPart(deps)])
    const named = Object.entries(states).map(([name, state]) => partOf(partName(name), state === 'ok' ? null : state))
    const parts = [...named, dispatcher]
    const status = parts.every((part) => part.status === 'ok') ? ('ok' as const) : ('failing' as const)
    return { json: { object: 'health' as const, status, parts } }
  },
})
