import { closestMatch } from 'leven'

/** Maximum number of edits between a typo and the intended name. */
const maxEdits = 2
/** Longer names are not typos of ours; the bound limits the work. */
const maxNameLength = 40

/** Ignores case and separators, so that `replyTo` matches `reply_to`. */
const normalized = (name: string): string => name.toLowerCase().replaceAll(/[_\- ]/g, '')

const nearestName = (unknown: string, known: readonly string[]): string | null => {
  if (unknown.length > maxNameLength) return null
  const bare = normalized(unknown)
  const byBareName = new Map(known.map((name) => [normalized(name), name]))
  const maxDistance = Math.min(maxEdits, Math.floor(bare.length / 2))
  const nearest = closestMatch(bare, [...byBareName.keys()], { maxDistance })
  return nearest === undefined ? null : (byBareName.get(nearest) ?? null)
}

/**
 * Names of other services, and frequent first guesses, with our names for them, best first. Only names that the object
 * has are suggested. The services are SendGrid, Mailgun, Postmark, Amazon SES, Resend, Brevo, SparkPost, Mandrill,
 * Mailjet, MailerSend, Loops and the library Nodemailer.
 */
const fieldSynonyms: Readonly<Record<string, readonly string[]>> = {
  alias: ['name'],
  attachment: ['attachments'],
  base64: ['content'],
  base64content: ['content'],
  bccaddresses: ['bcc'],
  body: ['text', 'html', 'text_body', 'html_body'],
  campaign: ['tags'],
  campaignid: ['tags'],
  categories: ['tags', 'category'],
  ccaddresses: ['cc'],
  charset: ['content_type'],
  cid: ['content_id'],
  company: ['workspace_name'],
  content: ['text', 'html', 'text_body', 'html_body'],
  contents: ['text', 'html'],
  contextvariables: ['template_vars'],
  customargs: ['metadata'],
  customid: ['metadata'],
  data: ['content', 'template_vars'],
  datavariables: ['template_vars'],
  deliverat: ['scheduled_at'],
  deliverytime: ['scheduled_at'],
  destination: ['to'],
  domain: ['domains', 'domain_id', 'name'],
  domainname: ['name'],
  dynamictemplatedata: ['template_vars'],
  emailidentity: ['name'],
  emailtags: ['tags'],
  eventpayload: ['metadata'],
  expires: ['expires_in', 'expires_at'],
  expiry: ['expires_in', 'expires_at'],
  file: ['content'],
  from: ['from_'],
  fromaddress: ['from_'],
  fromemail: ['from_'],
  fromemailaddress: ['from_'],
  globalmergevars: ['template_vars'],
  hostname: ['name'],
  html: ['html', 'html_body'],
  htmlbody: ['html', 'html_body'],
  htmlcontent: ['html', 'html_body'],
  htmlpart: ['html', 'html_body'],
  id: ['template_id'],
  ipallowlist: ['networks'],
  ips: ['networks'],
  mail: ['to', 'email'],
  mailto: ['to'],
  mergevars: ['template_vars'],
  mimetype: ['content_type'],
  name: ['name', 'filename', 'workspace_name'],
  organization: ['workspace_name'],
  params: ['template_vars'],
  parameters: ['template_vars'],
  permissions: ['scopes'],
  plain: ['text', 'text_body'],
  plaintext: ['text', 'text_body'],
  recipient: ['to'],
  recipients: ['recipients', 'to'],
  replyto: ['reply_to'],
  replytoaddresses: ['reply_to'],
  replytolist: ['reply_to'],
  roles: ['scopes'],
  schedule: ['scheduled_at'],
  scheduledfor: ['scheduled_at'],
  sendafter: ['scheduled_at'],
  sendat: ['scheduled_at'],
  sendingdomain: ['name', 'domain_id'],
  sender: ['from_'],
  senderemail: ['from_'],
  sendtime: ['scheduled_at'],
  source: ['from_'],
  substitutiondata: ['template_vars'],
  substitutions: ['template_vars'],
  tag: ['tags'],
  template: ['template_id'],
  templatedata: ['template_vars'],
  templatemodel: ['template_vars'],
  templatename: ['template_id', 'name'],
  text: ['text', 'text_body'],
  textbody: ['text', 'text_body'],
  textcontent: ['text', 'text_body'],
  textpart: ['text', 'text_body'],
  title: ['subject', 'name'],
  toaddresses: ['to'],
  toemail: ['to'],
  transactionalid: ['template_id'],
  ttl: ['expires_in'],
  type: ['content_type'],
  username: ['email'],
  variables: ['template_vars'],
  vars: ['template_vars'],
  workspace: ['workspace_name'],
}

/** Names that other services use for query parameters of lists, with ours. */
const parameterSynonyms: Readonly<Record<string, readonly string[]>> = {
  after: ['cursor', 'created_after'],
  before: ['cursor', 'created_before'],
  begin: ['created_after'],
  continuation: ['cursor'],
  continuationtoken: ['cursor'],
  count: ['limit'],
  createdgt: ['created_after'],
  createdgte: ['created_after'],
  createdlt: ['created_before'],
  createdlte: ['created_before'],
  datefrom: ['created_after'],
  dateto: ['created_before'],
  email: ['to'],
  end: ['created_before'],
  enddate: ['created_before'],
  endingbefore: ['cursor'],
  first: ['limit'],
  from: ['from_'],
  fromdate: ['created_after'],
  fromemail: ['from_'],
  items: ['limit'],
  labels: ['tag'],
  lastid: ['cursor'],
  max: ['limit'],
  maxresults: ['limit'],
  next: ['cursor'],
  nextcursor: ['cursor'],
  nexttoken: ['cursor'],
  num: ['limit'],
  offset: ['cursor'],
  p: ['cursor'],
  page: ['cursor'],
  pageno: ['cursor'],
  pagenumber: ['cursor'],
  pagesize: ['limit'],
  pagetoken: ['cursor'],
  perpage: ['limit'],
  q: ['subject', 'to'],
  query: ['subject', 'to'],
  recipient: ['to'],
  results: ['limit'],
  search: ['subject', 'to'],
  sender: ['from_'],
  since: ['created_after'],
  size: ['limit'],
  skip: ['cursor'],
  start: ['cursor', 'created_after'],
  startdate: ['created_after'],
  startingafter: ['cursor'],
  state: ['status'],
  tags: ['tag'],
  take: ['limit'],
  template: ['template_id'],
  todate: ['created_before'],
  token: ['cursor'],
  top: ['limit'],
  type: ['category'],
  until: ['created_before'],
}

const nested = 'Write its fields directly into the body.'
const asHeader = 'Send it as a header of `headers`.'
const notTracked = 'Opens and clicks are not tracked; leave it out.'
const inLimits = 'Write it into limits: {"limits":{"monthly":100000,"daily":null}}.'
const repeatKey = 'Send it as the header Idempotency-Key.'
const keyInHeader = 'The API key belongs in the header Authorization: Bearer.'

/** Names for which we have no field, with what to do instead. Used if the object has the field in `of`. */
const advice: Readonly<Record<string, { of: string; text: string }>> = {
  apikey: { of: 'to', text: keyInHeader },
  async: { of: 'to', text: 'Mail is always sent after the response; leave it out.' },
  burst: { of: 'limits', text: inLimits },
  clicktracking: { of: 'to', text: notTracked },
  clienttoken: { of: 'to', text: repeatKey },
  daily: { of: 'limits', text: inLimits },
  disposition: { of: 'content_id', text: 'A file with a content_id is inline, every other one is attached.' },
  email: { of: 'to', text: nested },
  encoding: { of: 'content_id', text: 'content is always base64; leave it out.' },
  fromname: { of: 'from_', text: 'Write the name into from_: Name <user@example.com>.' },
  idempotencykey: { of: 'to', text: repeatKey },
  idempotencytoken: { of: 'to', text: repeatKey },
  importance: { of: 'headers', text: asHeader },
  inreplyto: { of: 'headers', text: asHeader },
  key: { of: 'to', text: keyInHeader },
  message: { of: 'to', text: nested },
  messages: { of: 'to', text: 'Send one message per request, its fields directly in the body.' },
  monthly: { of: 'limits', text: inLimits },
  name: { of: 'subdomains', text: 'A domain cannot be renamed; add another one and delete this one.' },
  path: { of: 'content_id', text: 'Files are not fetched; send the bytes as base64 in content.' },
  personalizations: { of: 'to', text: 'Write the addresses into to, cc and bcc; send one request per message.' },
  plan: { of: 'limits', text: 'The plan of a workspace is fixed; change its limits.' },
  priority: { of: 'headers', text: asHeader },
  quota: { of: 'limits', text: inLimits },
  rate: { of: 'limits', text: inLimits },
  react: { of: 'html', text: 'Render it to HTML first and send the result as html.' },
  references: { of: 'headers', text: asHeader },
  replytoname: { of: 'reply_to', text: 'Write the name into reply_to: Name <user@example.com>.' },
  sendername: { of: 'from_', text: 'Write the name into from_: Name <user@example.com>.' },
  subdomains: { of: 'name', text: 'A new domain has its subdomains; switch them off with PATCH /api/v1/domains/{id}.' },
  toname: { of: 'to', text: 'Write the name into the entry of to: Name <user@example.com>.' },
  trackclicks: { of: 'to', text: notTracked },
  tracking: { of: 'to', text: notTracked },
  trackingsettings: { of: 'to', text: notTracked },
  tracklinks: { of: 'to', text: notTracked },
  trackopens: { of: 'to', text: notTracked },
  url: { of: 'content_id', text: 'Files are not fetched; send the bytes as base64 in content.' },
}

/** Names of query parameters for which we have none. */
const parameterAdvice: Readonly<Record<string, string>> = {
  ascending: 'Lists are always newest first.',
  desc: 'Lists are always newest first.',
  direction: 'Lists are always newest first.',
  order: 'Lists are always newest first.',
  orderby: 'Lists are always newest first.',
  sort: 'Lists are always newest first.',
  sortby: 'Lists are always newest first.',
}

const pagesSuggestion = ' Pages have no numbers: send next_cursor of the previous page as cursor.'

type Synonyms = Readonly<Record<string, readonly string[]>>

const own = <Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** Spelling may be right by chance, as `page` for `tag`, so use comes first. */
const intended = (unknown: string, known: readonly string[], synonyms: Synonyms): readonly string[] => {
  const same = known.find((name) => normalized(name) === normalized(unknown))
  if (same !== undefined) return [same]
  const byUse = (own(synonyms, normalized(unknown)) ?? []).filter((name) => known.includes(name))
  if (byUse.length > 0) return byUse.slice(0, 2)
  const nearest = nearestName(unknown, known)
  return nearest === null ? [] : [nearest]
}

const suggestion = (names: readonly string[], known: readonly string[]): string =>
  names.length === 0
    ? `This name is unknown; known names are ${known.join(', ')}.`
    : `This name is unknown; did you mean ${names.join(' or ')}?`

/** Mailgun's options: `o:tag`, `h:Reply-To`, `v:my-var`. */
const mailgun: readonly [start: RegExp, of: string][] = [
  [/^h:/i, 'headers'],
  [/^v:/i, 'metadata'],
  [/^t:variables$/i, 'template_vars'],
  [/^o:deliverytime$/i, 'scheduled_at'],
  [/^o:tag$/i, 'tags'],
]

/**
 * Returns the message for an unknown field, with the name that was probably intended, what to do, or all known names.
 */
export const unknownNameMessage = (unknown: string, known: readonly string[]): string => {
  const option = mailgun.find(([start, of]) => start.test(unknown) && known.includes(of))
  if (option) return suggestion([option[1]], known)
  const advised = own(advice, normalized(unknown))
  if (known.length === 0) return 'This name is unknown; this operation has no fields.'
  if (advised && known.includes(advised.of) && !known.includes(unknown)) return `This name is unknown. ${advised.text}`
  return suggestion(intended(unknown, known, fieldSynonyms), known)
}

/** Returns the message for an unknown query parameter. */
export const unknownParameterMessage = (unknown: string, known: readonly string[]): string => {
  const advised = own(parameterAdvice, normalized(unknown))
  if (advised !== undefined) return `This name is unknown. ${advised}`
  if (known.length === 0) return 'This name is unknown; this operation has no query parameters.'
  const names = intended(unknown, known, parameterSynonyms)
  return names[0] === 'cursor' ? suggestion(names, known) + pagesSuggestion : suggestion(names, known)
}
