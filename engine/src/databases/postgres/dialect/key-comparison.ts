/** The statements of a key comparison. Rows to delete are listed once, for the main table and its children. */
import { buffer } from 'node:stream/consumers'
import { missingKeysMax } from '../../../ports/target.ts'
import type { TargetTable } from '../../sql-target/table-layout.ts'
import { copyOut } from '../copy-out.ts'
import { columnList, columnsEqual } from '../types.ts'
import { unlisted } from './merge.ts'
import type { PostgresDialect } from './session.ts'
import { qualified } from './tables.ts'

export const keyComparisonSql = {
  async compareKeys({ run, rows }, main, { stage }) {
    await run(`ANALYZE ${stage}`)
    await run(`CREATE TEMP TABLE ${unlisted} ON COMMIT DROP AS SELECT ${columnList(main.key)} FROM ${qualified(main)} AS kept
    WHERE NOT EXISTS (SELECT FROM ${stage} AS came WHERE ${keysEqual(main)})`)
    const [[deleted, count] = []] = await rows(
      `SELECT (SELECT count(*) FROM ${unlisted}), (SELECT count(*) FROM ${qualified(main)})`,
    )
    return { rows: Number(count ?? 0), deleted: Number(deleted ?? 0) }
  },
  missingKeysSql: (main, { stage }) =>
    `FROM ${stage} AS came WHERE NOT EXISTS (SELECT FROM ${qualified(main)} AS kept WHERE ${keysEqual(main)})`,
  async readMissingKeys({ client }, { target: { key } }, from) {
    const select = `SELECT ${columnList(key, 'came')} ${from} LIMIT ${missingKeysMax}`
    return await buffer(copyOut(client, `COPY (${select}) TO STDOUT`))
  },
} satisfies Partial<PostgresDialect>

function keysEqual({ key }: TargetTable): string {
  return columnsEqual(['came', key], ['kept', key])
}
