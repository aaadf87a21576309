import { type Board, maxBy, namespace, of, quantileBy, rateBy } from './board.ts'

const checks = 'postrider_domain_checks_total'
const checkDuration = 'postrider_domain_check_duration_seconds'
const signingDuration = 'postrider_mail_signing_duration_seconds'

/** Sending domains: their records, and the signatures of their mail. */
export const domains: Board = {
  uid: 'postrider-domains',
  title: 'Postrider: sending domains and signatures',
  description: 'The status of sending domains, the checks of their DNS records, and the DKIM signatures of mail.',
  variables: [namespace],
  rows: [
    {
      title: 'Domains (each process counts all domains, so panels show the maximum)',
      panels: [
        {
          kind: 'lines',
          title: 'Domains, by status',
          description:
            'If many become warning at the same time, a DNS provider of many customers has changed something, or POSTRIDER_DNS lists a resolver with wrong answers. docs/domains.md explains each status.',
          unit: 'short',
          queries: [{ expr: maxBy('status', 'postrider_domains'), legend: '{{status}}' }],
        },
        {
          kind: 'lines',
          title: 'Overdue checks',
          description:
            'Domains whose check has been due for more than 10 minutes. docs/runbooks/PostriderDomainChecksOverdue.md.',
          unit: 'short',
          queries: [{ expr: maxBy('namespace', 'postrider_domains_overdue'), legend: '{{namespace}}' }],
          alarm: { amber: 1, red: 1_000 },
        },
        {
          kind: 'lines',
          title: 'Checks with a key that cannot be decrypted, per hour',
          description:
            'Above 0: POSTRIDER_SECRET lacks a key under which DKIM keys are stored. docs/runbooks/PostriderDomainKeysUnreadable.md.',
          unit: 'short',
          queries: [
            {
              expr: `sum by (namespace) (increase(${of('postrider_domain_keys_unreadable_total')}[1h]))`,
              legend: '{{namespace}}',
            },
          ],
          alarm: { amber: 0.5, red: 0.5 },
        },
      ],
    },
    {
      title: 'Checks of DNS records',
      panels: [
        {
          kind: 'lines',
          title: 'Checks, by outcome',
          description:
            'found: every required record exists. broken: one is missing or wrong. unanswered: DNS did not answer, which changes no status; if most checks are unanswered, see docs/runbooks/PostriderDomainChecksUnanswered.md.',
          unit: 'ops',
          queries: [{ expr: rateBy('outcome', checks), legend: '{{outcome}}' }],
          stacked: true,
        },
        {
          kind: 'lines',
          title: 'Duration of checks',
          description:
            'A check ends after 30 s at most. If p50 is several seconds, DNS servers do not answer, or their answers are lost.',
          unit: 's',
          queries: [
            { expr: quantileBy(0.5, '', checkDuration), legend: 'p50' },
            { expr: quantileBy(0.99, '', checkDuration), legend: 'p99' },
          ],
        },
        {
          kind: 'lines',
          title: 'DNS queries, by outcome',
          description:
            'If all are timeout, a firewall or network policy blocks port 53. If all are refused, a resolver of POSTRIDER_DNS does not serve these pods. Some timeout and lame are normal: servers of customers.',
          unit: 'ops',
          queries: [{ expr: rateBy('via, outcome', 'postrider_dns_queries_total'), legend: '{{via}} {{outcome}}' }],
          stacked: true,
        },
      ],
    },
    {
      title: 'Signatures',
      panels: [
        {
          kind: 'lines',
          title: 'Signatures, by algorithm and outcome',
          description:
            'failed: a key cannot be opened, or signing failed; the logs of the dispatchers have the reason. If the RSA key fails, the mail waits; if only the Ed25519 key fails, the mail leaves with the RSA signature.',
          unit: 'ops',
          queries: [
            {
              expr: rateBy('algorithm, outcome', 'postrider_mail_signatures_total'),
              legend: '{{algorithm}} {{outcome}}',
            },
          ],
        },
        {
          kind: 'lines',
          title: 'Time to sign a message',
          description:
            'An RSA signature takes about a millisecond, a long message more. If p99 rises for all, dispatchers have too little CPU; see the dashboard of the service.',
          unit: 's',
          queries: [0.5, 0.99].map((share) => ({
            expr: quantileBy(share, '', signingDuration),
            legend: `p${share * 100}`,
          })),
        },
        {
          kind: 'lines',
          title: 'Mail held, by cause',
          description:
            'Checks after which mail still waits. domain: it failed or was deleted, and its customer sees the reason. key, signature and store: docs/runbooks/PostriderMailHeldUnsigned.md.',
          unit: 'ops',
          queries: [{ expr: rateBy('cause', 'postrider_mail_held_total'), legend: '{{cause}}' }],
          stacked: true,
        },
      ],
    },
  ],
}
