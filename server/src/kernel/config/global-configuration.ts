/** The provider's global settings. Each process caches them for at most five seconds. */
import { settings as catalogue, type SettingKey } from '@tributary/contract/global-configuration'
import { cached } from '../cached.ts'
import type { Clock } from '../clock.ts'
import type { Db, Store } from '../store/store.ts'

type GlobalSettings = Readonly<Record<SettingKey, boolean>>

const cacheMs = 5_000

export type GlobalSettingsCache = ReturnType<typeof openGlobalSettings>

/** Call `invalidate` after a change: this process reads the settings again. Other processes follow within five seconds. */
export function openGlobalSettings(store: Store, clock: Clock) {
  return cached(clock, cacheMs, () => readGlobalSettings(store))
}

async function readGlobalSettings(store: Store): Promise<GlobalSettings> {
  // Across: the settings belong to no organisation.
  const rows = await store.across((db) => db.selectFrom('setting').select(['key', 'value']).execute())
  const changed = new Map(rows.map(({ key, value }) => [key, value]))
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, { initial }]) => [key, changed.get(key) ?? initial]),
  ) as unknown as GlobalSettings
}

/** True during maintenance, when only the provider can work. Reads the store in the caller's transaction, not the cache. */
export async function isInMaintenance(db: Db): Promise<boolean> {
  const key: SettingKey = 'MaintenanceMode'
  const changed = await db.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst()
  return changed?.value ?? catalogue[key].initial
}
