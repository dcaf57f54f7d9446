/** How the portal looks and behaves for one person, on every device. */
import * as z from 'zod'
import { preferenceLimits } from './limits.ts'
import { route } from './route.ts'
import { forSignedIn } from './route-parts.ts'

export const Density = z.enum(['comfortable', 'compact'])
export type Density = z.infer<typeof Density>

const { columnsMax, localeMax, nameMax, timeZoneMax } = preferenceLimits
const TableName = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9-]*$/u)
  .max(nameMax)
const ColumnName = z.string().min(1).max(nameMax)

export const Preferences = z.object({
  /** BCP 47, such as `en-GB`; null: the browser's. */
  Locale: z.string().nullable(),
  /** A name of the IANA database, such as `Pacific/Auckland`; null: the browser's. */
  TimeZone: z.string().nullable(),
  /** Whether single keys, such as `/` and `?`, are shortcuts. */
  KeyboardShortcuts: z.boolean(),
  Density,
  /** The visible columns of each table, in their order, by the table's name. A table that is missing shows its default columns. */
  Tables: z.record(z.string(), z.array(z.string())),
})
export type Preferences = z.infer<typeof Preferences>

/** The body of a change: fields and tables that are missing keep their values. */
export const PreferencesChange = z.strictObject({
  locale: z.string().trim().min(1).max(localeMax).nullable().optional(),
  timeZone: z.string().trim().min(1).max(timeZoneMax).nullable().optional(),
  keyboardShortcuts: z.boolean().optional(),
  density: Density.optional(),
  /** Null: the default columns. */
  tables: z.record(TableName, z.array(ColumnName).max(columnsMax).nullable()).optional(),
})
export type PreferencesChange = z.infer<typeof PreferencesChange>

export const preferences = {
  read: route({
    method: 'GET',
    path: '/profile/preferences',
    summary: 'One’s own preferences: locale, time zone, keyboard shortcuts, density and the columns of tables.',
    ...forSignedIn,
    reply: Preferences,
  }),
  save: route({
    method: 'PUT',
    path: '/profile/preferences',
    summary: 'Change one’s own preferences. What is not sent stays as it is.',
    ...forSignedIn,
    body: PreferencesChange,
    reply: Preferences,
  }),
} as const
