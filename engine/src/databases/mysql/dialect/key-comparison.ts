/** The statements of a key comparison. */
import { encodeRows } from '../../../encoding/copy-text.ts'
import { missingKeysMax } from '../../../ports/target.ts'
import type { StagedTable } from '../../sql-target/dialect.ts'
import type { TargetTable } from '../../sql-target/table-layout.ts'
import { columnList, quote } from '../quoting.ts'
import { canonicalText } from '../types.ts'
import type { MysqlSession } from './session.ts'

export async function compareKeys(
  { rows }: MysqlSession,
  { name, key }: TargetTable,
  { stage }: StagedTable,
): Promise<{ readonly rows: number; readonly deleted: number }> {
  const [row] = await rows(
    `SELECT COUNT(*), COALESCE(SUM(listed.${quote(key[0] ?? '')} IS NULL), 0) AS deleted FROM ${quote(name)} AS kept LEFT JOIN ${stage} AS listed USING (${columnList(key)})`,
  )
  return { rows: Number(row?.[0]), deleted: Number(row?.[1]) }
}

export function missingKeysSql({ name, key }: TargetTable, { stage }: StagedTable): string {
  return `FROM ${stage} AS listed LEFT JOIN ${quote(name)} AS kept USING (${columnList(key)}) WHERE kept.${quote(key[0] ?? '')} IS NULL`
}

export async function readMissingKeys(
  { rows }: MysqlSession,
  { target }: StagedTable,
  from: string,
): Promise<Uint8Array> {
  const values = target.columns.map(
    (column, at) => `${canonicalText(`listed.${quote(column.name)}`, column)} AS c${at}`,
  )
  return encodeRows(await rows(`SELECT ${values.join(', ')} ${from} LIMIT ${missingKeysMax}`))
}
