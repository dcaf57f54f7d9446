/** A SQL Server target on a server that only listens: what is sent is kept, what comes back was written beforehand. */
import type { OpenTarget } from '@tributary/engine/ports/target'
import type { SqlServerTargetSettings } from '@tributary/engine/databases/sqlserver/dialect/settings'
import { sqlServerTarget } from '@tributary/engine/databases/sqlserver/target'
import { surroundings } from '../sync/source-context.ts'
import { startTdsStub, type StubAnswer, type TdsStub } from './tds-stub.ts'

export const writer = { connectorId: 'connector-1', runId: 'run-1', fence: 7 }

export type Answer = (sql: string) => StubAnswer | undefined

/** Begins as `writer`, works, closes. The fence is held unless `answer` says otherwise. */
export async function loading<T>(
  work: (target: OpenTarget, stub: TdsStub) => Promise<T>,
  answer: Answer = () => undefined,
  settings: Pick<SqlServerTargetSettings, 'unknownValues'> = {},
): Promise<T> {
  await using stub = await startTdsStub({
    answer: (sql) =>
      answer(sql) ?? (sql.includes('CONVERT(varchar(20), fence)') ? { rows: [['7', writer.runId]] } : undefined),
  })
  await using target = await sqlServerTarget.open({ ...stub.reach, schema: 'reports', ...settings }, surroundings())
  await target.begin(writer)
  return await work(target, stub)
}
