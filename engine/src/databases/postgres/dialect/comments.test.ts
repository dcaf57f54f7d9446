import { commentCases } from '@tributary/testing/conformance/target/comment-cases.ts'
import { makePostgresBench } from '@tributary/testing/engine/databases/postgres-bench.ts'
import { qualified } from './tables.ts'

commentCases(async () => {
  const bench = await makePostgresBench()
  return {
    ...bench,
    longest: 60_000,
    async comments(name) {
      const found = await bench.client.query<{ column: string; text: string }>(
        `SELECT '' AS column, obj_description($1::regclass, 'pg_class') AS text
         UNION ALL SELECT attname, col_description(attrelid, attnum) FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0`,
        [qualified({ schema: bench.schema, name })],
      )
      return Object.fromEntries(
        found.rows.filter(({ text }) => text !== null).map(({ column, text }) => [column, text]),
      )
    },
    async comment(name, column, text) {
      const at = qualified({ schema: bench.schema, name })
      const object = column === '' ? `TABLE ${at}` : `COLUMN ${at}."${column}"`
      await bench.client.query(`COMMENT ON ${object} IS '${text}'`)
    },
  }
})
