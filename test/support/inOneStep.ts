import { finish, type Steps } from '@postrider/mail/steps.ts'

/** Returns a function that runs all steps of `steps` without a pause and returns their result. */
export const inOneStep =
  <Arguments extends unknown[], Result>(steps: (...args: Arguments) => Steps<Result>) =>
  (...args: Arguments): Result =>
    finish(steps(...args))
