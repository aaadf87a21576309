const order = ['Item;Price', 'Kite;24.00', 'String;3.50', ''].join('\r\n')

/** The account, template and emails of the demo. */
export const receipt = {
  owner: { email: 'ada@kites.example', password: 'a kite needs wind and string', workspace_name: 'Kites & Co' },
  template: {
    name: 'receipt',
    subject: 'Your order {{order.number}}',
    html_body:
      '<p>Hello {{name}},</p><p>thank you. Your order comes to <b>{{order.total}}</b>.</p>' +
      '{{#if gift}}<p>We wrapped it.</p>{{/if}}',
    text_body: 'Hello {{name}},\n\nthank you. Your order comes to {{order.total}}.\n',
  },
  rawMail: {
    to: ['Grace <grace@receiver.example>'],
    subject: 'It works – ¡hola!',
    text: 'Hello Grace,\n\nthis came over HTTP and left over SMTP.\n',
  },
  templatedMail: (templateId: string) => ({
    to: ['linus@receiver.example'],
    template_id: templateId,
    template_vars: { name: 'Linus', order: { number: '2026-0042', total: '27.50 €' }, gift: true },
    attachments: [
      { filename: 'receipt.csv', content_type: 'text/csv', content: Buffer.from(order).toString('base64') },
    ],
    tags: { kind: 'receipt' },
  }),
}
