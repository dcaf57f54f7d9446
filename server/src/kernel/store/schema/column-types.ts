/** Types of the store's columns when read, inserted and updated. */
import type { ColumnType } from 'kysely'

/** ISO 8601 in UTC, as in the API. */
export type TimeColumn = ColumnType<string, Date | string, Date | string>
export type NullableTimeColumn = ColumnType<string | null, Date | string | null | undefined, Date | string | null>
export type TimeColumnWithDefault = ColumnType<string, Date | string | undefined, Date | string>
/** Read as a value, written as JSON text, because the driver would write an array as a SQL array. */
export type JsonColumn = ColumnType<unknown, string, string>
export type JsonColumnWithDefault<Value = unknown> = ColumnType<Value, string | undefined, string>
