/** Fields of one provider: prefixes of names, whole names, and parts of names. */
type ProviderFields = {
  prefixes: readonly string[]
  names?: readonly string[]
  parts?: readonly string[]
  source: string
}

/**
 * The fields with which a message controls the provider or server that relays it: accounts, templates, tracking,
 * routes, copies, suppression and filters. An operator may relay through any of them, and such a field would use the
 * operator's account. The last rows are fields by which the receiver's programs filter, route, bounce or confirm.
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
    names: ['x-ld-processed'],
    source:
      'Microsoft, Anti-spam message headers in Microsoft 365; Header firewall and journaling in Exchange Server; loop ' +
      'detection: X-LD-Processed',
  },
  { prefixes: ['x-gm-', 'x-google-'], source: 'Google Workspace, Add spam setting headers to default routing' },
  { prefixes: ['x-xs'], source: 'SocketLabs, Message and mailing identifiers, metadata and tags in SMTP headers' },
  {
    prefixes: ['x-apiheader', 'x-unsubscribe-', 'x-transmail'],
    names: ['x-tags', 'x-footer', 'x-clicktrack', 'x-opentrack'],
    source: 'Netcore Email API (Pepipost), SMTP headers; its mail has X-TransMail',
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
  {
    prefixes: ['x-smtpeter-', 'x-mq-'],
    source: 'SMTPeter, SMTP headers; MailerQ, MIME headers: x-mq-ip, x-mq-smarthost-hostname, x-mq-envelope',
  },
  { prefixes: ['x-tm-'], source: 'Zoho ZeptoMail, Email sending with SMTP: X-TM-FILE-KEY; Tipimail, SMTP headers' },
  { prefixes: ['x-ms-acsemail-'], source: 'Azure Communication Services, Adding reserved custom headers' },
  {
    prefixes: ['x-authuser', 'x-auth-user', 'x-authenticated-', 'x-smartermail-'],
    names: ['x-auth'],
    source:
      'MailChannels, Set up Exim: X-AuthUser; SpamExperts, Outbound spam monitoring: the account in X-AuthUser, in X-Auth of ' +
      'qmail, in X-SmarterMail-Auth of SmarterMail',
  },
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
  {
    prefixes: ['x-kumo'],
    names: ['x-tenant', 'x-schedule'],
    source:
      'KumoMTA, Configuring queue management: X-Tenant chooses the queue, X-Schedule the time; trace headers: X-KumoRef',
  },
  { prefixes: ['x-unosend-'], source: 'Unosend, SMTP: X-Unosend-Track-Opens' },
  { prefixes: ['x-tencent'], source: 'Tencent Cloud SES, Email event notification: X-Tencentcloudses-Cb-*' },
  { prefixes: ['x-plunk-'], source: 'Plunk, email service: X-Plunk-Recipient-Override replaces the recipient' },
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
      'mailpace ohmysmtp lettermint postal- postfix- exim- haraka- mailerq powermta sendcloud sailthru proofpoint- mimecast- ' +
      'smtpcom- ahasend dynectemail- ovh- mdaemon- turbosmtp sendpulse sweego- sendlayer- messagebird- aliyun-'
    )
      .split(' ')
      .map((name) => `x-${name}`),
    source: 'Fields under the provider’s own name, which providers reserve for themselves',
  },
  {
    prefixes: 'x-ironport- x-barracuda- x-sophos- x-yandex- x-crm114- x-feas- x-tmase- x-hmailserver- x-amavis-'.split(
      ' ',
    ),
    names: 'x-bogosity x-me-content x-mailscanner x-scanned-by x-filtered-by x-scanner'.split(' '),
    parts: ['spam', 'virus'],
    source:
      'Results of filters, which a relay or a mailbox may trust. Bogofilter, MIMEDefang and others: headers that the Bayes ' +
      'plugin of SpamAssassin ignores; DSPAM: Sieve scripts on X-DSPAM-Result; CRM114: its recipe for procmail on ' +
      'X-CRM114-Status; FortiMail CLI Reference: X-FEAS-DEEPHEADER; hMailServer, anti-spam settings: X-hMailServer-Spam; ' +
      'MailEnable, Postoffice: X-ME-Content: Deliver-To=Junk; Trend Micro: X-TMASE-Result. Many vendors have “spam” in the ' +
      'name: X-IMAIL-SPAM-DNSBL, X-ME-Spam, X-VStream-Spam-Level',
  },
  {
    prefixes: ['x-authentication-', 'x-received', 'x-arc-'],
    source: 'Results of authentication: programs read X-Authentication-Results where Authentication-Results is missing',
  },
  {
    prefixes: ['x-envelope-'],
    names:
      'x-failed-recipients x-original-to x-delivered-to x-deliver-to x-rcpt-to x-confirm-reading-to x-errors-to x-return-path x-approved x-approve'.split(
        ' ',
      ),
    source:
      'Exim, Bounce messages; Sendmail, Errors-To; MDaemon, X-Return-Path; Fetchmail, the envelope option; MercuryD, ' +
      'Checking special headers: X-Deliver-To; Pegasus Mail, confirmation of reading; GNU Mailman, pre-approved postings: the password of the moderator in X-Approved or X-Approve',
  },
]

const prefixes = new RegExp(`^(?:${providers.flatMap((provider) => provider.prefixes).join('|')})`)
const names: ReadonlySet<string> = new Set(providers.flatMap((provider) => provider.names ?? []))
const parts = new RegExp(providers.flatMap((provider) => provider.parts ?? []).join('|'))

/** Returns a name as it is compared. Some servers read `_` as `-`. */
const folded = (name: string): string => name.toLowerCase().replaceAll('_', '-')

/** Returns whether a field with this name controls a mail provider. */
export const controlsProvider = (name: string): boolean => {
  const compared = folded(name)
  return prefixes.test(compared) || names.has(compared) || parts.test(compared)
}

/** Returns whether the name begins with one of the prefixes. @param prefixes as `readPrefix` returns them */
export const hasPrefix = (name: string, prefixes: readonly string[]): boolean => {
  const compared = folded(name)
  return prefixes.some((prefix) => compared.startsWith(prefix))
}

const prefixShape = /^[a-z0-9][a-z0-9-]{0,75}$/

/** Returns a prefix of header names as `hasPrefix` compares it; null: no name of a field begins with it. */
export const readPrefix = (text: string): string | null => {
  const prefix = folded(text)
  return prefixShape.test(prefix) ? prefix : null
}
