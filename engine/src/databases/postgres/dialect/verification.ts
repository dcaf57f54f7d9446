/** The tables of a PostgreSQL target, open for verification. */
import { verifiedColumn } from '../verification/columns.ts'
import { beginTableRead, isUtf8 } from '../verification/table-read.ts'
import { checksumWords } from '../verification/words.ts'
import { quote } from '../types.ts'
import type { PostgresDialect } from './session.ts'

/** A frozen row has the age 2^31 - 1: the transaction that wrote it is unknown. */
const frozenAge = 2_147_483_647

export const verificationSql = {
  async checksums({ client }) {
    return {
      words: checksumWords(await isUtf8(client)),
      column: ({ name, values, type }, sourceName) =>
        verifiedColumn({ name: sourceName, type: values, value: quote(name), stored: type }),
    }
  },
  // Every commit of a load writes the state of the stream in the transaction of its rows.
  readTable: (session, { connectorId, stream }, stateTable) =>
    beginTableRead(session, session.explain, async (client) => {
      const found = await client.query<{ age: number }>(
        `SELECT age(xmin) AS age FROM ${stateTable} WHERE connector = $1 AND stream = $2`,
        [connectorId, stream],
      )
      const age = found.rows[0]?.age ?? frozenAge
      return { isNewer: age < frozenAge ? `age(xmin) < ${age}` : null }
    }),
} satisfies Partial<PostgresDialect>
