/** Routes for a person's own preferences. */
import { type PreferencesChange, preferences, type Preferences } from '@tributary/contract/preferences'
import { preferenceLimits } from '@tributary/contract/limits'
import type { Camel } from '@tributary/contract/wire'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import { requireTimeZone } from '../../identity/people/organisations.ts'
import { getPreferences, lockPreferences, updatePreferences } from '../../identity/people/preferences.ts'
import type { SignedInContext } from '../../kernel/audit-context.ts'
import { badField } from '../../kernel/http/api-fault.ts'

export function preferenceRoutes(app: AppRoutes): void {
  const { services } = app

  // Across: users belong to no single organisation.
  app.bind(preferences.read, ({ actor, store }) => store.across((db) => getPreferences(db, actor.userId)))
  app.bind(preferences.save, ({ auditContext, body }) => changePreferences(services, auditContext, body))
}

/** Returns the preferences after the change. Throws `badInput`. */
async function changePreferences(
  { audit, store }: Pick<AppServices, 'audit' | 'store'>,
  auditContext: SignedInContext,
  { tables: changedTables = {}, ...change }: PreferencesChange,
): Promise<Camel<Preferences>> {
  const { userId } = auditContext.actor
  const locale = change.locale == null ? change.locale : parseLocale('locale', change.locale)
  if (change.timeZone != null) requireTimeZone('timeZone', change.timeZone)
  // Across: users belong to no single organisation.
  return store.across(async (db) => {
    const former = await lockPreferences(db, userId)
    const tables = mergeTables(former.tables, changedTables)
    const {
      timeZone = former.timeZone,
      keyboardShortcuts = former.keyboardShortcuts,
      density = former.density,
    } = change
    const current = {
      locale: locale === undefined ? former.locale : locale,
      timeZone,
      keyboardShortcuts,
      density,
      tables,
    }
    await updatePreferences(db, userId, current)
    const fields = (['locale', 'timeZone'] as const).filter((name) => current[name] !== former[name])
    // Decides how times are written in email, too. The other preferences only concern the portal's appearance.
    if (fields.length > 0)
      await audit.record(db, auditContext, {
        organisationId: null,
        action: 'user.preferences_changed',
        object: { type: 'user', id: userId },
        detail: { fields },
      })
    return current
  })
}

function mergeTables(
  former: Preferences['Tables'],
  changed: NonNullable<PreferencesChange['tables']>,
): Preferences['Tables'] {
  const merged = Object.entries({ ...former, ...changed }).flatMap(([name, columns]) =>
    columns === null ? [] : [[name, columns] as const],
  )
  if (merged.length > preferenceLimits.tablesMax)
    throw badField('tables', `must be at most ${preferenceLimits.tablesMax}`)
  const tables = Object.fromEntries(merged)
  if (JSON.stringify(tables).length > preferenceLimits.tablesSizeMax) throw badField('tables', 'are too many columns')
  return tables
}

/** Returns the canonical form: `en-gb` becomes `en-GB`. Refuses locales without data, because formats would silently be another's. */
function parseLocale(field: string, locale: string): string {
  try {
    const [canonical] = Intl.DateTimeFormat.supportedLocalesOf(locale)
    if (canonical !== undefined) return canonical
  } catch {
    // Malformed.
  }
  throw badField(field, 'is not a locale such as en-GB')
}
