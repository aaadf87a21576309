import * as backend from '@postrider/kit/backendSettings.ts'
import * as peer from '@postrider/kit/peerSettings.ts'
import * as settings from '@postrider/kit/settings.ts'
import { z } from 'zod'

/** Environment variables of the accounts process. */
export const Config = z
  .object({
    ...peer.grpcPort,
    ...peer.peerSecurity,
    ...peer.callerTokens.gateway,
    ...peer.callerTokens.accounts,
    ...peer.peers.intake,
    ...backend.mongo,
    ...backend.redis,
    ...settings.publicUrl,
    ...settings.masterSecret,
    POSTRIDER_SIGNUP: settings
      .choice(['open', 'invite', 'off'])
      .default('open')
      .describe(
        'Who may become a user: everyone (open), people with an invitation only (invite), or no one (off). Only with open may users create further workspaces.',
      ),
    POSTRIDER_DEFAULT_PLAN: settings
      .choice(['free', 'pro', 'unlimited'])
      .default('free')
      .describe(
        'Plan of new workspaces: free (3,000 sends a month, 100 a day), pro (50,000 a month, more at a price), or unlimited. Existing workspaces keep theirs; the operator API changes their limits.',
      ),
    ...settings.retention,
    ...settings.ops,
  })
  .superRefine(peer.allTlsFiles, settings.always)
  .superRefine(peer.callerIdentity('POSTRIDER_WIRE_TOKEN_GATEWAY', 'POSTRIDER_WIRE_TOKEN_ACCOUNTS'), settings.always)

export type Config = z.output<typeof Config>
