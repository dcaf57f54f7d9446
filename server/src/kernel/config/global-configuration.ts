/** The provider's global settings. Each process caches them for at most five seconds. */
import { settings as catalogue, type SettingKey } from '@tributary/contract/global-configuration'
import type { Clock } from '../clock.ts'
import type { Db, Store } from '../store/store.ts'

export type GlobalSettings = Readonly<Record<SettingKey, boolean>>

const cacheMs = 5_000

export class GlobalSettingsCache {
  readonly #store: Store
  readonly #clock: Clock
  #known: { readonly switches: Promise<GlobalSettings>; readonly readAt: number } | undefined

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store
    this.#clock = clock
  }

  /** The current settings. */
  async read(): Promise<GlobalSettings> {
    const now = this.#clock.now()
    if (this.#known !== undefined && now - this.#known.readAt < cacheMs) return this.#known.switches
    const switches = this.#load()
    this.#known = { switches, readAt: now }
    // A failed read is not cached.
    switches.catch(() => (this.#known = undefined))
    return switches
  }

  /** Call after a change: this process reads the settings again. Other processes follow within five seconds. */
  invalidate(): void {
    this.#known = undefined
  }

  async #load(): Promise<GlobalSettings> {
    // Across: the settings belong to no organisation.
    const rows = await this.#store.across((db) => db.selectFrom('setting').select(['key', 'value']).execute())
    const changed = new Map(rows.map(({ key, value }) => [key, value]))
    return Object.fromEntries(
      Object.entries(catalogue).map(([key, { initial }]) => [key, changed.get(key) ?? initial]),
    ) as unknown as GlobalSettings
  }
}

/** True during maintenance, when only the provider can work. Reads the store in the caller's transaction, not the cache. */
export async function isInMaintenance(db: Db): Promise<boolean> {
  const key: SettingKey = 'MaintenanceMode'
  const changed = await db.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst()
  return changed?.value ?? catalogue[key].initial
}
