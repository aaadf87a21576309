type Shown = {
  url: string
  /** Where the numbers are for anybody; null: on `url` for loopback clients alone. */
  metricsUrl: string | null
  route: string
  dataDirectory: string
  /** Made at the first start and told only then. */
  first: { ownerEmail: string; password: string; testKey: string } | null
}

const curl = (url: string, key: string): string => `curl -s ${url}/api/v1/emails \\
    -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"to":["you@example.com"],"subject":"Hello","text":"It works."}'`

/** What a person reads when it has started; the first time also the key and the owner, which are never told again. */
export const banner = ({ url, metricsUrl, route, dataDirectory, first }: Shown): string => {
  const kept = route === 'mailbox:'
  const started = `
  Postrider is ready at ${url}
  Mail       ${kept ? `is kept at ${url}/mailbox; nothing leaves this machine` : `leaves by ${route}`}
  Data       ${dataDirectory}
${metricsUrl === null ? '' : `  Metrics    ${metricsUrl}\n`}`
  if (!first) return `${started}\n`
  return `${started}
  Owner      ${first.ownerEmail}   password ${first.password}   (shown once)
  Test key   ${first.testKey}   (shown once; its mail never leaves this machine)

  Send your first email${kept ? `, then look at ${url}/mailbox` : ' (only simulated: a live key sends by the route)'}

  ${curl(url, first.testKey)}

`
}
