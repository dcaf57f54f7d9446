/** Column types and cell kinds. Free of zod, because browsers import it. */

/** `moment`: a timestamp. `truth`: a boolean. */
export const columnTypes = ['text', 'number', 'date', 'moment', 'truth'] as const
export type ColumnType = (typeof columnTypes)[number]

/** `error`: an Excel error such as #REF!, which fits no type. */
export const cellKinds = [...columnTypes, 'error'] as const
export type CellKind = (typeof cellKinds)[number]
