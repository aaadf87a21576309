/** Removes the secrets of this process from a text. */
export type Redact = (text: string) => string

/** Variables with a secret, or with a URL that may contain one. */
export const secretVariables = [
  'MONGODB_URL',
  'REDIS_URL',
  'POSTRIDER_WIRE_TOKEN',
  'POSTRIDER_WIRE_TOKEN_GATEWAY',
  'POSTRIDER_WIRE_TOKEN_INTAKE',
  'POSTRIDER_WIRE_TOKEN_ACCOUNTS',
  'POSTRIDER_SECRET',
  'POSTRIDER_OPERATOR_TOKEN',
  'POSTRIDER_ROUTE',
  'POSTRIDER_STRIPE_SECRET_KEY',
  'POSTRIDER_STRIPE_WEBHOOK_SECRET',
  'KAFKA_USERNAME',
  'KAFKA_PASSWORD',
] as const

/** A user name is stored with its password, but it is no secret: it may be a part of paths and of names in a log. */
const userNames: ReadonlySet<string> = new Set(['KAFKA_USERNAME'])

/** Variables of OpenTelemetry's library, which reports errors itself. */
const tracingVariables = [
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
]

/** A shorter text, such as a one-letter password of a test, would remove parts of ordinary words. */
const minSecretLength = 6

/**
 * Returns a function that replaces every secret of the environment by `***`. It is the last guard: messages of our own
 * contain no value of a variable, but a driver may put a URL into an error.
 */
export const redactor = (env: Record<string, string | undefined>): Redact => {
  const names = [...secretVariables, ...tracingVariables].filter((name) => !userNames.has(name))
  const texts = names.flatMap((name) => env[name]?.trim() ?? [])
  const secrets = [...new Set(texts.flatMap(partsOf))]
    .filter((part) => part.length >= minSecretLength)
    .toSorted((a, b) => b.length - a.length)
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}

/** A URL without a login is no secret: it names a host, which an operator needs in a log. */
const partsOf = (text: string): string[] => {
  // A scheme alone, as of the route `mailbox:`.
  if (/^[a-z]+:$/i.test(text)) return []
  const [, userInfo] = /^[a-z+]+:\/\/(.*)@/is.exec(text) ?? []
  const [, query = ''] = /\?(.*)$/s.exec(text) ?? []
  const values = [...query.matchAll(/(?:pass|secret|token|properties)[^=&]*=([^&]*)/gi)].map(([, value = '']) => value)
  if (/^[a-z+]+:\/\//i.test(text)) {
    const password = userInfo?.slice(userInfo.indexOf(':') + 1)
    return [...(password === undefined ? [] : [text, password]), ...values].flatMap(withDecoded)
  }
  return [text, ...text.split(',').map((part) => part.trim())]
}

const withDecoded = (text: string): string[] => {
  try {
    return [text, decodeURIComponent(text)]
  } catch {
    return [text]
  }
}
