/** The tables of a SQL Server target, open for verification. */
import { quote } from '../quoting.ts'
import { readType } from './bulk-types.ts'
import { logicalType } from '../types.ts'
import { verifiedColumn } from '../verification/columns.ts'
import { beginTableRead, hasUtf8 } from '../verification/table-read.ts'
import { checksumWords } from '../verification/words.ts'
import type { SqlServerDialect } from './session.ts'

export const verificationSql = {
  async checksums({ connection }) {
    const canHashTexts = await hasUtf8(connection)
    return {
      words: checksumWords,
      column: ({ name, values, type }, sourceName) => {
        const own = logicalType(actualType(type), values)
        const column = verifiedColumn({
          name: sourceName,
          type: values,
          own,
          value: quote(name),
          sqlType: type,
          isSource: false,
        })
        return canHashTexts ? column : { ...column, forms: column.forms.filter(({ isFree }) => isFree !== true) }
      },
    }
  },
  // The server does not record who wrote a row.
  readTable: ({ connection }) => beginTableRead(connection, { isNewer: null }),
} satisfies Partial<SqlServerDialect>

/** `decimal(18,4)`, as a catalogue describes it. Text is counted in bytes there. */
function actualType(type: string): Parameters<typeof logicalType>[0] {
  const { name, numbers } = readType(type)
  const [first = 0, second = 0] = numbers
  const isStamp = name === 'datetime2' || name === 'time'
  const length = Number.isFinite(first) ? first * (name === 'nvarchar' ? 2 : 1) : -1
  return { name, maxLength: length, precision: first, scale: isStamp ? first : second }
}
