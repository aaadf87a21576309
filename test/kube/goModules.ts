import { runs } from './command.ts'

/**
 * Where a Go module lies once it is fetched.
 * @param module with its version, `sigs.k8s.io/kwok@v0.8.0`
 * @throws Error what `go` said
 */
export const moduleFolder = async (module: string): Promise<string> => {
  const { code, out, said } = await runs('go', ['mod', 'download', '-json', module])
  if (code !== 0) throw new Error(said)
  return (JSON.parse(out) as { Dir: string }).Dir
}
