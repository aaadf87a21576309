import { appended, type CheckCase, contains, declareCases } from './checkCases.conformance.ts'
import { changed } from './zones.conformance.ts'

const spfName = 'bounces.example.com'
const spfTxt = `TXT ${spfName}`
const spf = 'v=spf1 include:bounces.postrider.example ~all'

const returnPathCases: CheckCase[] = [
  {
    mistake: 'no MX record',
    zone: changed({ [`MX ${spfName}`]: undefined }),
    record: 'return_path_mx',
    status: 'missing',
    problem: `There is no MX record at ${spfName}. Add the record shown.`,
  },
  {
    mistake: 'the domain appended twice',
    zone: changed({ [`MX ${spfName}`]: undefined, [`MX ${spfName}.example.com`]: ['10 bounces.postrider.example'] }),
    record: 'return_path_mx',
    status: 'missing',
    problem: appended(spfName, `${spfName}.example.com`, 'bounces', 'example.com'),
  },
  {
    mistake: 'another mail server',
    zone: changed({ [`MX ${spfName}`]: ['10 mx.example.net'] }),
    record: 'return_path_mx',
    status: 'wrong',
    problem: `The MX record of ${spfName} points to another mail server. Replace it with bounces.postrider.example.`,
  },
  {
    mistake: 'a mail server with the domain appended',
    zone: changed({ [`MX ${spfName}`]: ['10 bounces.postrider.example.example.com'] }),
    record: 'return_path_mx',
    status: 'wrong',
    problem: `Your DNS panel appended a domain to the mail server of ${spfName}. Enter bounces.postrider.example. with the dot at its end.`,
  },
  {
    mistake: 'a second mail server',
    zone: changed({ [`MX ${spfName}`]: ['10 bounces.postrider.example', '20 mx.example.net'] }),
    record: 'return_path_mx',
    status: 'wrong',
    problem: `There are other MX records at ${spfName}, so bounces may go elsewhere. Keep only bounces.postrider.example.`,
  },
  {
    mistake: 'no SPF record',
    zone: changed({ [spfTxt]: undefined }),
    record: 'return_path_spf',
    status: 'missing',
    problem: `There is no SPF record at ${spfName}. Add the record shown.`,
  },
  {
    mistake: 'the SPF record at the domain itself',
    zone: changed({ [spfTxt]: undefined, 'TXT example.com': [spf] }),
    record: 'return_path_spf',
    status: 'missing',
    problem: `The record is at example.com instead of ${spfName}. The name is wrong. Move it to ${spfName}.`,
  },
  {
    mistake: 'two SPF records',
    zone: changed({ [spfTxt]: [spf, 'v=spf1 -all'] }),
    record: 'return_path_spf',
    status: 'wrong',
    problem: `There are 2 SPF records at ${spfName}; receivers then reject all of them. Keep one: ${spf}`,
  },
  {
    mistake: 'quotation marks',
    zone: changed({ [spfTxt]: [`"${spf}"`] }),
    record: 'return_path_spf',
    status: 'wrong',
    problem: contains(spfName, 'quotation marks'),
  },
  {
    mistake: 'no include',
    zone: changed({ [spfTxt]: ['v=spf1 mx ~all'] }),
    record: 'return_path_spf',
    status: 'wrong',
    problem: `The SPF record at ${spfName} lacks include:bounces.postrider.example. Replace it with: ${spf}`,
  },
  {
    mistake: 'an include with a minus',
    zone: changed({ [spfTxt]: ['v=spf1 -include:bounces.postrider.example ~all'] }),
    record: 'return_path_spf',
    status: 'wrong',
    problem: `The SPF record at ${spfName} lacks include:bounces.postrider.example. Replace it with: ${spf}`,
  },
  {
    mistake: 'all before the include',
    zone: changed({ [spfTxt]: ['v=spf1 ~all include:bounces.postrider.example'] }),
    record: 'return_path_spf',
    status: 'wrong',
    problem: `The SPF record at ${spfName} ends at “all”, before bounces.postrider.example. Replace it with: ${spf}`,
  },
  {
    mistake: 'an unknown mechanism',
    zone: changed({ [spfTxt]: ['v=spf1 includes:bounces.postrider.example ~all'] }),
    record: 'return_path_spf',
    status: 'wrong',
    problem: `The SPF record at ${spfName} has the part “includes:bounces.postrider.example”, which SPF does not have. Replace it with: ${spf}`,
  },
  {
    mistake: '11 lookups of its own',
    zone: changed({
      [spfTxt]: [
        `v=spf1 ${Array.from({ length: 10 }, (_, i) => `a:h${i}.example.net`).join(' ')} include:bounces.postrider.example ~all`,
      ],
    }),
    record: 'return_path_spf',
    status: 'wrong',
    problem: `The SPF record at ${spfName} needs more than 10 DNS lookups, so receivers reject it. Replace it with: ${spf}`,
  },
  {
    mistake: '11 lookups in includes and redirects',
    zone: changed({
      [spfTxt]: ['v=spf1 include:bounces.postrider.example include:a.example.net ~all'],
      'TXT a.example.net': ['v=spf1 mx a include:b.example.net'],
      'TXT b.example.net': ['v=spf1 exists:%{i}.example.net ptr mx redirect=c.example.net'],
      'TXT c.example.net': ['v=spf1 a mx -all'],
    }),
    record: 'return_path_spf',
    status: 'wrong',
    problem: `The SPF record at ${spfName} needs more than 10 DNS lookups, so receivers reject it. Replace it with: ${spf}`,
  },
  {
    mistake: 'an include of itself',
    zone: changed({ [spfTxt]: [`v=spf1 include:bounces.postrider.example include:${spfName} ~all`] }),
    record: 'return_path_spf',
    status: 'wrong',
    problem: `The SPF record at ${spfName} needs more than 10 DNS lookups, so receivers reject it. Replace it with: ${spf}`,
  },
  {
    mistake: 'an include that does not answer',
    zone: changed({
      [spfTxt]: ['v=spf1 include:bounces.postrider.example include:a.example.net ~all'],
      'TXT a.example.net': '!servfail',
    }),
    record: 'return_path_spf',
    status: 'unknown',
    problem:
      'The DNS servers for a.example.net answered SERVFAIL, so the record could not be checked; it is checked again soon.',
  },
  {
    mistake: 'other senders within the limit',
    zone: changed({
      [spfTxt]: ['V=SPF1 ip4:192.0.2.0/24 a/24 +include:BOUNCES.postrider.example. include:a.example.net -all'],
      'TXT a.example.net': ['other', 'v=spf1 mx -all'],
    }),
    record: 'return_path_spf',
    status: 'found',
    problem: null,
  },
]

declareCases('return path of a domain', returnPathCases)
