/** The tables of a MySQL or MariaDB target, open for verification. */
import { quote } from '../quoting.ts'
import { logicalType } from '../types.ts'
import { verifiedColumn } from '../verification/columns.ts'
import { beginTableRead } from '../verification/table-read.ts'
import { checksumWords } from '../verification/words.ts'
import type { MysqlDialect } from './session.ts'

export const verificationSql = {
  async checksums({ connection: { isMariadb } }) {
    const side = { isMariadb, isSource: false }
    return {
      words: checksumWords,
      column: ({ name, values, type }, sourceName) =>
        verifiedColumn({ name: sourceName, type: values, own: logicalType(type, values), value: quote(name), side }),
    }
  },
  // The server does not record who wrote a row.
  readTable: ({ connection }) => beginTableRead(connection, { isNewer: null }),
} satisfies Partial<MysqlDialect>
