/** The named checks of 'Test connection', one after the other: the first that fails leaves the rest undone. */
import { asFault, Fault } from './faults.ts'
import type { ConnectionCheckResult } from './settings.ts'

export interface ConnectionTestCheck {
  readonly name: string
  /** Throws a Fault whose notice says what to do. */
  readonly run: () => Promise<void>
}

export async function runChecks(steps: readonly ConnectionTestCheck[]): Promise<readonly ConnectionCheckResult[]> {
  const results: ConnectionCheckResult[] = []
  for (const { name, run } of steps) {
    const hasFailed = results.some(({ outcome }) => outcome === 'failed')
    results.push(hasFailed ? { name, outcome: 'skipped' } : await runCheck(name, run))
  }
  return results
}

async function runCheck(name: string, run: () => Promise<void>): Promise<ConnectionCheckResult> {
  try {
    await run()
    return { name, outcome: 'passed' }
  } catch (error) {
    const { notice, remedy } = asFault(error)
    return { name, outcome: 'failed', notice, ...(remedy === undefined ? {} : { remedy }) }
  }
}

/** That a database server answers, and lets this user in; `codes` is how the codes of its own faults begin. */
export function loginChecks(connect: () => Promise<AsyncDisposable>, codes: string): readonly ConnectionTestCheck[] {
  const touch = async () => {
    const connection = await connect()
    await connection[Symbol.asyncDispose]()
  }
  const wasReached = (error: unknown) =>
    error instanceof Fault && (error.kind === 'signIn' || error.code.startsWith(codes))
  return [
    {
      name: 'The server can be reached',
      run: () => touch().catch((error: unknown) => (wasReached(error) ? undefined : Promise.reject(error))),
    },
    { name: 'User and password are accepted', run: touch },
  ]
}
