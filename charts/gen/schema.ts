import { secretVariables } from '@postrider/kit/redact.ts'
import { z } from 'zod'
import { configSchemas, type JsonSchema } from './configSchema.ts'

/*
 * The schema of values.yaml. helm refuses values that do not match; templates/refusals.yaml refuses contradictory
 * values. The comments in values.yaml are the descriptions.
 */

const text = z.string()
const flag = z.boolean()
const positive = z.int().min(1)
const seconds = z.int().min(1)
const texts = z.record(text, text)
const labels = texts.meta({ id: 'labels' })
/** Values that the Kubernetes API server validates. */
const kubernetesValue = z.record(text, z.unknown()).meta({ id: 'kubernetes' })
const kubernetesList = z.array(kubernetesValue)
const name = z.string().regex(/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/)
const quantity = z.union([z.string().regex(/^\d+(\.\d+)?(m|k|[MGTP]|[KMGTP]i)?$/), z.number().min(0)])
const amounts = z.strictObject({ cpu: quantity, memory: quantity, 'ephemeral-storage': quantity }).partial()
const resources = z.strictObject({ requests: amounts, limits: amounts }).partial().meta({ id: 'resources' })
const config = z.strictObject({}).meta({ id: 'config' })
const hostPattern = /^(\*\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
const hosts = z.array(z.string().regex(hostPattern))

/** null removes the field. */
const times = <Name extends string>(...names: Name[]) =>
  z.strictObject(Object.fromEntries(names.map((one) => [one, z.int().min(0).nullable()]))).partial()
const probeTimes = ['initialDelaySeconds', 'periodSeconds', 'timeoutSeconds', 'failureThreshold'] as const
const restartingProbe = times(...probeTimes, 'terminationGracePeriodSeconds').meta({ id: 'restartingProbe' })
const readinessProbe = times(...probeTimes, 'successThreshold').meta({ id: 'readinessProbe' })

const service = {
  replicas: positive.nullable(),
  resources,
  autoscaling: z
    .strictObject({
      enabled: flag,
      minReplicas: positive,
      maxReplicas: positive,
      cpu: z.string().regex(/^[1-9]\d*m$/),
      behavior: kubernetesValue,
    })
    .partial(),
  maxUnavailable: z.union([z.int().min(0), z.string().regex(/^\d{1,3}%$/)]),
  // Kubernetes before 1.33 refuses a pause of 0.
  preStopSeconds: z.int().min(1).max(120),
  spreadOver: z.array(text),
  topologySpreadConstraints: kubernetesList,
  startupProbe: restartingProbe,
  livenessProbe: restartingProbe,
  readinessProbe,
  podSecurityContext: kubernetesValue,
  containerSecurityContext: kubernetesValue,
  extraVolumes: kubernetesList,
  extraVolumeMounts: kubernetesList,
  initContainers: kubernetesList,
  sidecars: kubernetesList,
  serviceAccountName: name,
  config,
  extraEnv: kubernetesList,
  extraEgress: kubernetesList,
  podLabels: labels,
  podAnnotations: labels,
  serviceAccountAnnotations: labels,
  dnsPolicy: z.enum(['', 'ClusterFirst', 'Default', 'None']),
  dnsConfig: kubernetesValue,
  nodeSelector: labels,
  tolerations: kubernetesList,
  affinity: kubernetesValue,
  priorityClassName: name,
}

const serviceNamed = <More extends z.ZodRawShape>(name: string, more: More) =>
  z.strictObject({ ...service, config: z.strictObject({}).meta({ id: `${name}Config` }), ...more }).partial()

const gatewayService = z.strictObject({
  type: z.enum(['ClusterIP', 'NodePort', 'LoadBalancer']),
  port: z.int().min(1).max(65_535),
  annotations: labels,
})

const keda = z.strictObject({
  enabled: flag,
  signal: z.enum(['queueAge', 'kafkaLag']),
  targetSeconds: seconds,
  targetLag: positive,
  prometheusUrl: z.string().regex(/^https?:\/\//),
  pollingSeconds: seconds,
  cooldownSeconds: seconds,
})

const destination = z
  .strictObject({ to: kubernetesList, ports: z.array(z.int().min(1).max(65_535)).min(1) })
  .meta({ id: 'destination' })
const reference = z.strictObject({ secret: name, key: text }).partial().meta({ id: 'secretKey' })
const longSecret = z.string().min(32)

const scraping = {
  enabled: flag,
  labels,
  interval: z.string().regex(/^\d+(s|m)$/),
  scrapeTimeout: z.string().regex(/^(\d+(s|m))?$/),
  relabelings: kubernetesList,
  metricRelabelings: kubernetesList,
}

const Values = z
  .strictObject({
    commonLabels: labels,
    commonAnnotations: labels,
    extraObjects: z.array(z.union([text, kubernetesValue])),
    fullnameOverride: z.string().regex(/^([a-z]([-a-z0-9]{0,38}[a-z0-9])?)?$/),
    image: z.strictObject({
      repository: z.string().min(1),
      tag: text,
      digest: z.string().regex(/^(sha256:[0-9a-f]{64})?$/),
      pullPolicy: z.enum(['Always', 'IfNotPresent', 'Never']),
      pullSecrets: z.array(name),
    }),
    config,
    installation: z.strictObject({ takeOver: flag }),
    secrets: z.strictObject({
      existingSecret: name,
      create: flag,
      check: flag,
      values: z
        .strictObject({
          MONGODB_URL: text,
          REDIS_URL: text,
          POSTRIDER_WIRE_TOKEN: longSecret,
          POSTRIDER_WIRE_TOKEN_GATEWAY: longSecret,
          POSTRIDER_WIRE_TOKEN_INTAKE: longSecret,
          POSTRIDER_WIRE_TOKEN_ACCOUNTS: longSecret,
          POSTRIDER_SECRET: longSecret,
          POSTRIDER_OPERATOR_TOKEN: z.string().regex(/^\s*[!-~]{16,}\s*$/),
          POSTRIDER_STRIPE_SECRET_KEY: text,
          POSTRIDER_STRIPE_WEBHOOK_SECRET: text,
          POSTRIDER_ROUTE: text,
          KAFKA_USERNAME: text,
          KAFKA_PASSWORD: text,
        })
        .partial(),
      variables: z.strictObject(Object.fromEntries(secretVariables.map((variable) => [variable, reference]))),
    }),
    wire: z.strictObject({
      tlsSecret: name,
      identity: z.enum(['token', 'certificate']),
      tlsSecrets: z
        .strictObject({
          gateway: name,
          accounts: name,
          templates: name,
          quota: name,
          domains: name,
          webhooks: name,
          intake: name,
        })
        .partial(),
    }),
    trust: z.strictObject({ configMap: name, key: z.string().min(1) }),
    tracing: z.strictObject({
      endpoint: z.string().regex(/^(https?:\/\/.+)?$/),
      sampler: z.enum([
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ]),
      samplerArg: z.string().regex(/^(0(\.\d+)?|1(\.0+)?)?$/),
    }),
    defaults: z.strictObject(service).partial(),
    gateway: serviceNamed('gateway', { service: gatewayService }),
    accounts: serviceNamed('accounts', {}),
    templates: serviceNamed('templates', {}),
    quota: serviceNamed('quota', {}),
    domains: serviceNamed('domains', {}),
    webhooks: serviceNamed('webhooks', {}),
    intake: serviceNamed('intake', {}),
    dispatcher: serviceNamed('dispatcher', { keda }),
    networkPolicy: z.strictObject({
      enabled: flag,
      gatewayFrom: kubernetesList,
      metricsFrom: kubernetesList,
      dnsPorts: z.array(z.int().min(1).max(65_535)).min(1),
      dnsTo: kubernetesList,
      mongodb: destination,
      kafka: destination,
      redis: destination,
      domainChecks: destination,
      webhooks: destination,
      smtp: destination,
      tracing: destination,
    }),
    ingress: z.strictObject({
      enabled: flag,
      className: text,
      annotations: labels,
      hosts,
      tlsSecret: name,
      tls: z.array(z.strictObject({ secretName: name, hosts }).partial()),
    }),
    gatewayApi: z.strictObject({
      enabled: flag,
      annotations: labels,
      parentRefs: kubernetesList,
      hostnames: hosts,
    }),
    prepare: z.strictObject({
      enabled: flag,
      deadlineSeconds: seconds,
      resources,
      serviceAccountName: name,
      podLabels: labels,
      podAnnotations: labels,
    }),
    monitoring: z.strictObject({
      serviceMonitor: z.strictObject(scraping),
      podMonitor: z.strictObject(scraping),
      rules: z.strictObject({ enabled: flag, labels, runbooks: z.string().regex(/^(https?:\/\/[^\s"']+)?$/) }),
      dashboards: z.strictObject({ enabled: flag, labels }),
    }),
    test: z.strictObject({ existingSecret: name, key: z.string().min(1), podLabels: labels, podAnnotations: labels }),
    // helm passes it to every chart.
    global: kubernetesValue,
  })
  .partial({ global: true })

const ifValue = (path: readonly string[], value: unknown): JsonSchema =>
  path.reduceRight<JsonSchema>((inner, key) => ({ properties: { [key]: inner }, required: [key] }), { const: value })

const rulesAcrossValues: JsonSchema[] = [
  {
    if: ifValue(['ingress', 'enabled'], true),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { ingress: { properties: { hosts: { minItems: 1 } } } } },
  },
  {
    if: ifValue(['gatewayApi', 'enabled'], true),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { properties: { gatewayApi: { properties: { parentRefs: { minItems: 1 } } } } },
  },
]

/** Returns the content of values.schema.json. */
export const valuesSchema = (): JsonSchema => {
  const { definitions, ...schema } = z.toJSONSchema(Values, { target: 'draft-7', unrepresentable: 'any' })
  const named: JsonSchema = { ...(definitions as object), ...configSchemas() }
  return { title: 'Values of the chart postrider', ...schema, definitions: named, allOf: rulesAcrossValues }
}
