import { anyOf } from './repliesPattern.ts'

/** Words of our address. A hint to the sender, such as “if you are the sender”, is none. */
export const ourAddress = anyOf(
  /(?<!\b(?:you are|contact|notify|inform) the )\bsender(?!'s (?:administrator|postmaster|provider)| (?:should|must|can|may)\b)/,
  /\boriginat(?:or|ing)|mail from|\bauthor\b|\b(?:return|reverse)[- ]path/,
  /\b(?:from|return|reply|bounce) (?:email )?address|\byour (?:email |sending )?(?:address|domain|mailbox)\b/,
)

const ourAccount = anyOf(
  /\byour (?:email )?(?:account|address|mailbox|user|login)\b|\btenant\b|customer account|reseller/,
  /\bbill(?:ing)?\b|\btrial\b|\bupgrade your|\bsmtp (?:account|user)|\brelay (?:account|user)|\bapi user|\bapi\b/,
  /authenticate\b|authenticated|\b(?:auth|verp|srs)\b|\bpassword|\baccess for\b/,
)

const ourSending = anyOf(
  /\bsubmission\b|\bsending(?! (?:\w{1,8} )?to\b)|outbound|outgoing|for relay|(?:of|in) (?:this|our) relay\b/,
  /\babuse|(?:allow|white|access) ?list|\bdns (?:record|entry)|(?:connecting|remote) address/,
)

const otherAddress = anyOf(
  /envelope[- ]from|\bfrom (?:an )?unknown|\bpostmaster (?:address|mailbox|account)/,
  /(?<!please )verif|callback|callout|\bbatv\b|backscatter/,
)

const partOfMessage = /\bheaders?\b|message-id address|subject contains|from: (?:address|header|field)|reply-to/

/** Words of our account, our address and our message: with them, “disabled” or “unknown” does not mean a recipient. */
export const aboutUs = anyOf(ourAddress, ourAccount, ourSending, otherAddress, partOfMessage)
