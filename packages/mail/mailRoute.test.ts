import assert from 'node:assert/strict'
import { type MailRoute, parseMailRoute } from './mailRoute.ts'

const smtp = (host: string, port: number, change: Partial<Extract<MailRoute, { kind: 'smtp' }>> = {}): MailRoute => ({
  kind: 'smtp',
  host,
  port,
  secure: false,
  requireTls: false,
  ...change,
})

describe('parseMailRoute', () => {
  const routes: [text: string, route: MailRoute][] = [
    ['mailbox:', { kind: 'mailbox' }],
    ['smtp://127.0.0.1:2525', smtp('127.0.0.1', 2525)],
    ['smtp://relay.example', smtp('relay.example', 587)],
    ['smtp://relay.example:25/', smtp('relay.example', 25)],
    ['smtp://[::1]:2525', smtp('::1', 2525)],
    ['smtp://relay.example:25?tls=required', smtp('relay.example', 25, { requireTls: true })],
    ['smtp://relay.example?tls=unverified', smtp('relay.example', 587, { unverifiedTls: true })],
    [
      'smtp://bob:secret@relay.example?tls=unverified',
      smtp('relay.example', 587, { unverifiedTls: true, user: 'bob', password: 'secret' }),
    ],
    [
      'smtps://bob:secret@relay.example?tls=unverified',
      smtp('relay.example', 465, { secure: true, unverifiedTls: true, user: 'bob', password: 'secret' }),
    ],
    ['smtps://relay.example', smtp('relay.example', 465, { secure: true })],
    ['smtp://bob:secret@relay.example:587', smtp('relay.example', 587, { user: 'bob', password: 'secret' })],
    [
      'smtps://b%40x:p%3A%2F%23%25@relay.example:465',
      smtp('relay.example', 465, { secure: true, user: 'b@x', password: 'p:/#%' }),
    ],
  ]
  for (const [text, route] of routes)
    it(`parses ${text}`, () => {
      assert.deepEqual(parseMailRoute(text), { route })
    })

  const faults: [text: string, fault: RegExp][] = [
    ['mx:', /not supported yet/],
    ['', /expected mailbox:/],
    ['relay.example:25', /expected mailbox:/],
    ['http://relay.example', /expected mailbox:/],
    ['smtp://', /expected mailbox:|host is missing/],
    ['smtp://relay.example:99999', /expected mailbox:/],
    ['smtp://relay.example:0', /port 0/],
    ['smtp://relay.example/path', /may follow/],
    ['smtp://relay.example?tls=no', /only option/],
    ['smtp://relay.example?pool=5', /only option/],
    ['smtp://relay.example?tls=Unverified', /only option/],
    ['smtp://relay.example?tls=required&tls=unverified', /only option/],
    ['smtp://relay.example?tls=unverified&tls=unverified', /only option/],
    ['smtp://relay.example?TLS=unverified', /only option/],
    ['smtp://relay.example?tls=', /only option/],
    ['smtp://bob:25?hunter2@relay.example', /only option/],
    ['smtp://bob:25/hunter2@relay.example', /as %2F/],
    ['smtp://bob:hunter2/x@relay.example', /expected mailbox:/],
    ['smtp://bob:hunter2', /expected mailbox:/],
    ['smtp:bob:hunter2@relay.example', /host is missing/],
    ['smtp://bob%3Ahunter2', /in ASCII/],
    ['smtp://hunter2!relay.example', /in ASCII/],
    ['smtp://bücher.example', /in ASCII/],
    ['bob:hunter2@relay.example', /expected mailbox:/],
    ['https://bob:hunter2@relay.example', /expected mailbox:/],
    ['smtp://bob@relay.example', /both user and password/],
    ['smtp://bob:a%ZZ@relay.example', /as %25/],
    ['smtp://bob:hunter2@relay.example#x', /as %23/],
  ]
  for (const [text, fault] of faults)
    it(`refuses ${text || 'an empty string'} without repeating it`, () => {
      const parsed = parseMailRoute(text)
      assert.ok('fault' in parsed)
      assert.match(parsed.fault, fault)
      assert.ok(!parsed.fault.includes('hunter2'))
    })
})
