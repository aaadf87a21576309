import { appended, type CheckCase, contains, declareCases, mail, requiredAt } from './checkCases.conformance.ts'
import { changed, ownershipRecord, token } from './zones.conformance.ts'

const own = '_postrider.example.com'
const ownTxt = `TXT ${own}`

const ownershipCases: CheckCase[] = [
  {
    mistake: 'no record',
    zone: changed({ [ownTxt]: undefined }),
    record: 'ownership',
    status: 'missing',
    problem: `There is no TXT record at ${own}. Add the record shown.`,
  },
  {
    mistake: 'a domain that does not exist',
    zone: {},
    record: 'ownership',
    status: 'missing',
    problem: 'The domain example.com does not exist in DNS. Check its spelling, and that it is registered.',
  },
  {
    mistake: 'the domain appended twice',
    zone: changed({ [ownTxt]: undefined, [`${ownTxt}.example.com`]: [ownershipRecord] }),
    record: 'ownership',
    status: 'missing',
    problem: appended(own, `${own}.example.com`, '_postrider', 'example.com'),
  },
  {
    mistake: 'the zone appended to the name of a subdomain',
    domain: mail,
    zone: { 'TXT _postrider.mail.example.com.example.com': [ownershipRecord] },
    record: 'ownership',
    status: 'missing',
    problem: appended(
      '_postrider.mail.example.com',
      '_postrider.mail.example.com.example.com',
      '_postrider.mail',
      'example.com',
    ),
  },
  {
    mistake: 'the record of a subdomain at the domain above',
    domain: mail,
    zone: requiredAt('example.com'),
    record: 'ownership',
    status: 'missing',
    problem:
      'The record is at _postrider.example.com instead of _postrider.mail.example.com. The name lacks a part. If your DNS panel appends example.com by itself, enter _postrider.mail as the name.',
  },
  {
    mistake: 'a name without its underscore',
    zone: changed({ [ownTxt]: undefined, 'TXT postrider.example.com': [ownershipRecord] }),
    record: 'ownership',
    status: 'missing',
    problem: `The record is at postrider.example.com instead of ${own}. The name is wrong. Move it to ${own}.`,
  },
  {
    mistake: 'the record at the domain itself',
    zone: changed({ [ownTxt]: undefined, 'TXT example.com': ['v=spf1 -all', ownershipRecord] }),
    record: 'ownership',
    status: 'missing',
    problem: `The record is at example.com instead of ${own}. The name is wrong. Move it to ${own}.`,
  },
  {
    mistake: 'quotation marks in the value',
    zone: changed({ [ownTxt]: [`"${ownershipRecord}"`] }),
    record: 'ownership',
    status: 'wrong',
    problem: contains(own, 'quotation marks'),
  },
  {
    mistake: 'a space in the value',
    zone: changed({ [ownTxt]: [ownershipRecord.replace('=', ' = ')] }),
    record: 'ownership',
    status: 'wrong',
    problem: contains(own, 'spaces'),
  },
  {
    mistake: 'curly quotation marks and HTML codes',
    zone: changed({ [ownTxt]: [`“${ownershipRecord.replace('=', '&equals;')}”`] }),
    record: 'ownership',
    status: 'wrong',
    problem: contains(own, 'HTML codes such as &quot;, curly quotation marks').replace(', curly', ' and curly'),
  },
  {
    mistake: 'the name in front of the value',
    zone: changed({ [ownTxt]: [`${own}. IN TXT ${ownershipRecord}`] }),
    record: 'ownership',
    status: 'wrong',
    problem: contains(own, 'the name or type of the record', 'it'),
  },
  {
    mistake: 'only the token',
    zone: changed({ [ownTxt]: [token] }),
    record: 'ownership',
    status: 'wrong',
    problem: `The value at ${own} lacks its start postrider-verification=. Enter the whole value shown.`,
  },
  {
    mistake: 'a part of the token',
    zone: changed({ [ownTxt]: [ownershipRecord.slice(0, -3)] }),
    record: 'ownership',
    status: 'wrong',
    problem: `The value at ${own} is cut off. Enter the whole value shown.`,
  },
  {
    mistake: 'the token of another workspace',
    zone: changed({ [ownTxt]: ['postrider-verification=other'] }),
    record: 'ownership',
    status: 'wrong',
    problem: `The value at ${own} is the token of another workspace, or of a domain that was deleted. Add a TXT record with the value shown.`,
  },
  {
    mistake: 'another text',
    zone: changed({ [ownTxt]: ['google-site-verification=1'] }),
    record: 'ownership',
    status: 'wrong',
    problem: `The TXT record at ${own} has other content. Add a TXT record with the value shown.`,
  },
  {
    mistake: 'a CNAME next to the TXT record',
    zone: changed({ 'CNAME _postrider.example.com': ['parked.example.net'] }),
    record: 'ownership',
    status: 'wrong',
    problem: `There is a CNAME to parked.example.net at ${own} next to the TXT record; a name with a CNAME must have no other record. Delete the CNAME.`,
  },
  {
    mistake: 'a CNAME to nowhere',
    zone: changed({ [ownTxt]: undefined, 'CNAME _postrider.example.com': ['parked.example.net'] }),
    record: 'ownership',
    status: 'missing',
    problem: `There is a CNAME at ${own} to parked.example.net, where no TXT record is. Delete the CNAME, and add the TXT record shown.`,
  },
  {
    mistake: 'a loop of CNAMEs',
    zone: changed({ [ownTxt]: undefined, 'CNAME _postrider.example.com': ['_postrider.example.com'] }),
    record: 'ownership',
    status: 'unknown',
    problem: `The DNS servers for ${own} have a chain of CNAMEs that is a loop or too long, so the record could not be checked; it is checked again soon. Delete the CNAME, and add the record shown.`,
  },
  {
    mistake: 'a wildcard',
    zone: changed({ [ownTxt]: undefined, 'TXT *.example.com': ['v=spf1 -all'] }),
    record: 'ownership',
    status: 'missing',
    problem: `There is no record at ${own} itself: the answer comes from a wildcard record. Add the TXT record shown; it takes precedence over the wildcard.`,
  },
  {
    mistake: 'servers that fail',
    zone: changed({ [ownTxt]: '!servfail' }),
    record: 'ownership',
    status: 'unknown',
    problem: `The DNS servers for ${own} answered SERVFAIL, so the record could not be checked; it is checked again soon.`,
  },
  {
    mistake: 'lame servers',
    zone: changed({ [ownTxt]: '!lame' }),
    record: 'ownership',
    status: 'unknown',
    problem: `The DNS servers for ${own} do not answer for this domain, so the record could not be checked; it is checked again soon. Compare the name servers that your registrar lists with those of your DNS provider.`,
  },
]

const ownershipGood: CheckCase[] = [
  {
    mistake: 'upper case',
    zone: changed({ [ownTxt]: [ownershipRecord.toUpperCase()] }),
    record: 'ownership',
    status: 'found',
    problem: null,
  },
  {
    mistake: 'several TXT records',
    zone: changed({ [ownTxt]: ['other', 'postrider-verification=other', ownershipRecord] }),
    record: 'ownership',
    status: 'found',
    problem: null,
  },
  {
    mistake: 'split strings',
    zone: changed({ [ownTxt]: [[ownershipRecord.slice(0, 9), ownershipRecord.slice(9)]] }),
    record: 'ownership',
    status: 'found',
    problem: null,
  },
  {
    mistake: 'a CNAME to the record',
    zone: changed({
      [ownTxt]: undefined,
      'CNAME _postrider.example.com': ['own.example.net'],
      'TXT own.example.net': [ownershipRecord],
    }),
    record: 'ownership',
    status: 'found',
    problem: null,
  },
  {
    mistake: 'a wildcard with the value',
    zone: changed({ [ownTxt]: undefined, 'TXT *.example.com': [ownershipRecord] }),
    record: 'ownership',
    status: 'found',
    problem: null,
  },
]

declareCases('ownership record of a domain', [...ownershipCases, ...ownershipGood])
