/** The named checks of ‘Test connection’. They run in order; after the first failure the rest is skipped. */
import { asFault, Fault } from './faults.ts'
import type { ConnectionTestResult } from './settings.ts'

export interface ConnectionTestCheck {
  readonly name: string
  /** @throws Fault whose notice says what to do */
  readonly run: () => Promise<void>
}

export async function runChecks(checks: readonly ConnectionTestCheck[]): Promise<readonly ConnectionTestResult[]> {
  const results: ConnectionTestResult[] = []
  for (const { name, run } of checks) {
    const hasFailed = results.some(({ outcome }) => outcome === 'failed')
    results.push(hasFailed ? { name, outcome: 'skipped' } : await runCheck(name, run))
  }
  return results
}

/** Results of checks that one call decides. @param failure the check that failed, if any */
export function resultsUpTo(
  names: readonly string[],
  failure: { readonly at: number; readonly notice: string } | null,
): ConnectionTestResult[] {
  return names.map((name, index) => {
    if (failure === null || index < failure.at) return { name, outcome: 'passed' }
    return index === failure.at ? { name, outcome: 'failed', notice: failure.notice } : { name, outcome: 'skipped' }
  })
}

async function runCheck(name: string, run: () => Promise<void>): Promise<ConnectionTestResult> {
  try {
    await run()
    return { name, outcome: 'passed' }
  } catch (error) {
    const { notice, remedy } = asFault(error)
    return { name, outcome: 'failed', notice, ...(remedy === undefined ? {} : { remedy }) }
  }
}

/**
 * Checks that a database server responds and accepts the login.
 * @param codePrefix of the fault codes that the server itself causes: `postgres.`
 */
export function loginChecks(
  connect: () => Promise<AsyncDisposable>,
  codePrefix: string,
): readonly ConnectionTestCheck[] {
  const tryConnection = async () => {
    const connection = await connect()
    await connection[Symbol.asyncDispose]()
  }
  const wasReached = (error: unknown) =>
    error instanceof Fault && (error.kind === 'signIn' || error.code.startsWith(codePrefix))
  return [
    {
      name: 'The server can be reached',
      run: () => tryConnection().catch((error: unknown) => (wasReached(error) ? undefined : Promise.reject(error))),
    },
    { name: 'User and password are accepted', run: tryConnection },
  ]
}
