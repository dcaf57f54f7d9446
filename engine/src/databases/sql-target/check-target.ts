/** Tests a target: whether its login works, and what a run needs. */
import { loginChecks, runChecks } from '../../ports/connection-test.ts'
import type { ConnectionTestResult } from '../../ports/settings.ts'
import type { SqlDialect } from './dialect.ts'
import type { TargetSession, TargetSessions } from './sessions.ts'

export function checkTarget(
  dialect: SqlDialect,
  sessions: TargetSessions<TargetSession>,
): Promise<readonly ConnectionTestResult[]> {
  const borrow = async (): Promise<AsyncDisposable> => {
    const session = await sessions.take()
    return { [Symbol.asyncDispose]: async () => session.release() }
  }
  const checks = dialect.checks().map(({ name, run }) => ({ name, run: () => sessions.use(run) }))
  return runChecks([...loginChecks(borrow, `${dialect.facts.kind}.`), ...checks])
}
