/** The statements of a key comparison. */
import { encodeRows } from '../../../encoding/copy-text.ts'
import { missingKeysMax } from '../../../ports/target.ts'
import { quote } from '../quoting.ts'
import { canonicalOf, canonicalText } from '../types.ts'
import { sameKey } from './merge.ts'
import type { SqlServerDialect } from './session.ts'
import { qualified } from './tables.ts'

export const keyComparisonSql = {
  async compareKeys({ rows }, main, { target, stage }) {
    const [row] = await rows(
      `SELECT (SELECT COUNT(*) FROM ${qualified(main)}), (SELECT COUNT(*) FROM ${qualified(main)} AS kept JOIN ${stage} AS listed ON ${sameKey(target, 'listed', 'kept')})`,
    )
    const count = Number(row?.[0] ?? 0)
    return { rows: count, deleted: count - Number(row?.[1] ?? 0) }
  },
  missingKeysSql: (main, { target, stage }) =>
    `FROM ${stage} AS listed WHERE NOT EXISTS (SELECT 1 FROM ${qualified(main)} AS kept WHERE ${sameKey(target, 'listed', 'kept')})`,
  async readMissingKeys({ connection }, { target }, from) {
    const values = target.columns.map(({ name, values: type, type: stored }) =>
      canonicalText(`listed.${quote(name)}`, type, stored),
    )
    const rows = await connection.rows(`SELECT TOP (${missingKeysMax}) ${values.join(', ')} ${from}`)
    return encodeRows(rows.map((row) => row.map(canonicalOf)))
  },
} satisfies Partial<SqlServerDialect>
