/** A SQL Server target on a TDS stub, which records statements and sends scripted replies. */
import type { OpenTarget } from '@tributary/engine/ports/target'
import type { SqlServerTargetSettings } from '@tributary/engine/databases/sqlserver/dialect/settings'
import { sqlServerTarget } from '@tributary/engine/databases/sqlserver/target'
import { connectionContext } from '../sync/source-context.ts'
import { startTdsStub, type StubAnswer, type TdsStub } from './tds-stub.ts'

export const writer = { connectorId: 'connector-1', runId: 'run-1', fence: 7 }

export type AnswerStatement = (sql: string) => StubAnswer | undefined

/** Opens the target, begins as `writer`, runs `work` and closes. The writer holds the fence unless `answer` differs. */
export async function withSqlServerTarget<T>(
  work: (target: OpenTarget, stub: TdsStub) => Promise<T>,
  answer: AnswerStatement = () => undefined,
  settings: Pick<SqlServerTargetSettings, 'unknownValues'> = {},
): Promise<T> {
  await using stub = await startTdsStub({
    answer: (sql) =>
      answer(sql) ?? (sql.includes('CONVERT(varchar(20), fence)') ? { rows: [['7', writer.runId]] } : undefined),
  })
  await using target = await sqlServerTarget.open(
    { ...stub.reach, schema: 'reports', ...settings },
    connectionContext(),
  )
  await target.begin(writer)
  return await work(target, stub)
}
