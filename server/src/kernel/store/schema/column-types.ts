/** How the store's columns read and are written. */
import type { ColumnType } from 'kysely'

/** ISO 8601 in UTC, as the wire has it. */
export type Time = ColumnType<string, Date | string, Date | string>
export type TimeOrNull = ColumnType<string | null, Date | string | null | undefined, Date | string | null>
export type TimeWithDefault = ColumnType<string, Date | string | undefined, Date | string>
/** Read as a value; written as JSON text, because the driver would take an array for a SQL array. */
export type Json = ColumnType<unknown, string, string>
export type JsonWithDefault = ColumnType<unknown, string | undefined, string>
