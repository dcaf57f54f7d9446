/** Comments of tables and columns in SQL Server: extended properties. */
import type { TableAddress } from '../../sql-target/table-layout.ts'
import { literal } from '../quoting.ts'
import type { SqlServerDialect, SqlServerSession } from './session.ts'
import { qualified } from './tables.ts'

const descriptionProperty = 'MS_Description'

interface ExtendedProperty {
  readonly property: string
  /** Empty for that of the table. */
  readonly column: string
  readonly text: string
}

/** Properties with a text. */
export async function listProperties(
  { rows }: SqlServerSession,
  at: TableAddress,
): Promise<readonly ExtendedProperty[]> {
  const found = await rows(
    `SELECT p.name, COALESCE(n.name, ''), CONVERT(nvarchar(4000), p.value)
     FROM sys.extended_properties p LEFT JOIN sys.columns n ON n.object_id = p.major_id AND n.column_id = p.minor_id
     WHERE p.class = 1 AND p.major_id = OBJECT_ID(${literal(qualified(at))}) AND (p.minor_id = 0 OR n.name IS NOT NULL) AND p.value IS NOT NULL`,
  )
  return found.map(([property, column, text]) => ({ property: property ?? '', column: column ?? '', text: text ?? '' }))
}

export function addPropertySql(at: TableAddress, { property, column, text }: ExtendedProperty): string {
  return `EXEC sys.sp_addextendedproperty ${literal(property)}, ${literal(text)}, ${placeOf(at, column)}`
}

function placeOf({ schema, name }: TableAddress, column: string): string {
  const table = `N'SCHEMA', ${literal(schema)}, N'TABLE', ${literal(name)}`
  return column === '' ? table : `${table}, N'COLUMN', ${literal(column)}`
}

export const commentSql = {
  // A property holds 7,500 bytes.
  commentLimits: { table: 3_700, column: 3_700, allowed: (text) => text },
  async readComments(session, target) {
    const properties = await listProperties(session, target)
    return new Map(
      properties.flatMap(({ property, column, text }) =>
        property === descriptionProperty ? [[column, text] as const] : [],
      ),
    )
  },
  async setComments(session, target, comments) {
    const existing = await commentSql.readComments(session, target)
    for (const [column, text] of comments) {
      const place = placeOf(target, column)
      if (existing.has(column))
        await session.run(`EXEC sys.sp_dropextendedproperty ${literal(descriptionProperty)}, ${place}`)
      if (text !== '') await session.run(addPropertySql(target, { property: descriptionProperty, column, text }))
    }
  },
} satisfies Partial<SqlServerDialect>
