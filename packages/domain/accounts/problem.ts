/** One problem with a request: its place (`to[3]`, empty for the whole), a code for machines, a sentence for people. */
export type Problem = { path: string; code: string; message: string }
