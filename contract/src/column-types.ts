/** The types of a table's columns, and the kinds of cells. Free of zod: browsers import it. */

/** `moment`: a date with a time. `truth`: true or false. */
export const columnTypes = ['text', 'number', 'date', 'moment', 'truth'] as const
export type ColumnType = (typeof columnTypes)[number]

/** `error` is an error of the sheet such as #REF!, which fits no type. */
export const cellKinds = [...columnTypes, 'error'] as const
export type CellKind = (typeof cellKinds)[number]
