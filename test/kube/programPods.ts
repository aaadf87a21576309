import type { z } from 'zod'
import { prepare, services } from '../../charts/gen/programs.ts'
import { type Container, type Pod, podsIn, type Thing } from './manifests.ts'

/** Every program of the image that the chart runs, with what it reads from its environment. */
export const configs: Record<string, z.ZodObject> = { ...services, prepare }

export const componentOf = (pod: Pod): string => pod.labels['app.kubernetes.io/component'] ?? ''

export type Program = { pod: Pod; container: Container; name: string; config: z.ZodObject }

/** The pods that run programs of ours, but for that of `helm test`. */
export const programsIn = (things: readonly Thing[]): Program[] =>
  podsIn(things).flatMap((pod) => {
    const [container] = pod.spec.containers
    const name = componentOf(pod)
    const config = configs[name]
    return container && config ? [{ pod, container, name, config }] : []
  })

/** Those of them that stay. */
export const servicesIn = (things: readonly Thing[]): Program[] =>
  programsIn(things).filter(({ name }) => name in services)
