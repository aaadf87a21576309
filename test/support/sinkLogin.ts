import { createHmac } from 'node:crypto'

type Login = { user: string; password: string }
type Exchange = { reply: string; next: ((line: string) => string) | null }

const plainText = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8')
const verdict = (isValid: boolean): string =>
  isValid ? '235 2.7.0 Welcome' : '535 5.7.8 Authentication credentials invalid'

/**
 * Returns the server's side of AUTH PLAIN, LOGIN or CRAM-MD5: the first reply, and a function that replies to the next
 * lines.
 */
export const sinkLogin = (login: Login, line: string): Exchange => {
  const [, mechanism = '', initial] = line.split(' ')
  if (mechanism.toUpperCase() === 'PLAIN') return plain(login, initial)
  if (mechanism.toUpperCase() === 'LOGIN') return loginMechanism(login)
  if (mechanism.toUpperCase() === 'CRAM-MD5') return cram(login)
  return { reply: '504 5.5.4 No such mechanism', next: null }
}

const plain = ({ user, password }: Login, initial: string | undefined): Exchange => {
  const check = (base64: string): string => verdict(plainText(base64) === `\0${user}\0${password}`)
  return initial === undefined ? { reply: '334 ', next: check } : { reply: check(initial), next: null }
}

const loginMechanism = ({ user, password }: Login): Exchange => {
  let name: string | null = null
  const next = (line: string): string => {
    if (name !== null) return verdict(name === user && plainText(line) === password)
    name = plainText(line)
    return '334 UGFzc3dvcmQ6'
  }
  return { reply: '334 VXNlcm5hbWU6', next }
}

const cram = ({ user, password }: Login): Exchange => {
  const challenge = '<1896.697170952@sink.test>'
  const digest = createHmac('md5', password).update(challenge).digest('hex')
  const next = (line: string): string => verdict(plainText(line) === `${user} ${digest}`)
  return { reply: `334 ${Buffer.from(challenge).toString('base64')}`, next }
}
