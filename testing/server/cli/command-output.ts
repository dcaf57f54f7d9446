/** Exit code and output of a command. */
export interface CommandOutput {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** Parses the standard output, which must be a single JSON document. */
  json<T>(): T
}

export function commandOutput(code: number | null, stdout: string, stderr: string): CommandOutput {
  return { code, stdout, stderr, json: <T>() => parse(stdout, stderr) as T }
}

function parse(stdout: string, stderr: string): unknown {
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`Not a JSON document: ${stdout}${stderr}`)
  }
}
