import { isMap, isScalar, type Pair, parseDocument, stringify, type YAMLMap } from 'yaml'

type Row = { key: string; value: string; says: string }

/** Its last paragraph: what stands apart above it is of the whole file. */
const plainComment = (text: string | null | undefined): string =>
  (text ?? '')
    .replace(/^.*\n\s*\n/s, '')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim()

/** The comment that stands above a key; that of the first key of a map belongs to the map's node. */
const above = (map: YAMLMap, pair: Pair, isFirst: boolean): string => {
  const own = isScalar(pair.key) ? plainComment(pair.key.commentBefore) : ''
  return own || (isFirst ? plainComment(map.commentBefore) : '')
}

const flow = (value: unknown): string =>
  stringify(value, { collectionStyle: 'flow', lineWidth: 0, singleQuote: true }).trim()

/** A map is told key by key, but where it is written on one line, as something whole. */
const isOpen = (value: unknown): value is YAMLMap => isMap(value) && !value.flow && value.items.length > 0

const rowsOf = (map: YAMLMap, prefix: string): Row[] =>
  map.items.flatMap((pair, number) => {
    const key = `${prefix}${isScalar(pair.key) ? pair.key.value : ''}`
    const says = above(map, pair, number === 0)
    if (!isOpen(pair.value)) return [{ key, value: flow(pair.value), says }]
    const rows = rowsOf(pair.value, `${key}.`)
    return says === '' ? rows : [{ key, value: '', says }, ...rows]
  })

/** Every value with what values.yaml says of it. */
export const valueRows = (valuesYaml: string): Row[] => {
  const document = parseDocument(valuesYaml)
  return isMap(document.contents) ? rowsOf(document.contents, '') : []
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

const line = ({ key, value, says }: Row): string =>
  `| \`${key}\` | ${value === '' ? '' : `\`${cell(value)}\``} | ${cell(says)} |`

/** Content of the chart's README.md. */
export const readme = (valuesYaml: string): string => `# The chart postrider

Made by \`npm run gen\` from the comments of values.yaml.

Every service of Postrider, in one namespace. MongoDB, Kafka and Redis are yours and come by address. Its pods run under the
pod security standard "restricted", with no way in or out but what each needs. Kubernetes 1.30 or newer: the pause before a
stop is its own since then.

    kubectl create namespace mail
    kubectl -n mail create secret generic postrider \\
      --from-literal=mongodb-url='mongodb://…' --from-literal=redis-url='redis://…' \\
      --from-literal=wire-token="$(openssl rand -hex 32)" --from-literal=secret="$(openssl rand -hex 32)"
    helm -n mail install postrider charts/postrider --set image.repository=images.example.com/postrider \\
      --set config.KAFKA_BROKERS=kafka:9092 --set config.POSTRIDER_PUBLIC_URL=https://mail.example.com
    helm -n mail test postrider --logs

Of several brokers \`--set\` wants the commas escaped, \`--set 'config.KAFKA_BROKERS=a:9092\\,b:9092'\`; a file of values takes
them as they are.

- \`examples/\` has values for a first look, for production, and for development in one namespace, and what becomes of them.
- A value that the chart doesn't know, or can't use beside another, is refused before anything is made. What it hands on as it
  is (\`affinity\`, \`tolerations\`, \`extraEnv\`, peers of policies) Kubernetes judges when it gets it. What a program doesn't
  take for its configuration ends it with exit code 2 and a line a fault in its log.
- What changed in a Secret, or among trusted certificates, is taken by pods with the next \`helm upgrade\`, which rolls them;
  before, by \`kubectl rollout restart\`. Tools that render the chart without a cluster and apply what comes of it can't see
  such a change: there it is the restart, or a controller that makes it.
- Before each installation and upgrade a Job makes indexes and topics (\`services/prepare\`); where it fails nothing is
  changed. A store that is away for a minute, or refuses the login, fails it, and its log says why.
- Where Prometheus or an ingress stand in namespaces named otherwise, \`networkPolicy\` must say so.

## Values

| value | default | what it does |
|---|---|---|
${valueRows(valuesYaml).map(line).join('\n')}
`
