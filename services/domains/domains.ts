import type { Domains } from '@postrider/contracts/services.ts'
import type { SendingDomain } from '@postrider/domain/domains/domain.ts'
import { dkimSecretPurpose } from '@postrider/domain/domains/keys.ts'
import { firstThatFit, jsonBytes } from '@postrider/domain/listPage.ts'
import { dayMs } from '@postrider/domain/time.ts'
import { pauseInBackground } from '@postrider/kit/pause.ts'
import { makeSecretBox, requireReadable } from '@postrider/kit/secretBox.ts'
import { makeSlices } from '@postrider/kit/slices.ts'
import { generateDkimKey } from '@postrider/mail/dkimKeys.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import { deleteEntry, updateEntry } from './auditEntries.ts'
import { budgets } from './budgets.ts'
import { changeDomain } from './changeDomain.ts'
import { openChecker } from './checker.ts'
import type { Config } from './config.ts'
import { createDomain } from './createDomain.ts'
import {
  type Deps,
  type DomainLimits,
  defaultDomainLimits,
  domainRecord,
  readStored,
  unknownDomainFault,
} from './deps.ts'
import { keyMaker } from './makeKeys.ts'
import { platformDomain } from './platformDomain.ts'
import { rotateKey } from './rotateKey.ts'
import { openVerifier, type Verifier } from './verifyDomain.ts'

/*
 * Sending domains of workspaces. The files of this service: createDomain.ts, changeDomain.ts (one guarded write for
 * every change), rotateKey.ts and verifyDomain.ts do what people request, within budgets.ts; checker.ts finds the
 * domains whose check is due; runCheck.ts makes one check; platformDomain.ts makes the keys of the domain of
 * the shared sender; makeKeys.ts generates and encrypts keys. The rules are in packages/domain/domains.
 */

/** Returns the functions of the service. */
const domainsService = (deps: Deps, { verify }: Pick<Verifier, 'verify'>): Domains => {
  const record = (domain: SendingDomain) => domainRecord(domain, deps.settings)
  return {
    Create: async (request) => record(await createDomain(deps, request)),
    Get: async (domainKey) => record((await readStored(deps, domainKey)).domain),
    List: async ({ workspace, limit, before }) => {
      const page = await deps.domains.list(workspace, before, limit)
      const domains = firstThatFit(page.domains.map(record), jsonBytes)
      return { domains, hasMore: page.hasMore || domains.length < page.domains.length }
    },
    Update: async (request) => record(await updateDomain(deps, request)),
    Delete: async ({ workspace, id, ...by }) => {
      const entry = (domain: SendingDomain) => deleteEntry(domain, { ...by, at: deps.now() })
      if (!(await deps.domains.remove(workspace, id, entry))) throw unknownDomainFault()
    },
    Verify: async (request) => record(await verify(request)),
    RotateKey: async (request) => record(await rotateKey(deps, request)),
    PlatformDomain: async () => record(await platformDomain(deps)),
  }
}

const updateDomain = async (deps: Deps, request: Parameters<Domains['Update']>[0]): Promise<SendingDomain> => {
  const { subdomains } = request
  const { after } = await changeDomain(deps, request, (before) => {
    if (subdomains === undefined || subdomains === before.subdomains) return null
    const domain = { ...before, subdomains }
    return { domain, checkAt: null, audit: updateEntry(before, domain, { ...request, at: deps.now() }) }
  })
  return after
}

type OpenDomainsOptions = Pick<Deps, 'domains' | 'dns' | 'now' | 'log' | 'metrics'> &
  Partial<Pick<Deps, 'random' | 'pause' | 'slices'>> & {
    config: Pick<
      Config,
      'POSTRIDER_SENDER' | 'POSTRIDER_BOUNCE_DOMAIN' | 'POSTRIDER_MAX_DOMAINS' | 'POSTRIDER_DKIM_ROTATION_DAYS'
    >
    /** The master keys: the first encrypts, all of them decrypt. */
    secrets: readonly [string, ...string[]]
    /** Limits what a workspace may cost over time. */
    limiter: Pick<Limiter, 'take'>
    generate?: typeof generateDkimKey
    /** Where they differ from `defaultDomainLimits` and the configuration. */
    limits?: Partial<DomainLimits>
  }

/**
 * Opens the service. The keys of the domain of the shared sender exist when it returns. Its checker runs until it is
 * disposed.
 * @throws Fault `conflict`: DKIM keys are encrypted under a secret that is not configured
 */
export const openDomains = async (options: OpenDomainsOptions) => {
  const { config, secrets, limiter, generate = generateDkimKey, limits, ...given } = options
  const box = makeSecretBox({ secrets, purpose: dkimSecretPurpose })
  const rotationDays = config.POSTRIDER_DKIM_ROTATION_DAYS
  const deps: Deps = {
    random: Math.random,
    pause: pauseInBackground,
    slices: makeSlices(),
    ...given,
    box,
    makeKeys: keyMaker({ box, generate }),
    budgets: budgets({ limiter, now: given.now, domains: config.POSTRIDER_MAX_DOMAINS }),
    settings: {
      senderAddress: config.POSTRIDER_SENDER.address,
      bounceDomain: config.POSTRIDER_BOUNCE_DOMAIN ?? null,
    },
    limits: {
      ...defaultDomainLimits,
      domains: config.POSTRIDER_MAX_DOMAINS,
      rotationMs: rotationDays === undefined ? null : rotationDays * dayMs,
      ...limits,
    },
  }
  await requireReadable(box, deps.domains, 'DKIM keys of sending domains')
  await platformDomain(deps)
  const verifier = openVerifier(deps)
  const checker = openChecker(deps)
  return {
    domains: domainsService(deps, verifier),
    checkDue: checker.checkDue,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([verifier[Symbol.asyncDispose](), checker[Symbol.asyncDispose]()])
    },
  }
}
