/** The columns of a file with the positions of deleted rows. https://iceberg.apache.org/spec/#position-delete-files */
import type { TableField } from './parquet-schema.ts'

export const positionFields = {
  path: { id: 2_147_483_546, name: 'file_path', type: 'string', required: true },
  position: { id: 2_147_483_545, name: 'pos', type: 'long', required: true },
} as const satisfies { readonly [name: string]: TableField }
