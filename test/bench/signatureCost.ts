import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { composeSteps } from '@postrider/mail/compose.ts'
import { type PrivateDkimKey, signMessage } from '@postrider/mail/dkim.ts'
import DKIM from 'nodemailer/lib/dkim'
import { inOneStep } from '../support/inOneStep.ts'

const compose = inOneStep(composeSteps)

/** CPU milliseconds of all threads for one message, or for one signature. */
export type SignatureCosts = {
  /** `crypto.sign` alone. */
  rsaSignature: number
  ed25519Signature: number
  /** Our signer: canonical form, hashes, and the signatures. */
  rsa: number
  ed25519: number
  both: number
  /** nodemailer's signer, RSA. */
  nodemailer: number
}

const count = 1_000

/** Returns the CPU time of one run, after some that compile the code: the compilers of V8 use CPU time too. */
const cpuMsOf = async (work: () => Promise<unknown>): Promise<number> => {
  for (let n = 0; n < 2 * count; n++) await work()
  const before = process.cpuUsage()
  for (let n = 0; n < count; n++) await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / count
}

const text = 'A line of an ordinary mail, about as long as people write. '.repeat(34)

/** As large as the mail of the bench. */
const message = compose({
  id: 'em_01m7yr6cabfzvahf8pz72f0kb4',
  from: { name: 'Shop', address: 'shop@bench.example' },
  to: [{ name: '', address: 'user1@receiver.example' }],
  cc: [],
  replyTo: [],
  subject: 'Your order 1',
  date: new Date(0),
  messageId: '<em_01m7yr6cabfzvahf8pz72f0kb4@bench.example>',
  headers: {},
  html: `<p>${text}</p>`,
  text,
  attachments: [],
})

type Sign = (digest: string | null, data: Buffer, key: KeyObject) => Promise<Buffer>

/** Measures each in turn, in one process without other work. */
export const measureSignatures = async (): Promise<SignatureCosts> => {
  const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
  const edKey = generateKeyPairSync('ed25519').privateKey
  const signAsync = promisify(sign) as Sign
  const data = message.subarray(0, 600)
  const rsa: PrivateDkimKey = { selector: 'r', algorithm: 'rsa-sha256', key: rsaKey }
  const ed25519: PrivateDkimKey = { selector: 'e', algorithm: 'ed25519-sha256', key: edKey }
  const ours = (keys: PrivateDkimKey[]) => () => signMessage({ message, domain: 'bench.example', keys, at: 0 })
  const privateKey = rsaKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const dkim = new DKIM({ domainName: 'bench.example', keySelector: 'r', privateKey })
  const byNodemailer = async (): Promise<void> => {
    for await (const _ of dkim.sign(message));
  }
  return {
    rsaSignature: await cpuMsOf(() => signAsync('sha256', data, rsaKey)),
    rsa: await cpuMsOf(ours([rsa])),
    ed25519Signature: await cpuMsOf(() => signAsync(null, data, edKey)),
    ed25519: await cpuMsOf(ours([ed25519])),
    both: await cpuMsOf(ours([rsa, ed25519])),
    nodemailer: await cpuMsOf(byNodemailer),
  }
}
