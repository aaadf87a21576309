import { Fault } from '@postrider/kit/fault.ts'
import { answerFault } from '../answerFault.ts'
import { isLoopback } from '../clientAddress.ts'
import type { Context, Step } from '../context.ts'
import type { GatewayDeps } from '../deps.ts'

const json = (context: Context, body: object): void => {
  context.body = JSON.stringify(body)
  context.set('Content-Type', 'application/json; charset=utf-8')
}

/** `/livez`: the process answers. It asks nothing else, or a slow store would get healthy processes killed. */
export const livez: Step = (context) => json(context, { status: 'ok' })

const notReady = new Fault('unavailable', 'The service is starting, stopping, or misses what it needs.')

/** `/readyz`: whether requests should come here. That they shouldn't is an answer, and no trouble of a request's. */
export const readyz = ({ ready }: Pick<GatewayDeps, 'ready'>): Step =>
  async function readyz(context) {
    if (await ready()) json(context, { status: 'ok' })
    else answerFault(context, notReady)
  }

/** `/metrics`, for whoever is on this machine. */
export const metricsPage = ({ metrics: { registry } }: Pick<GatewayDeps, 'metrics'>): Step =>
  async function metricsPage(context) {
    if (!isLoopback(context.req)) throw new Fault('not_found', 'There is nothing at this path.')
    context.body = await registry.metrics()
    context.set('Content-Type', registry.contentType)
  }
