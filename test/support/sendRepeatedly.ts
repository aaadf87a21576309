import type { Socket } from 'node:net'

export const sendRepeatedly = (socket: Socket, text: string): void => {
  const sending = setInterval(() => socket.write(text), 10)
  socket.once('close', () => clearInterval(sending))
  socket.once('error', () => clearInterval(sending))
}
