import assert from 'node:assert/strict'
import { Fault } from '@postrider/kit/fault.ts'

/** Returns the code of a refusal, or of its first problem if it has one; `ok`: there was none. */
export const outcome = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
    return 'ok'
  } catch (thrown) {
    assert(thrown instanceof Fault)
    return thrown.problems[0]?.code ?? thrown.code
  }
}
