import { HealthRecord } from '@postrider/contracts/http/health.ts'
import { operatorRoute } from '../route.ts'

/** Returns the name of a part without the package and version of its gRPC service. */
const partName = (name: string): string => /^postrider\.(\w+)\./.exec(name)?.[1] ?? name

export const getHealth = operatorRoute({
  name: 'getHealth',
  method: 'GET',
  path: '/api/v1/operator/health',
  operator: true,
  tag: 'Operator',
  summary: 'Read whether each part works',
  description:
    'The parts are those that the process which answers calls or stores in, and Redis in a cluster. Of several processes each answers for itself. Dispatchers are not among them: `GET /api/v1/operator/queues` shows whether due mail leaves.',
  limit: null,
  reply: { status: 200, body: HealthRecord, description: 'The parts. 200 also if one of them does not work.' },
  handle: async (_, { health, ready }) => {
    const states = health ? await health() : { process: (await ready()) ? 'ok' : 'not ready' }
    const parts = Object.entries(states).map(([name, state]) => ({
      name: partName(name),
      status: state === 'ok' ? ('ok' as const) : ('failing' as const),
      detail: state === 'ok' ? null : state,
    }))
    const status = parts.every((part) => part.status === 'ok') ? ('ok' as const) : ('failing' as const)
    return { json: { object: 'health' as const, status, parts } }
  },
})
