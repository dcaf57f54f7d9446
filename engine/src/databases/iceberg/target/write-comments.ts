/** Comments: the documentation of a column is part of its field, that of a table is the property that Spark and Trino show. */
import type { CommentTexts } from '../../../ports/target.ts'
import { changedComments } from '../../sql-target/comments.ts'
import type { Comments } from '../../sql-target/comment-limits.ts'
import type { StreamTables } from '../../sql-target/table-layout.ts'
import type { LoadedTable } from '../catalog/catalog.ts'
import type { IcebergField, IcebergSchema } from '../catalog/metadata.ts'
import { commitChange, type TableChange } from '../table/commit-loop.ts'
import type { LakeContext } from '../table/lake-context.ts'
import { schemaOf } from '../table/snapshot-writer.ts'

/** Catalogs such as Glue hold no longer ones. */
const limits = { table: 2_000, column: 255, allowed: (text: string) => text }
const tableComment = 'comment'

export async function writeComments(context: LakeContext, tables: StreamTables, texts: CommentTexts): Promise<void> {
  for (const target of tables)
    await commitChange(context, {
      name: target.name,
      fence: 'hold',
      build: async (table) => {
        const changed = changedComments(target, existingComments(table), texts, limits)
        return changed.size === 0 ? null : toChange(table, changed)
      },
    })
}

function existingComments({ metadata }: LoadedTable): Comments {
  const columns = schemaOf(metadata).fields.map(({ name, doc }) => [name, doc ?? ''] as const)
  return new Map([['', metadata.properties?.[tableComment] ?? ''], ...columns])
}

function toChange({ metadata }: LoadedTable, changed: Comments): TableChange {
  const about = changed.get('')
  const before = schemaOf(metadata)
  const hasColumns = before.fields.some(({ name }) => changed.has(name))
  const schemaId = 1 + Math.max(...metadata.schemas.map((schema) => schema['schema-id']))
  const fields = before.fields.map((field) => withDoc(field, changed.get(field.name)))
  const schema: IcebergSchema = { ...before, 'schema-id': schemaId, fields }
  return {
    requirements: [{ type: 'assert-current-schema-id', 'current-schema-id': metadata['current-schema-id'] }],
    updates: hasColumns
      ? [
          { action: 'add-schema', schema },
          { action: 'set-current-schema', 'schema-id': -1 },
        ]
      : [],
    properties: about === undefined || about === '' ? {} : { [tableComment]: about },
    removedProperties: about === '' ? [tableComment] : [],
    written: [],
  }
}

/** @param doc undefined: as before; empty: none */
function withDoc(field: IcebergField, doc: string | undefined): IcebergField {
  if (doc === undefined) return field
  const { doc: _, ...rest } = field
  return doc === '' ? rest : { ...rest, doc }
}
