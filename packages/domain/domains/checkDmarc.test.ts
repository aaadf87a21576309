import { appended, type CheckCase, contains, declareCases, mail, requiredAt } from './checkCases.conformance.ts'
import { changed, pending } from './zones.conformance.ts'

const dkim = 'prr1._domainkey.example.com'
const dkimTxt = `TXT ${dkim}`

const required = 'Set the DKIM record of example.com before you send.'
const strict = (effect: string, name = 'example.com', policyAt = 'example.com') =>
  `With the strict alignment adkim=s at _dmarc.${policyAt}, receivers ${effect} mail from subdomains of ${name}. Change adkim=s to adkim=r, or switch subdomains off.`
const dmarc = 'TXT _dmarc.example.com'
const dmarcCases: CheckCase[] = [
  {
    mistake: 'no policy',
    zone: changed({ [dmarc]: undefined }),
    record: 'dmarc',
    status: 'missing',
    problem:
      'example.com has no DMARC policy, and large receivers require one. Add the TXT record v=DMARC1; p=none at _dmarc.example.com.',
  },
  {
    mistake: 'two policies',
    zone: changed({ [dmarc]: ['v=DMARC1; p=none', 'v=DMARC1; p=reject'] }),
    record: 'dmarc',
    status: 'wrong',
    problem: 'There are 2 DMARC records at _dmarc.example.com; receivers then ignore all of them. Keep one.',
  },
  {
    mistake: 'no p=',
    zone: changed({ [dmarc]: ['v=DMARC1; rua=mailto:a@example.com'] }),
    record: 'dmarc',
    status: 'wrong',
    problem:
      'The DMARC record at _dmarc.example.com has no valid policy (p=none, p=quarantine or p=reject). Replace it with the value shown.',
  },
  {
    mistake: 'quotation marks',
    zone: changed({ [dmarc]: ['"v=DMARC1; p=none"'] }),
    record: 'dmarc',
    status: 'wrong',
    problem: contains('_dmarc.example.com', 'quotation marks'),
  },
  {
    mistake: 'the version in lower case',
    zone: changed({ [dmarc]: ['v=dmarc1; p=none'] }),
    record: 'dmarc',
    status: 'wrong',
    problem:
      'The DMARC record at _dmarc.example.com must start with v=DMARC1; and then p=. Replace it with the value shown.',
  },
  {
    mistake: 'the domain appended twice',
    zone: changed({ [dmarc]: undefined, 'TXT _dmarc.example.com.example.com': ['v=DMARC1; p=none'] }),
    record: 'dmarc',
    status: 'missing',
    problem: appended('_dmarc.example.com', '_dmarc.example.com.example.com', '_dmarc', 'example.com'),
  },
  {
    mistake: 'a policy that rejects unsigned mail',
    zone: changed({ [dmarc]: ['v=DMARC1; p=reject'], [dkimTxt]: undefined }),
    record: 'dmarc',
    status: 'wrong',
    problem: `With the policy p=reject at _dmarc.example.com, receivers reject mail that is not signed. ${required}`,
  },
  {
    mistake: 'a policy that rejects mail from subdomains',
    zone: changed({ [dmarc]: ['v=DMARC1; p=reject; adkim=s'] }),
    record: 'dmarc',
    status: 'wrong',
    problem: strict('reject'),
  },
  {
    mistake: 'a policy that quarantines mail from subdomains',
    zone: changed({ [dmarc]: ['v=DMARC1; p=none; sp=quarantine; adkim=s'] }),
    record: 'dmarc',
    status: 'wrong',
    problem: strict('quarantine'),
  },
  {
    // Regression: the problem contained the source text of a function of JavaScript.
    mistake: 'a policy for subdomains that does not exist',
    zone: changed({ [dmarc]: ['v=DMARC1; p=none; sp=constructor; adkim=s'] }),
    record: 'dmarc',
    status: 'found',
    problem: null,
  },
  {
    mistake: 'an inherited policy that rejects',
    domain: mail,
    zone: { ...requiredAt('mail.example.com'), [dmarc]: ['v=DMARC1; p=none; sp=reject; adkim=s'] },
    record: 'dmarc',
    status: 'wrong',
    problem: strict('reject', 'mail.example.com'),
  },
  {
    mistake: 'an inherited policy',
    domain: mail,
    zone: { ...requiredAt('mail.example.com'), [dmarc]: ['v=DMARC1; p=reject'] },
    record: 'dmarc',
    status: 'found',
    problem: null,
  },
  {
    mistake: 'a policy that rejects, with signed mail',
    zone: changed({ [dmarc]: ['v=DMARC1; p=reject; rua=mailto:a@example.com'] }),
    record: 'dmarc',
    status: 'found',
    problem: null,
  },
  {
    mistake: 'strict alignment without subdomains',
    domain: pending({ subdomains: false }),
    zone: changed({ [dmarc]: ['v=DMARC1; p=reject; adkim=s'] }),
    record: 'dmarc',
    status: 'found',
    problem: null,
  },
  {
    mistake: 'a CNAME to a policy',
    zone: changed({
      [dmarc]: undefined,
      'CNAME _dmarc.example.com': ['p.example.net'],
      'TXT p.example.net': ['v=DMARC1;p=none'],
    }),
    record: 'dmarc',
    status: 'found',
    problem: null,
  },
  {
    mistake: 'another text next to it',
    zone: changed({ [dmarc]: ['v=spf1 -all', 'v=DMARC1; p=none'] }),
    record: 'dmarc',
    status: 'found',
    problem: null,
  },
]

declareCases('DMARC policy of a domain', dmarcCases)
