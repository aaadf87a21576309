/** Fields of one provider: prefixes of names, and whole names. */
type ProviderFields = { prefixes: readonly string[]; names?: readonly string[]; source: string }

/**
 * The fields with which a message controls the provider or server that relays it: accounts, templates, tracking, routes,
 * copies, suppression and filters. An operator may relay through any of them, and such a field would use the operator's
 * account. The last rows are fields by which the receiver's programs filter, route, bounce or confirm.
 */
const providers: readonly ProviderFields[] = [
  { prefixes: ['x-smtpapi', 'x-sg-'], source: 'Twilio SendGrid, Building an X-SMTPAPI Header; X-SG-EID, X-SG-ID' },
  { prefixes: ['x-mc-'], source: 'Mailchimp Transactional, How to Use SMTP Headers to Customize Your Messages' },
  { prefixes: ['x-ses-'], source: 'Amazon SES Developer Guide, Specify your configuration set when you send email' },
  {
    prefixes: ['x-msys-', 'x-msfbl'],
    names: ['x-binding'],
    source: 'SparkPost, SMTP API; Momentum, binding by header',
  },
  { prefixes: ['x-pm-'], source: 'Postmark, Sending email with SMTP: X-PM-Message-Stream, X-PM-Tag' },
  { prefixes: ['x-mailgun-'], source: 'Mailgun, Sending with SMTP: X-Mailgun-Tag, X-Mailgun-Variables' },
  { prefixes: ['x-mj-'], source: 'Mailjet, Send API: equivalent SMTP headers' },
  { prefixes: ['x-sib-', 'x-mailin-'], source: 'Brevo, SMTP relay integration: SMTP parameters' },
  {
    prefixes: (
      'x-ms-exchange x-msexchange x-forefront- x-microsoft-antispam x-originatororg x-eop x-exchange-antispam- x-ms-journal- ' +
      'x-ms-gcc-journal- x-ms-office365- x-externalrecipientoutbound x-organizationheaders x-crosspremisesheaders'
    ).split(' '),
    source: 'Microsoft, Anti-spam message headers in Microsoft 365; Header firewall and journaling in Exchange Server',
  },
  { prefixes: ['x-gm-', 'x-google-'], source: 'Google Workspace, Add spam setting headers to default routing' },
  { prefixes: ['x-xs'], source: 'SocketLabs, Message and mailing identifiers, metadata and tags in SMTP headers' },
  {
    prefixes: ['x-apiheader', 'x-unsubscribe-'],
    names: ['x-tags', 'x-footer', 'x-clicktrack', 'x-opentrack'],
    source: 'Netcore Email API (Pepipost), SMTP headers',
  },
  { prefixes: ['x-mt-'], source: 'Mailtrap, Email API and SMTP: X-MT-Category, X-MT-Custom-Variables' },
  {
    prefixes: ['x-alidm-'],
    source: 'Alibaba Cloud Direct Mail, Control features with SMTP message header settings: X-AliDM-Settings, -Trace',
  },
  { prefixes: ['x-greenarrow-'], source: 'GreenArrow Engine, X-GreenArrow-MailClass, X-GreenArrow-MtaID' },
  {
    prefixes: ['x-virtual-mta', 'x-vmta', 'x-pmta-'],
    names: ['x-job', 'x-envid'],
    source: 'PowerMTA, process-x-virtual-mta, process-x-job, process-x-envid',
  },
  { prefixes: ['x-smtpeter-'], source: 'SMTPeter, SMTP headers' },
  { prefixes: ['x-tm-'], source: 'Zoho ZeptoMail, Email sending with SMTP: X-TM-FILE-KEY; Tipimail, SMTP headers' },
  { prefixes: ['x-ms-acsemail-'], source: 'Azure Communication Services, Adding reserved custom headers' },
  { prefixes: ['x-authuser'], source: 'MailChannels, Set up Exim: X-AuthUser; SpamExperts, Outgoing identity setup' },
  { prefixes: ['x-cmail-'], source: 'Campaign Monitor, Transactional email over SMTP' },
  { prefixes: ['x-cmp-'], source: 'Campaigner, SMTP relay identifiers reference for custom headers' },
  { prefixes: ['x-sm-'], source: 'Sendmachine, SMTP MIME headers' },
  {
    prefixes: ['x-rm-'],
    names: ['x-tracking', 'x-address'],
    source: 'ReachMail Easy-SMTP, Special header processing',
  },
  { prefixes: ['x-maileroo-'], source: 'Maileroo, SMTP relay: advanced message options' },
  { prefixes: ['x-smtpcorp-'], source: 'SMTP2GO, X-Smtpcorp-Track' },
  { prefixes: ['x-dkim-'], source: 'PowerMTA and ReachMail, x-dkim-options: the domain that signs' },
  { prefixes: ['x-emailit-'], source: 'Emailit, Headers and metadata: reserved names' },
  { prefixes: ['x-unione', 'x-unisender'], source: 'UniOne, SMTP API: X-UNIONE; Unisender Go: X-UNISENDER-GO' },
  { prefixes: ['x-lm-'], source: 'Lettermint, Send email with SMTP: X-LM-Tag, X-LM-Metadata-*' },
  { prefixes: [], names: ['x-sending-zone'], source: 'ZoneMTA, allowRoutingHeaders: X-Sending-Zone chooses the route' },
  { prefixes: [], names: ['x-amp'], source: 'Postal, message parser: X-AMP: skip switches tracking off' },
  { prefixes: ['x-clab-'], source: 'Contactlab SmartRelay, Special headers' },
  { prefixes: ['x-leadpush-'], source: 'Leadpush, Custom email headers: X-Leadpush-Tracking' },
  {
    prefixes: ['x-transactional-', 'x-auth-apikey'],
    source: 'EmailDelivery.com, Transactional SMTP relay: X-Transactional-Route, X-Auth-APIKey',
  },
  {
    prefixes: ['x-ignore-'],
    names: ['x-message-priority'],
    source: 'SmartSender and Wooxy, SMTP message tag: X-Ignore-Unsubscribe',
  },
  { prefixes: ['x-postx-'], source: 'Cisco Secure Email, Additional email headers: X-PostX-ExpirationDate' },
  {
    prefixes: (
      'sendgrid mandrill mailchimp amazonses aws- sparkpost postmark mailjet sendinblue brevo elasticemail mailersend ' +
      'mailerlite socketlabs smtp2go resend- zoho zeptomail scaleway scw- pepipost netcore mailtrap infobip mailchannels ' +
      'mailpace ohmysmtp lettermint postal- postfix- exim- kumo powermta sendcloud sailthru proofpoint- mimecast- ' +
      'smtpcom- ahasend dynectemail- ovh- mdaemon- turbosmtp sendpulse transmail sweego- plunk- sendlayer- messagebird- ' +
      'aliyun- tencent-'
    )
      .split(' ')
      .map((name) => `x-${name}`),
    source: 'Fields under the provider’s own name, which providers reserve for themselves',
  },
  {
    prefixes: (
      'x-spam- x-spamd- x-rspamd- x-ironport- x-barracuda- x-sophos- x-yandex- x-dspam- x-crm114- x-feas- x-tmase- ' +
      'x-spamexperts- x-hmailserver- x-smartermail-'
    ).split(' '),
    names: ['x-spam', 'x-bogosity', 'x-me-content'],
    source:
      'Results of spam filters, which a relay or a mailbox may trust: SpamAssassin, Rspamd, DSPAM, CRM114, Bogofilter, ' +
      'appliances, and the servers hMailServer, SmarterMail and MailEnable (X-ME-Content: Deliver-To=Junk)',
  },
  {
    prefixes: ['x-envelope-'],
    names:
      'x-failed-recipients x-original-to x-delivered-to x-rcpt-to x-confirm-reading-to x-errors-to x-return-path'.split(
        ' ',
      ),
    source:
      'Exim, Bounce messages; Sendmail, Errors-To; MDaemon, X-Return-Path; Fetchmail, the envelope option; Pegasus Mail, confirmation of reading',
  },
]

const prefixes = new RegExp(`^(?:${providers.flatMap((provider) => provider.prefixes).join('|')})`)
const names: ReadonlySet<string> = new Set(providers.flatMap((provider) => provider.names ?? []))

/** Returns a name as it is compared. Some servers read `_` as `-`. */
const folded = (name: string): string => name.toLowerCase().replaceAll('_', '-')

/** Whether a field with this name controls a mail provider. */
export const controlsProvider = (name: string): boolean => {
  const compared = folded(name)
  return prefixes.test(compared) || names.has(compared)
}

/** Whether the name begins with one of the prefixes. @param some as `readPrefix` returns them */
export const hasPrefix = (name: string, some: readonly string[]): boolean => {
  const compared = folded(name)
  return some.some((prefix) => compared.startsWith(prefix))
}

const prefixShape = /^[a-z0-9][a-z0-9-]{0,75}$/

/** Returns a prefix of header names as `hasPrefix` compares it; null: no name of a field begins with it. */
export const readPrefix = (text: string): string | null => {
  const prefix = folded(text)
  return prefixShape.test(prefix) ? prefix : null
}
