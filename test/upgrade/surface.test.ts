import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lostFrom, type Surface, surfaceOf } from './surface.ts'

const proto = `syntax = "proto3";
package made.up.v1;
service Made {
  rpc Get(Question) returns (Answer);
  rpc Watch(Question) returns (stream Answer);
}
message Question {
  string id = 1;
  optional int32 count = 2;
  map<string, string> tags = 3;
}
message Answer {
  repeated Part parts = 1;
  Kind kind = 2;
  message Part {
    bytes body = 1;
  }
}
enum Kind {
  PLAIN = 0;
  RICH = 1;
}
`

describe('lostFrom', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'postrider-protos-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const surface = async (text: string): Promise<Surface> => {
    await writeFile(join(folder, 'made.proto'), text)
    return surfaceOf(folder)
  }
  const lostBy = async (from: string, to: string): Promise<string[]> => {
    assert.ok(proto.includes(from), from)
    return lostFrom(await surface(proto), await surface(proto.replace(from, to)))
  }

  for (const [change, from, to, lost] of [
    ['a field is removed', '  string id = 1;\n', '', ['made.up.v1.Question.1: string id is gone']],
    ['a field gets another number', 'id = 1', 'id = 9', ['made.up.v1.Question.1: string id is gone']],
    ['a field gets another name', 'id = 1', 'key = 1', ['made.up.v1.Question.1: string id became string key']],
    [
      'a field gets another type',
      'bytes body',
      'string body',
      ['made.up.v1.Answer.Part.1: bytes body became string body'],
    ],
    [
      'a field is no longer optional',
      'optional int32',
      'int32',
      ['made.up.v1.Question.2: optional int32 count became int32 count'],
    ],
    [
      'a repeated field becomes single',
      'repeated Part',
      'Part',
      ['made.up.v1.Answer.1: repeated Part parts became Part parts'],
    ],
    [
      'a map gets another value type',
      'map<string, string>',
      'map<string, int32>',
      ['made.up.v1.Question.Tags.2: string value became int32 value'],
    ],
    ['an enum value gets another number', 'RICH = 1', 'RICH = 2', ['made.up.v1.Kind.1: RICH is gone']],
    [
      'an rpc is removed',
      '  rpc Get(Question) returns (Answer);\n',
      '',
      ['made.up.v1.Made/Get: Question → Answer is gone'],
    ],
    [
      'an rpc gets another request type',
      'Get(Question)',
      'Get(Answer)',
      ['made.up.v1.Made/Get: Question → Answer became Answer → Answer'],
    ],
    [
      'an rpc no longer returns a stream',
      'returns (stream Answer)',
      'returns (Answer)',
      ['made.up.v1.Made/Watch: Question → stream Answer became Question → Answer'],
    ],
    [
      'a service gets another name',
      'service Made',
      'service Done',
      ['made.up.v1.Made/Get: Question → Answer is gone', 'made.up.v1.Made/Watch: Question → stream Answer is gone'],
    ],
  ] as const) {
    it(`reports that ${change}`, async () => assert.deepEqual(await lostBy(from, to), lost))
  }

  for (const [change, from, to] of [
    ['a field', 'string id = 1;', 'string id = 1; string more = 4;'],
    ['an enum value', 'RICH = 1;', 'RICH = 1; RICHER = 2;'],
    ['an rpc', 'rpc Get', 'rpc Put(Answer) returns (Answer);\n  rpc Get'],
    ['a message', 'enum Kind', 'message More {}\nenum Kind'],
  ] as const) {
    it(`returns nothing if ${change} is added`, async () => assert.deepEqual(await lostBy(from, to), []))
  }
})
