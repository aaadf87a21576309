// The contestant "inline", a common solution: an endpoint that passes each email to nodemailer's pool and responds when
// the server has accepted it. `node test/bench/inlineScript.ts <port> <sink port> [dkim]`; `dkim`: nodemailer signs
// each email.
import { generateKeyPairSync } from 'node:crypto'
import { fastify } from 'fastify'
import { createTransport } from 'nodemailer'

const [port, sinkPort] = process.argv.slice(2, 4).map(Number)

const dkim = () => {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { domainName: 'bench.example', keySelector: 'bench', privateKey }
}

const transport = createTransport({
  pool: true,
  maxConnections: 20,
  maxMessages: Number.POSITIVE_INFINITY,
  host: '127.0.0.1',
  port: sinkPort,
  ignoreTLS: true,
  disableFileAccess: true,
  disableUrlAccess: true,
  ...(process.argv[4] === 'dkim' && { dkim: dkim() }),
})

const app = fastify({ bodyLimit: 15 * 1024 * 1024 })
app.post<{ Body: { to: string[]; subject: string; html: string; text: string } }>('/emails', async (request, reply) => {
  const { to, subject, html, text } = request.body
  const sent = await transport.sendMail({ from: 'Shop <shop@bench.example>', to, subject, html, text })
  return reply.code(202).send({ id: sent.messageId })
})
await app.listen({ port: port ?? 0, host: '127.0.0.1' })
