import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { isLoopback, type LoopbackConfig } from './loopback.ts'

const local: LoopbackConfig = { publicUrl: 'http://localhost:8080', trustedProxies: [] }

type Request = { peer?: string; headers?: Record<string, string>; httpVersion?: string }

const from = ({ peer = '127.0.0.1', headers = {}, httpVersion = '1.1' }: Request): IncomingMessage =>
  ({
    socket: { remoteAddress: peer },
    headers: { host: 'localhost:8080', ...headers },
    httpVersion,
  }) as unknown as IncomingMessage

/**
 * Header names seen behind proxies, load balancers, content delivery networks, tunnels, meshes and login proxies, from their
 * documentation, and one that no product has.
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
    it(`are given to the peer ${peer}`, () => assert.equal(isLoopback(from({ peer }), local), true))

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
    it(`are not given to the peer '${peer}'`, () => assert.equal(isLoopback(from({ peer }), local), false))

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
    it(`are given to requests for ${host}`, () => assert.equal(isLoopback(from({ headers: { host } }), local), true))

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
    it(`are not given to requests for '${host}'`, () =>
      assert.equal(isLoopback(from({ headers: { host } }), local), false))

  // Formerly six names counted, then 100 prefixes. Each list of proxies' names had gaps; now the names of clients are listed.
  for (const name of forwarding)
    it(`are not given to a request with ${name}`, () =>
      assert.equal(isLoopback(from({ headers: { [name.toLowerCase()]: '127.0.0.1' } }), local), false))

  it('are given to what clients on this machine send', () => {
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
    assert.equal(isLoopback(from({ headers }), local), true)
  })

  // The HTTP client of Java, and `curl --http2`, offer HTTP/2 to a plain port.
  it('are given to a client that offers HTTP/2', () => {
    const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' }
    assert.equal(isLoopback(from({ headers }), local), true)
  })

  for (const httpVersion of ['0.9', '1.0', '2.0'])
    it(`are not given to a request of HTTP/${httpVersion}`, () =>
      assert.equal(isLoopback(from({ httpVersion }), local), false))

  it('are given to programs that close the connection after each request, or send no Connection header', () => {
    assert.equal(isLoopback(from({ headers: { connection: 'close' } }), local), true)
    assert.equal(isLoopback(from({ headers: { 'user-agent': 'curl/8.5.0' } }), local), true)
  })

  // `location / { proxy_pass http://127.0.0.1:8080; }` adds no header and sends the upstream's name as Host.
  it('are not given to a request of nginx with a bare proxy_pass', () => {
    const headers = { host: '127.0.0.1:8080', connection: 'close', 'user-agent': chrome }
    assert.equal(isLoopback(from({ headers, httpVersion: '1.0' }), local), false)
    assert.equal(
      isLoopback(from({ headers: { ...headers, 'user-agent': 'curl/8.5.0' }, httpVersion: '1.0' }), local),
      false,
    )
    assert.equal(isLoopback(from({ headers }), local), false, 'with proxy_http_version 1.1')
    const { connection: _, ...without } = headers
    assert.equal(isLoopback(from({ headers: without }), local), false, 'with keep-alive to the upstream')
  })

  for (const publicUrl of [
    'https://mail.example.com',
    'http://192.0.2.1:8080',
    'http://localhost.example.com',
    'http://mail.internal',
  ])
    it(`do not exist with the public URL ${publicUrl}`, () =>
      assert.equal(isLoopback(from({}), { ...local, publicUrl }), false))

  for (const publicUrl of [
    'http://localhost',
    'http://127.0.0.1:9000',
    'http://[::1]:9000',
    'https://postrider.localhost',
  ])
    it(`exist with the public URL ${publicUrl}`, () =>
      assert.equal(isLoopback(from({}), { ...local, publicUrl }), true))

  it('do not exist with a trusted proxy, even if the request comes directly', () => {
    for (const trusted of ['127.0.0.1', '::1/128', '10.0.0.0/8'])
      assert.equal(isLoopback(from({}), { ...local, trustedProxies: [trusted] }), false)
  })
})
