/** One problem with a request: its path (`to[3]`, empty for the whole), a code for programs, a sentence for people. */
export type Problem = { path: string; code: string; message: string }
