import { type KubeObject, podsIn } from './manifests.ts'

type Needed = { Secret: Map<string, Set<string>>; ConfigMap: Map<string, Set<string>> }

/** Tokens of callers are optional in a pod, but one form of them must exist. */
const wireTokens = ['wire-token-gateway', 'wire-token-intake', 'wire-token-accounts']

const add = (all: Map<string, Set<string>>, name: string, keys: readonly string[]): void => {
  all.set(name, new Set([...(all.get(name) ?? []), ...keys]))
}

type Volume = { name: string; secret?: { secretName: string }; configMap?: { name: string; items?: { key: string }[] } }

/** Returns the Secrets and ConfigMaps that a release needs and does not create, with invented content. */
export const neededObjects = (objects: readonly KubeObject[], namespace = 'mail'): object[] => {
  const needed: Needed = { Secret: new Map(), ConfigMap: new Map() }
  for (const { spec } of podsIn(objects)) {
    for (const { valueFrom } of spec.containers.flatMap(({ env }) => env ?? [])) {
      const reference = valueFrom?.secretKeyRef
      if (!reference) continue
      const isToken = reference.optional === true
      add(needed.Secret, reference.name, isToken ? wireTokens : [reference.key])
    }
    for (const { name, secret, configMap } of (spec.volumes ?? []) as Volume[]) {
      if (secret) add(needed.Secret, secret.secretName, ['ca.crt', 'tls.crt', 'tls.key'])
      if (configMap && name === 'trust')
        add(needed.ConfigMap, configMap.name, configMap.items?.map(({ key }) => key) ?? [])
    }
  }
  const own = new Set(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`))
  return (['Secret', 'ConfigMap'] as const).flatMap((kind) =>
    [...needed[kind]].flatMap(([name, keys]) => {
      if (own.has(`${kind}/${name}`)) return []
      const content = Object.fromEntries([...keys].map((key) => [key, key.repeat(16)]))
      const data = kind === 'Secret' ? { stringData: content } : { data: content }
      return [{ apiVersion: 'v1', kind, metadata: { name, namespace }, ...data }]
    }),
  )
}
