/** What is left of a command that has ended. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
  /** The standard output as the one JSON document that it must be. */
  json<T>(): T
}

export function endedWith(code: number | null, stdout: string, stderr: string): Ended {
  return { code, stdout, stderr, json: <T>() => parse(stdout, stderr) as T }
}

function parse(stdout: string, stderr: string): unknown {
  try {
    return JSON.parse(stdout)
  } catch {
    throw new Error(`No JSON document, but: ${stdout}${stderr}`)
  }
}
