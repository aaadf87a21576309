/** Room for the long bodies that requests hold at once: each costs about four times its bytes until it is answered. */
export type BodyRoom = {
  /** @param owner no one has all of the room, so a workspace's long messages leave some for others' */
  enter(owner: string): BodyPlace
}

/** One request's part of the room; given back when it is disposed of, and then it waits no more. */
export type BodyPlace = Disposable & {
  /** Waits for so many bytes; to be asked once. @returns false: there was no room in time */
  take(bytes: number): Promise<boolean>
}

type Size = {
  bytes: number
  /** Most of it that one owner has, where it asks for a second place. */
  bytesOfOne: number
  waitMs: number
}

type Waiting = { fits(): boolean; answer(room: boolean): void }

export const bodyRoom = ({ bytes: capacity, bytesOfOne, waitMs }: Size): BodyRoom => {
  const heldBy = new Map<string, number>()
  const waiting = new Set<Waiting>()
  let held = 0

  const hold = (owner: string, change: number): void => {
    const now = (heldBy.get(owner) ?? 0) + change
    held += change
    if (now === 0) heldBy.delete(owner)
    else heldBy.set(owner, now)
  }
  /** Whatever its size, the first finds room. */
  const fits = (owner: string, bytes: number): boolean => {
    const own = heldBy.get(owner) ?? 0
    return held === 0 || (held + bytes <= capacity && (own === 0 || own + bytes <= bytesOfOne))
  }
  const serve = (): void => {
    for (const one of waiting) if (one.fits()) one.answer(true)
  }

  return {
    enter: (owner) => {
      let taken = 0
      let stopWaiting = (): void => {}
      const take = (bytes: number): Promise<boolean> => {
        const { promise, resolve } = Promise.withResolvers<boolean>()
        const timer = setTimeout(() => one.answer(false), waitMs)
        const one: Waiting = {
          fits: () => fits(owner, bytes),
          answer: (room) => {
            clearTimeout(timer)
            waiting.delete(one)
            taken = room ? bytes : 0
            hold(owner, taken)
            resolve(room)
          },
        }
        stopWaiting = () => void (waiting.has(one) && one.answer(false))
        waiting.add(one)
        if (one.fits()) one.answer(true)
        return promise
      }
      const leave = (): void => {
        stopWaiting()
        hold(owner, -taken)
        taken = 0
        serve()
      }
      return { take, [Symbol.dispose]: leave }
    },
  }
}
