import { z } from 'zod'
import { mongo } from './backendSettings.ts'
import { addresses, allOrNone, always, choice, isToken, ops, port, type RuleContext } from './settings.ts'

/* Environment variables by which the processes of a cluster find each other and prove who they are. */

export const grpcPort = {
  PORT: port(50_051).describe('Port of the gRPC service; 0 picks a free port and prints it.'),
}

/** The first is sent; any of them is accepted, so a token can be replaced without a rejected call. */
const tokens = (min: number) =>
  z
    .string(`must be set, with at least ${min} characters`)
    .transform((text) => text.split(',').map((token) => token.trim()))
    .refine((all) => all.every((token) => token.length >= min && isToken(token)), {
      error: `must be one token, or several separated by commas, each of at least ${min} characters of ASCII and no white space`,
    })

const pemFile = z.string().optional()

const rotation = 'While it is changed: several, comma-separated; the first is sent, any of them is accepted.'

/** Authentication between the processes of an installation. */
export const peerSecurity = {
  POSTRIDER_WIRE_TOKEN: tokens(32)
    .optional()
    .describe(
      `Shared token of all calls between services, at least 32 characters; used for callers without their own token, such as POSTRIDER_WIRE_TOKEN_GATEWAY. ${rotation}`,
    ),
  POSTRIDER_WIRE_CA: pemFile.describe(
    'File of the authority (PEM) that signs the certificates of client and server; with the next two variables it enables mutual TLS.',
  ),
  POSTRIDER_WIRE_CERT: pemFile.describe('File of the certificate (PEM) of this process.'),
  POSTRIDER_WIRE_KEY: pemFile.describe('File of the private key (PEM) of this process.'),
  POSTRIDER_WIRE_IDENTITY: choice(['token', 'certificate'])
    .default('token')
    .describe(
      'What identifies a caller: its token, or with mutual TLS a DNS name of its certificate whose first part is gateway, intake or accounts, or ends with one of them after a hyphen; the rest of the name must be that in the certificate of this process.',
    ),
}

const callerToken = (name: string) =>
  tokens(32)
    .optional()
    .describe(
      `Token that only the ${name} service sends, at least 32 characters; a service that it calls accepts it for the methods that the ${name} service needs. ${rotation}`,
    )

/** The token of each service that calls others: of the service itself and of each service that it calls. */
export const callerTokens = {
  gateway: { POSTRIDER_WIRE_TOKEN_GATEWAY: callerToken('gateway') },
  intake: { POSTRIDER_WIRE_TOKEN_INTAKE: callerToken('intake') },
  accounts: { POSTRIDER_WIRE_TOKEN_ACCOUNTS: callerToken('accounts') },
}

type CallerConfig = {
  POSTRIDER_WIRE_TOKEN?: unknown
  POSTRIDER_WIRE_TOKEN_GATEWAY?: unknown
  POSTRIDER_WIRE_TOKEN_INTAKE?: unknown
  POSTRIDER_WIRE_TOKEN_ACCOUNTS?: unknown
  POSTRIDER_WIRE_CA?: unknown
  POSTRIDER_WIRE_IDENTITY?: unknown
}

/**
 * Returns a rule for `superRefine`: the process can identify itself and its callers.
 * @param own the tokens per caller that the process reads; all are set, or none and the shared token
 */
export const callerIdentity =
  (...own: readonly (keyof CallerConfig)[]) =>
  (config: CallerConfig, context: RuleContext): void => {
    const refuse = (name: keyof CallerConfig, message: string): void =>
      context.addIssue({ code: 'custom', path: [name], message })
    if (config.POSTRIDER_WIRE_IDENTITY === 'certificate') {
      if (config.POSTRIDER_WIRE_CA === undefined)
        refuse(
          'POSTRIDER_WIRE_IDENTITY',
          'certificate needs POSTRIDER_WIRE_CA, POSTRIDER_WIRE_CERT and POSTRIDER_WIRE_KEY',
        )
      return
    }
    const missing = own.filter((name) => config[name] === undefined)
    const [first] = missing
    if (first === undefined) return
    // A token without the other one would refuse all calls of the other service.
    if (missing.length < own.length) refuse(first, `must be set too: set ${own.join(' and ')}, or none of them`)
    else if (config.POSTRIDER_WIRE_TOKEN === undefined)
      refuse('POSTRIDER_WIRE_TOKEN', 'must be set, with at least 32 characters')
  }

export const allTlsFiles = allOrNone(
  ['POSTRIDER_WIRE_CA', 'POSTRIDER_WIRE_CERT', 'POSTRIDER_WIRE_KEY'],
  'needs POSTRIDER_WIRE_CERT and POSTRIDER_WIRE_KEY: set all three or none',
)

const peer = (name: string) =>
  addresses(`${name}:50051`).describe(
    `Address of ${name}: host:port of a name that stands for all replicas, or of each replica, comma-separated.`,
  )

/** Addresses of the services that a process calls. */
export const peers = {
  accounts: { POSTRIDER_ACCOUNTS: peer('accounts') },
  templates: { POSTRIDER_TEMPLATES: peer('templates') },
  quota: { POSTRIDER_QUOTA: peer('quota') },
  intake: { POSTRIDER_INTAKE: peer('intake') },
  domains: { POSTRIDER_DOMAINS: peer('domains') },
  webhooks: { POSTRIDER_WEBHOOKS: peer('webhooks') },
}

/** The configuration of a service that serves calls from its records only. */
export const RecordServiceConfig = z
  .object({
    ...grpcPort,
    ...peerSecurity,
    ...callerTokens.gateway,
    ...callerTokens.intake,
    ...mongo,
    ...ops,
  })
  .superRefine(allTlsFiles, always)
  .superRefine(callerIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY', 'POSTRIDER_WIRE_TOKEN_INTAKE'), always)
