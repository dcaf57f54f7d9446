/** The statements of a key comparison. */
import { encodeRows } from '../../../encoding/copy-text.ts'
import { missingKeysMax } from '../../../ports/target.ts'
import { columnList, quote } from '../quoting.ts'
import { canonicalText } from '../types.ts'
import type { MysqlDialect } from './session.ts'

export const keyComparisonSql = {
  async compareKeys({ rows }, { name, key }, { stage }) {
    const [row] = await rows(
      `SELECT COUNT(*), COALESCE(SUM(listed.${quote(key[0] ?? '')} IS NULL), 0) AS deleted FROM ${quote(name)} AS kept LEFT JOIN ${stage} AS listed USING (${columnList(key)})`,
    )
    return { rows: Number(row?.[0]), deleted: Number(row?.[1]) }
  },
  missingKeysSql: ({ name, key }, { stage }) =>
    `FROM ${stage} AS listed LEFT JOIN ${quote(name)} AS kept USING (${columnList(key)}) WHERE kept.${quote(key[0] ?? '')} IS NULL`,
  async readMissingKeys({ rows }, { target }, from) {
    const values = target.columns.map(
      (column, at) => `${canonicalText(`listed.${quote(column.name)}`, column)} AS c${at}`,
    )
    return encodeRows(await rows(`SELECT ${values.join(', ')} ${from} LIMIT ${missingKeysMax}`))
  },
} satisfies Partial<MysqlDialect>
