import type { StandalonePlan } from './plans.ts'
import { atMost, cell, median, roundsText, table, targetTable } from './report.ts'
import type { SignedRound } from './rounds.ts'
import type { SignatureCosts } from './signatureCost.ts'

export type SignedResult = {
  at: string
  machine: string
  command: string
  plan: StandalonePlan
  rounds: SignedRound[]
  costs: SignatureCosts[]
}

const costRows: readonly [what: string, reading: (costs: SignatureCosts) => number][] = [
  ['one RSA-2048 signature alone', (c) => c.rsaSignature],
  ['a message signed with RSA', (c) => c.rsa],
  ['– ÷ the signature alone', (c) => c.rsa / c.rsaSignature],
  ['one Ed25519 signature alone', (c) => c.ed25519Signature],
  ['a message signed with Ed25519', (c) => c.ed25519],
  ['a message signed with both', (c) => c.both],
  ['– what Ed25519 adds', (c) => c.both - c.rsa],
  ['a message signed with RSA by nodemailer', (c) => c.nodemailer],
]

/** Returns the measured part about signed mail in docs/bench.md. */
export const signedReport = ({ at, command, machine, plan, rounds, costs }: SignedResult): string => {
  const total = plan.accept.reduce((sum, step) => sum + step.count, 0)
  const added = rounds.map(({ signed, unsigned }) => signed.cpuMsPerMail - unsigned.cpuMsPerMail)
  const byNodemailer = rounds.map(({ inlineSigned, inline }) => inlineSigned.cpuMsPerMail - inline.cpuMsPerMail)
  const accepting = rounds.map(
    ({ signed, unsigned }) => (signed.acceptCpuMsPerMail ?? 0) / (unsigned.acceptCpuMsPerMail ?? 1),
  )
  const rsaRatio = median(costs.map(({ rsa, rsaSignature }) => rsa / rsaSignature))
  const ed25519 = median(costs.map(({ both, rsa }) => both - rsa))
  return [
    `Measured ${at.slice(0, 10)} by \`${command}\` on ${machine}: ${roundsText(rounds)}, ` +
      `${total.toLocaleString('en')} emails per queue. A message of 4 KiB, in a process without other work:`,
    '',
    '| CPU-ms, median (lowest–highest) | |',
    '|---|---|',
    ...costRows.map(([what, reading]) => `| ${what} | ${cell(costs.map(reading), 3)} |`),
    '',
    'Whole emails, accepted and delivered:',
    '',
    ...table({
      'Postrider, signed': rounds.map(({ signed }) => signed),
      'Postrider, unsigned': rounds.map(({ unsigned }) => unsigned),
      'inline, signed': rounds.map(({ inlineSigned }) => inlineSigned),
      'inline, unsigned': rounds.map(({ inline }) => inline),
    }),
    '',
    `Both signatures add ${cell(added, 3)} CPU-ms to an email; nodemailer's RSA signature adds ${cell(byNodemailer, 3)}.`,
    '',
    ...targetTable([
      atMost('RSA ÷ the CPU time of one RSA-2048 signature', 1.7, rsaRatio, 2),
      atMost('Ed25519 adds, ms', 0.1, ed25519, 3),
      atMost('CPU until the response, signed ÷ unsigned', 1.03, median(accepting), 2),
    ]),
    '',
  ].join('\n')
}
