import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { type LoopbackConfig, localAccess } from './loopback.ts'
import type { PeerOwner } from './peerOwner.ts'

const local: LoopbackConfig = { publicUrl: 'http://localhost:8080', trustedProxies: [] }

type Request = { peer?: string; headers?: Record<string, string>; httpVersion?: string }

const from = ({ peer = '127.0.0.1', headers = {}, httpVersion = '1.1' }: Request): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: { host: 'localhost:8080', ...headers },
    httpVersion,
  }) as unknown as IncomingMessage

const accessOf = (request: IncomingMessage, config = local, owner: PeerOwner = 'own') =>
  localAccess(request, config, async () => owner)

const isLoopback = async (request: IncomingMessage, config = local): Promise<boolean> =>
  (await accessOf(request, config)).isGranted

const adviceOf = async (request: IncomingMessage, config = local): Promise<string> => {
  const access = await accessOf(request, config)
  return access.isGranted ? '' : access.advice
}

/**
 * Header names seen behind proxies, load balancers, content delivery networks, tunnels, meshes and login proxies, from
 * their documentation, and one that no product has.
 */
const forwarding = `
  Z-Forwarded-For X-Forwarder-For X-IMForwards X-BlueCoat-Via X-Source-IP X-Src-IP Source-IP X-User-IP X-External-IP X-WEBAUTH-USER
  Forwarded Via Max-Forwards CDN-Loop Early-Data Client-Cert Client-Cert-Chain X-Forwarded X-Forwarded-For X-Forwarded-Host
  X-Forwarded-Proto X-Forwarded-Protocol X-Forwarded-Port X-Forwarded-Server X-Forwarded-Prefix X-Forwarded-Path X-Forwarded-Ssl
  X-Forwarded-Scheme X-Forwarded-By X-Forwarded-User X-Forwarded-Email X-Forwarded-Client-Cert X-Forwarded-Tls-Client-Cert
  X-Forwarded-For-Original X-Forward-For X-Real-IP X-Real-Port X-Original-For X-Original-Host X-Original-URL X-Original-URI
  X-Original-Proto X-Original-Forwarded-For X-Originating-IP X-Rewrite-URL X-Client-IP X-Client-Port Client-IP X-Cluster-Client-IP
  True-Client-IP X-Remote-IP X-Remote-Addr X-Remote-User Remote-Addr Remote-User X-Host X-Scheme X-URL-Scheme X-SSL X-SSL-Client-Cert
  SSL-Client-Cert X-TLS-Version X-ProxyUser-IP X-Proxy-Id Proxy-Client-IP Proxy-Connection WL-Proxy-Client-IP WL-Proxy-SSL
  HTTP-X-Forwarded-For HTTP-Client-IP X-HTTP-Host-Override X-NginX-Proxy X-Haproxy-Server-State X-Traefik-Request X-Varnish
  X-Kong-Request-Id X-ARR-LOG-ID X-ARR-SSL X-ARR-ClientCert X-IISNode-Remote-Addr Front-End-Https Surrogate-Capability
  X-Request-Start X-Queue-Start X-LB-IP X-Gateway-Host X-Auth-Request-User X-Authenticated-User X-Authentik-Username
  X-Envoy-External-Address X-Envoy-Internal X-Envoy-Original-Path X-Envoy-Peer-Metadata CF-Connecting-IP CF-Connecting-IPv6 CF-Ray
  CF-Visitor CF-IPCountry CF-Worker CDN-RequestId CDN-ConnectionId X-CDN X-CDN-Src-IP CloudFront-Viewer-Address
  CloudFront-Forwarded-Proto X-Amz-Cf-Id X-Amzn-Trace-Id X-Amzn-Remapped-Host X-Appengine-User-IP X-Google-Serverless-Node
  X-Goog-IAP-JWT-Assertion X-GFE-Request-Trace X-Cloud-Trace-Context X-Azure-ClientIP X-Azure-SocketIP X-Azure-Ref X-FD-HealthProbe
  X-MS-Client-Principal X-MS-Original-URL Fastly-Client-IP Fastly-SSL Fastly-FF X-Fastly-Request-Id X-Akamai-Edgescape Akamai-Origin-Hop
  X-Edge-Request-ID Incap-Client-IP X-Sucuri-ClientIP X-Bunny-Request Ali-CDN-Real-IP Eagleeye-Traceid X-Tencent-UA X-Stgw-Time
  X-F5-Client X-Coming-From Fly-Client-IP Fly-Forwarded-Port Fly-Region X-Vercel-Forwarded-For X-Vercel-Id X-NF-Client-Connection-IP
  X-Railway-Edge X-Render-Origin-Server Rndr-Id DO-Connecting-IP Tailscale-User-Login Ngrok-Trace-Id X-Ngrok-Auth X_Forwarded_For
  x_real_ip X-Forwarded_Host X-Accel-Internal X-Sendfile-Type X-Caddy X-Squid X-Cache X-Istio-Attributes X-Zscaler X-Country-Code
  X-GeoIP-Country X-Wap-Profile X-Heroku-Dynos-In-Use X-Consumer-Username X-Credential-Identifier X-Tyk-Authorization Ocp-Apim-Trace
  X-Pomerium-Jwt-Assertion X-Pomerium-Claim-Email X-Vouch-User X-Userinfo X-Token-Subject X-Email OIDC_CLAIM_email SM_USER iv-user
  Teleport-Jwt-Assertion X-Script-Name X-Ingress-Path X-Hass-Source WAS-Default-Hostname Disguised-Host X-Site-Deployment-Id
  MS-ASPNETCORE-Token X-Waws-Unencoded-Url X-Rapidapi-Proxy-Secret X-Sigsci-Tags X-LLNW X-EC-Host X-WR-Host l5d-client-id X-Correlation-Id
  X-Datadog-Trace-Id X-Codespaces X-Zrok Sec-Real-IP Secure X-A-Name-Of-The-Operator
`
  .trim()
  .split(/\s+/)

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

describe('privileges of this machine', () => {
  for (const peer of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])
    it(`are given to the peer ${peer}`, async () => assert.equal(await isLoopback(from({ peer }), local), true))

  for (const peer of [
    '192.0.2.1',
    '10.0.0.1',
    '172.17.0.1',
    '::ffff:10.0.0.1',
    'fe80::1',
    '2001:db8::1',
    '::',
    '0.0.0.0',
    '',
  ])
    it(`are not given to the peer '${peer}'`, async () => assert.equal(await isLoopback(from({ peer }), local), false))

  for (const host of [
    'localhost',
    'LocalHost:8080',
    'localhost.',
    'a.b.localhost:1',
    '127.0.0.1',
    '127.1.2.3:9',
    '[::1]',
    '[::1]:8080',
  ])
    it(`are given to requests for ${host}`, async () =>
      assert.equal(await isLoopback(from({ headers: { host } }), local), true))

  for (const host of [
    ...[
      '',
      'mail.example.com',
      'evil.example:8080',
      'localhost.evil.example',
      'notlocalhost',
      'localhost@evil.example',
    ],
    ...[
      '127.0.0.1.evil.example',
      '127.0.0.1.nip.io',
      '128.0.0.1',
      '0.0.0.0:8080',
      '[::]:8080',
      '[::2]',
      'localhost, evil.example',
    ],
    ...['192.168.1.5', 'localhost:8080:80', ' localhost', 'localhost:http', '2130706433'],
  ])
    it(`are not given to requests for '${host}'`, async () =>
      assert.equal(await isLoopback(from({ headers: { host } }), local), false))

  // Regression: six names counted, then 100 prefixes. Each list of proxies' names had gaps; now the names of clients
  // are listed.
  for (const name of forwarding)
    it(`are not given to a request with ${name}`, async () =>
      assert.equal(await isLoopback(from({ headers: { [name.toLowerCase()]: '127.0.0.1' } }), local), false))

  it('are given to requests of clients on this machine', async () => {
    const headers = {
      ...{
        accept: 'text/html',
        'accept-encoding': 'gzip',
        'accept-language': 'en',
        'cache-control': 'no-cache',
        cookie: 'a=b',
      },
      ...{
        connection: 'keep-alive',
        dnt: '1',
        pragma: 'no-cache',
        referer: 'http://localhost:8080/',
        origin: 'http://localhost:8080',
      },
      ...{
        'sec-fetch-site': 'none',
        'sec-fetch-mode': 'navigate',
        'sec-ch-ua': '"Chromium"',
        'sec-gpc': '1',
        priority: 'u=0, i',
      },
      ...{
        'upgrade-insecure-requests': '1',
        'user-agent': chrome,
        authorization: 'Bearer x',
        'idempotency-key': 'a',
        te: 'trailers',
      },
      ...{
        traceparent: '00-0',
        tracestate: 'a=b',
        baggage: 'a=b',
        b3: '0',
        'x-request-id': 'a',
        'x-csrf-token': 'a',
        'x-workspace': 'ws_1',
        'batch-validation': 'strict',
        range: 'bytes=0-',
      },
      ...{
        'x-prometheus-scrape-timeout-seconds': '10',
        'if-none-match': '"a"',
        purpose: 'prefetch',
        'postman-token': 'a',
      },
    }
    assert.equal(await isLoopback(from({ headers }), local), true)
  })

  // The HTTP client of Java, and `curl --http2`, offer HTTP/2 to a plain port.
  it('are given to a client that offers HTTP/2', async () => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
    assert.equal(await isLoopback(from({ headers }), local), true)
  })

  for (const httpVersion of ['0.9', '1.0', '2.0'])
    it(`are not given to a request of HTTP/${httpVersion}`, async () =>
      assert.equal(await isLoopback(from({ httpVersion }), local), false))

  /** `Connection` and others of programs on this machine, as each sends them by default. */
  const programs: Record<string, Record<string, string>> = {
    curl: { 'user-agent': 'curl/8.5.0', accept: '*/*' },
    wget: { 'user-agent': 'Wget/1.21.4', accept: '*/*', 'accept-encoding': 'identity', connection: 'Keep-Alive' },
    HTTPie: {
      'user-agent': 'HTTPie/3.2.2',
      'accept-encoding': 'gzip, deflate',
      accept: '*/*',
      connection: 'keep-alive',
    },
    'Python requests': {
      'user-agent': 'python-requests/2.32.3',
      'accept-encoding': 'gzip, deflate',
      accept: '*/*',
      connection: 'keep-alive',
    },
    'Go net/http': { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' },
    'Java HttpClient': {
      connection: 'Upgrade, HTTP2-Settings',
      'content-length': '0',
      'http2-settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      upgrade: 'h2c',
      'user-agent': 'Java-http-client/21.0.4',
    },
    'fetch of Node': {
      connection: 'keep-alive',
      accept: '*/*',
      'accept-language': '*',
      'sec-fetch-mode': 'cors',
      'user-agent': 'node',
      'accept-encoding': 'gzip, deflate',
    },
    Prometheus: {
      'user-agent': 'Prometheus/3.5.0',
      accept: 'application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.4',
      'accept-encoding': 'gzip',
      'x-prometheus-scrape-timeout-seconds': '10',
    },
    vmagent: { 'user-agent': 'vm_promscrape', accept: 'text/plain', 'accept-encoding': 'gzip' },
    Telegraf: { 'user-agent': 'Telegraf/1.32.0 Go/1.23', accept: 'text/plain;version=0.0.4' },
    'a client with its own request id': { 'user-agent': 'app/1', 'x-request-id': '7c1a' },
  }
  for (const [name, headers] of Object.entries(programs))
    it(`are given to ${name}`, async () => assert.equal(await isLoopback(from({ headers }), local), true))

  /** What each proxy makes of a request of curl by default, if the upstream is given as `127.0.0.1:8080`. */
  const proxies: Record<string, { httpVersion?: string; headers: Record<string, string> }> = {
    'nginx before 1.29.7': { httpVersion: '1.0', headers: { host: '127.0.0.1:8080', connection: 'close' } },
    'nginx with proxy_http_version 1.1': { headers: { host: '127.0.0.1:8080', connection: 'close' } },
    'nginx with proxy_http_version 1.1, which upgrades': { headers: { connection: 'upgrade, Close', upgrade: 'h2c' } },
    'Apache mod_proxy': {
      headers: {
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-host': 'localhost',
        'x-forwarded-server': 'localhost',
        connection: 'Keep-Alive',
      },
    },
    'Apache mod_proxy without its headers': { headers: { via: '1.1 localhost' } },
    'HAProxy with option forwardfor': { headers: { 'x-forwarded-for': '192.0.2.1' } },
    'HAProxy with option httpclose': { headers: { connection: 'close' } },
    Caddy: {
      headers: {
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-host': 'localhost',
        'x-forwarded-proto': 'https',
        'accept-encoding': 'gzip',
      },
    },
    Traefik: {
      headers: {
        'x-forwarded-for': '192.0.2.1',
        'x-forwarded-host': 'localhost',
        'x-forwarded-port': '80',
        'x-forwarded-proto': 'http',
        'x-forwarded-server': 'a',
        'x-real-ip': '192.0.2.1',
      },
    },
    Envoy: {
      headers: { 'x-forwarded-proto': 'http', 'x-request-id': '7c1a', 'x-envoy-expected-rq-timeout-ms': '15000' },
    },
    lighttpd: {
      headers: {
        'x-forwarded-for': '192.0.2.1',
        'x-host': 'localhost',
        'x-forwarded-proto': 'http',
        connection: 'close',
      },
    },
    Varnish: { headers: { 'x-forwarded-for': '192.0.2.1', via: '1.1 a (Varnish/7.5)', 'x-varnish': '3' } },
    Squid: { headers: { via: '1.1 a (squid/6.9)', 'x-forwarded-for': '192.0.2.1', 'cache-control': 'max-age=259200' } },
    IIS: {
      headers: { 'x-original-url': '/', 'x-forwarded-for': '192.0.2.1:5', 'x-arr-log-id': 'a', 'max-forwards': '10' },
    },
    cloudflared: { headers: { 'cf-connecting-ip': '192.0.2.1', 'cf-ray': 'a', 'cdn-loop': 'cloudflare' } },
    ngrok: {
      headers: { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.ngrok.app' },
    },
    'tailscale serve': { headers: { 'x-forwarded-for': '100.64.0.1', 'tailscale-user-login': 'a@b.example' } },
    'Go httputil.ReverseProxy': { headers: { 'x-forwarded-for': '192.0.2.1' } },
    'Node http-proxy': { headers: { connection: 'close' } },
    'ab and other clients of HTTP/1.0': { httpVersion: '1.0', headers: { connection: 'Keep-Alive' } },
    'a proxy with a list of options': { headers: { connection: 'TE, close', te: 'deflate' } },
  }
  // Regression: `Connection: close` counted for browsers only, so a bare nginx showed captured mail to curl from
  // anywhere.
  for (const [name, { headers, httpVersion = '1.1' }] of Object.entries(proxies))
    it(`are not given to a request over ${name}, and the refusal names the sign`, async () => {
      const request = from({ headers: { 'user-agent': 'curl/8.5.0', accept: '*/*', ...headers }, httpVersion })
      assert.equal(await isLoopback(request, local), false)
      assert.match(
        await adviceOf(request, local),
        /like one of a proxy \((?:HTTP\/1\.0|`Connection: close`|the header `[a-z-]+`)\)/,
      )
    })

  /** Proxies that change nothing in a request of curl. */
  const unchanged = {
    'nginx from 1.29.7': { host: '127.0.0.1:8080' },
    'HAProxy without option forwardfor': { host: 'localhost' },
    'ssh -R': { host: 'localhost:8080' },
  }
  for (const [name, headers] of Object.entries(unchanged))
    it(`are not given to a request over ${name} that another user of this machine runs`, async () => {
      const request = from({ headers: { 'user-agent': 'curl/8.5.0', accept: '*/*', ...headers } })
      const access = await accessOf(request, local, 'other')
      assert.ok(!access.isGranted)
      assert.match(access.advice, /like one of a proxy \(another user sends it\).*runs as the user of the service/)
    })

  it('are given if the system does not show the user', async () =>
    assert.deepEqual(await accessOf(from({}), local, null), { isGranted: true }))

  it('cause no advice without a proxy or with a public URL', async () => {
    assert.equal(await adviceOf(from({}), local), '')
    const proxied = { headers: { connection: 'close' } }
    assert.equal(await adviceOf(from(proxied), { ...local, publicUrl: 'https://mail.example.com' }), '')
    assert.equal(await adviceOf(from({ ...proxied, peer: '192.0.2.1' }), local), '')
  })

  // `location / { proxy_pass http://127.0.0.1:8080; }` adds no header and sends the upstream's name as Host.
  it('are not given to a browser behind nginx with a bare proxy_pass', async () => {
    const headers = { host: '127.0.0.1:8080', connection: 'close', 'user-agent': chrome }
    assert.equal(await isLoopback(from({ headers, httpVersion: '1.0' }), local), false)
    assert.equal(await isLoopback(from({ headers }), local), false, 'with proxy_http_version 1.1')
    const { connection: _, ...without } = headers
    assert.equal(await isLoopback(from({ headers: without }), local), false, 'with keep-alive to the upstream')
  })

  for (const publicUrl of [
    'https://mail.example.com',
    'http://192.0.2.1:8080',
    'http://localhost.example.com',
    'http://mail.internal',
  ])
    it(`do not exist with the public URL ${publicUrl}`, async () =>
      assert.equal(await isLoopback(from({}), { ...local, publicUrl }), false))

  for (const publicUrl of [
    'http://localhost',
    'http://127.0.0.1:9000',
    'http://[::1]:9000',
    'https://postrider.localhost',
  ])
    it(`exist with the public URL ${publicUrl}`, async () =>
      assert.equal(await isLoopback(from({}), { ...local, publicUrl }), true))

  it('do not exist with a trusted proxy, even if the request comes directly', async () => {
    for (const trusted of ['127.0.0.1', '::1/128', '10.0.0.0/8'])
      assert.equal(await isLoopback(from({}), { ...local, trustedProxies: [trusted] }), false)
  })
})
