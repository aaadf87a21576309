import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import { type CommandResult, goModuleFolder, run } from './command.ts'

/*
 * JSON schemas for kubeconform of Kubernetes' objects and of the custom resources that the chart creates. They are
 * generated once from the Go modules that publish them, into node_modules/.cache.
 */

/** The sources. Their versions, and the number of custom resources, are in the name of the cache folder. */
const modules = {
  kubernetes: 'k8s.io/kubernetes@v1.36.3',
  prometheus: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
  keda: 'github.com/kedacore/keda/v2@v2.21.0',
  gateway: 'sigs.k8s.io/gateway-api@v1.4.1',
}

const customResources: Record<Exclude<keyof typeof modules, 'kubernetes'>, string[]> = {
  prometheus: ['servicemonitors', 'podmonitors', 'prometheusrules'].map(
    (name) => `example/prometheus-operator-crd/monitoring.coreos.com_${name}.yaml`,
  ),
  keda: ['scaledobjects', 'triggerauthentications'].map((name) => `config/crd/bases/keda.sh_${name}.yaml`),
  gateway: ['config/crd/standard/gateway.networking.k8s.io_httproutes.yaml'],
}

const versions = [
  ...Object.values(modules).map((module) => module.split('@')[1]),
  Object.values(customResources).flat().length,
]
const schemaFolder = fileURLToPath(
  new URL(`../../node_modules/.cache/postrider-kube-schemas/${versions.join('_')}`, import.meta.url),
)

type Schema = { [key: string]: unknown }

const intOrString: Schema = { oneOf: [{ type: 'string' }, { type: 'integer' }] }
const quantity: Schema = { oneOf: [{ type: 'string' }, { type: 'number' }] }

/** Refuses unlisted properties in every object that lists properties. */
const strict = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const known = schema as Schema
  if (known['x-kubernetes-int-or-string'] || known['format'] === 'int-or-string') return intOrString
  const inner: Schema = Object.fromEntries(Object.entries(known).map(([key, value]) => [key, strict(value)]))
  const listed = typeof known['properties'] === 'object' && !('additionalProperties' in known)
  return listed && !known['x-kubernetes-preserve-unknown-fields'] ? { ...inner, additionalProperties: false } : inner
}

/** Replaces the schemas that are stricter than the server. */
const definitionOf = (name: string, schema: Schema): unknown => {
  if (name.endsWith('.Quantity')) return quantity
  if (name.endsWith('.IntOrString')) return intOrString
  if (/\.(JSONSchemaProps|RawExtension|FieldsV1)$/.test(name)) return {}
  return strict(schema)
}

type Kind = { group: string; version: string; kind: string }

/** Returns the file name that kubeconform expects, such as `deployment-apps-v1.json`. */
const fileOf = ({ group, version, kind }: Kind): string =>
  `${[kind, ...(group === '' ? [] : [group.split('.')[0]]), version].join('-').toLowerCase()}.json`

/** Returns the files with the definitions of the custom resources that the chart creates. */
export const customResourceFiles = async (): Promise<string[]> => {
  const files: string[] = []
  for (const name of ['prometheus', 'keda', 'gateway'] as const) {
    const source = await goModuleFolder(modules[name])
    files.push(...customResources[name].map((file) => join(source, file)))
  }
  return files
}

const writeKubernetes = async (folder: string): Promise<void> => {
  const swagger = join(await goModuleFolder(modules.kubernetes), 'api/openapi-spec/swagger.json')
  const { definitions } = JSON.parse(await readFile(swagger, 'utf8')) as { definitions: Record<string, Schema> }
  const known = Object.fromEntries(
    Object.entries(definitions).map(([name, schema]) => [name, definitionOf(name, schema)]),
  )
  await writeFile(join(folder, '_definitions.json'), JSON.stringify({ definitions: known }))
  for (const [name, schema] of Object.entries(definitions)) {
    if (/\.(DeleteOptions|WatchEvent)$/.test(name)) continue
    for (const kind of (schema['x-kubernetes-group-version-kind'] ?? []) as Kind[]) {
      const text = JSON.stringify({
        $ref: `_definitions.json#/definitions/${name}`,
        required: ['apiVersion', 'kind', 'metadata'],
      })
      await writeFile(join(folder, fileOf(kind)), text)
    }
  }
}

type Definition = {
  spec: {
    group: string
    names: { kind: string }
    versions: { name: string; schema: { openAPIV3Schema: Schema & { properties: Schema } } }[]
  }
}

const writeCustom = async (folder: string, file: string): Promise<void> => {
  for (const document of parseAllDocuments(readFileSync(file, 'utf8'))) {
    const { spec } = document.toJS() as Definition
    for (const { name: version, schema } of spec.versions) {
      const known = strict(schema.openAPIV3Schema) as { properties: Schema }
      known.properties['metadata'] = { type: 'object' }
      await writeFile(
        join(folder, fileOf({ group: spec.group, version, kind: spec.names.kind })),
        JSON.stringify(known),
      )
    }
  }
}

const generate = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true })
  await writeKubernetes(folder)
  for (const file of await customResourceFiles()) await writeCustom(folder, file)
}

/**
 * Validates files with kubeconform. One call for many files reads each schema once, and one goroutine does not compile
 * a schema at the same time as another one: that costs a fifth of the CPU.
 */
export const conform = (...filesAndOptions: string[]): Promise<CommandResult> => {
  const location = `${schemaFolder}/{{.ResourceKind}}{{.KindSuffix}}.json`
  return run('kubeconform', ['-strict', '-n', '1', '-schema-location', location, ...filesAndOptions])
}

/**
 * Generates the schemas if necessary. Returns the reason why they are unavailable, or null if they are in
 * `schemaFolder`.
 */
export const whyNoSchemas = async (): Promise<string | null> => {
  if (existsSync(schemaFolder)) return null
  const unfinished = `${schemaFolder}.${process.pid}`
  try {
    await generate(unfinished)
    await rename(unfinished, schemaFolder).catch(async (thrown: unknown) => {
      // Another run may have generated them at the same time.
      if ((await readdir(schemaFolder).catch(() => [])).length === 0) throw thrown
    })
    return null
  } catch (thrown) {
    return `cannot generate the schemas of Kubernetes: ${thrown instanceof Error ? thrown.message : thrown}`
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}
