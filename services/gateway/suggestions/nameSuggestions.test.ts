import assert from 'node:assert/strict'
import { ListEmails } from '@postrider/contracts/http/email.ts'
import { Page } from '@postrider/contracts/http/schema.ts'
import { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import { CreateTemplate } from '@postrider/contracts/http/template.ts'
import { unknownNameMessage, unknownParameterMessage } from './nameSuggestions.ts'

const send = Object.keys(SendEmail.out.shape)
const template = Object.keys(CreateTemplate.out.shape)
const attachment = ['filename', 'content', 'content_type', 'content_id']

describe('suggestion for an unknown field', () => {
  const table: [names: string, known: readonly string[], suggestion: string][] = [
    ['from From from_email fromEmail FromEmailAddress sender', send, 'did you mean from_?'],
    ['replyTo ReplyTo reply-to reply_to_list ReplyToAddresses', send, 'did you mean reply_to?'],
    ['To recipient recipients toAddresses destination', send, 'did you mean to?'],
    ['subjcet Subject title', send, 'did you mean subject?'],
    ['Html HTML html_body htmlBody HtmlBody HTMLPart htmlContent', send, 'did you mean html?'],
    ['Text text_body TextBody textContent plain', send, 'did you mean text?'],
    ['body content', send, 'did you mean text or html?'],
    ['template templateId TemplateID transactionalId', send, 'did you mean template_id?'],
    ['variables vars TemplateModel dynamic_template_data params merge_vars', send, 'did you mean template_vars?'],
    ['send_at sendAt scheduledAt deliver_at o:deliverytime', send, 'did you mean scheduled_at?'],
    ['custom_args CustomID v:order', send, 'did you mean metadata?'],
    ['Tag o:tag campaign_id', send, 'did you mean tags?'],
    ['h:X-Campaign', send, 'did you mean headers?'],
    ['attachment Attachments', send, 'did you mean attachments?'],
    ['html Html htmlBody', template, 'did you mean html_body?'],
    ['text', template, 'did you mean text_body?'],
    ['title', template, 'did you mean subject or name?'],
    ['name fileName', attachment, 'did you mean filename?'],
    ['type contentType mime_type', attachment, 'did you mean content_type?'],
    ['cid contentId', attachment, 'did you mean content_id?'],
    ['data file', attachment, 'did you mean content?'],
    ['domain Domain domain_name EmailIdentity hostname', ['name'], 'did you mean name?'],
    ['domain sending_domain', send, 'did you mean domain_id?'],
    ['constructor quite_another', send, `known names are ${send.join(', ')}.`],
  ]
  for (const [names, known, suggestion] of table) {
    for (const name of names.split(' ')) {
      it(`is, for ${name}: ${suggestion.slice(0, 40)}`, () => {
        assert.equal(unknownNameMessage(name, known), `This name is unknown; ${suggestion}`)
      })
    }
  }

  const advice: [names: string, known: readonly string[], text: RegExp][] = [
    ['personalizations', send, /Write the addresses into to, cc and bcc/],
    ['from_name fromName', send, /Write the name into from_: Name <user@example\.com>/],
    ['message', send, /Write its fields directly into the body/],
    ['messages Messages', send, /one message per request/],
    ['api_key key', send, /header Authorization: Bearer/],
    ['in_reply_to inReplyTo references priority', send, /as a header of `headers`/],
    ['track_opens TrackLinks tracking_settings', send, /not tracked/],
    ['idempotency_key idempotencyKey client_token', send, /as the header Idempotency-Key/],
    ['monthly daily rate', ['limits', 'suspended', 'note'], /Write it into limits/],
    ['plan', ['limits', 'suspended', 'note'], /is fixed; change its limits/],
    ['subdomains', ['name'], /switch them off with PATCH/],
    ['name', ['subdomains'], /cannot be renamed/],
    ['path url', attachment, /Files are not fetched/],
    ['disposition', attachment, /A file with a content_id is inline/],
    ['encoding', attachment, /content is always base64/],
  ]
  for (const [names, known, text] of advice) {
    for (const name of names.split(' ')) {
      it(`states what to do for ${name}`, () => assert.match(unknownNameMessage(name, known), text))
    }
  }
})

describe('suggestion for an unknown query parameter', () => {
  const emails = Object.keys(ListEmails.shape)
  const others = Object.keys(Page.shape)
  const table: [names: string, suggestion: RegExp][] = [
    [
      'page Page page_number offset skip p starting_after pageToken next_cursor',
      /did you mean cursor\? Pages have no num/,
    ],
    ['per_page pagesize page_size pageSize count size max max_results take top first', /did you mean limit\?$/],
    ['q query search', /did you mean subject or to\?$/],
    ['since from_date start_date created_gte', /did you mean created_after\?$/],
    ['until to_date end_date', /did you mean created_before\?$/],
    ['from sender', /did you mean from_\?$/],
    ['recipient email', /did you mean to\?$/],
    ['tags labels', /did you mean tag\?$/],
    ['state', /did you mean status\?$/],
    ['limt', /did you mean limit\?$/],
    ['createdAfter', /did you mean created_after\?$/],
    ['sort order_by order', /Lists are always newest first\.$/],
    ['nonsense', /known names are limit, cursor, status/],
  ]
  for (const [names, suggestion] of table) {
    for (const name of names.split(' ')) {
      it(`is, for ${name}: ${suggestion.source}`, () => assert.match(unknownParameterMessage(name, emails), suggestion))
    }
  }

  it('names only parameters that the list has', () => {
    assert.match(unknownParameterMessage('page', others), /did you mean cursor\?/)
    assert.match(unknownParameterMessage('q', others), /known names are limit, cursor\.$/)
  })
})
