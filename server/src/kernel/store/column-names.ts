/** The driver creates rows with camelCase names, because renaming each row afterwards takes longer. */
import type { EventEmitter } from 'node:events'
import type { PoolClient } from 'pg'

/** Renames the columns of a result before its first row is parsed. JSON in a column keeps its keys. */
export function nameColumns(client: PoolClient): void {
  const { connection } = client as unknown as { readonly connection: EventEmitter }
  connection.prependListener('rowDescription', ({ fields }: { readonly fields: { name: string }[] }) => {
    for (const field of fields)
      field.name = field.name.replaceAll(/_(.)/gu, (_, letter: string) => letter.toUpperCase())
  })
}
