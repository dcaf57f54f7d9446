/** The provider's switches, as every process knows them: at most five seconds old. */
import { settings as catalogue, type SettingKey } from '@tributary/contract/global-configuration'
import type { Clock } from '../clock.ts'
import type { Db, Store } from '../store/store.ts'

export type Switches = Readonly<Record<SettingKey, boolean>>

const cacheMs = 5_000

export class Settings {
  readonly #store: Store
  readonly #clock: Clock
  #known: { readonly switches: Promise<Switches>; readonly readAt: number } | undefined

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store
    this.#clock = clock
  }

  /** What holds now. */
  async read(): Promise<Switches> {
    const now = this.#clock.now()
    if (this.#known !== undefined && now - this.#known.readAt < cacheMs) return this.#known.switches
    const switches = this.#load()
    this.#known = { switches, readAt: now }
    // What could not be read is asked for anew.
    switches.catch(() => (this.#known = undefined))
    return switches
  }

  /** This process changed one: it is read anew. Other processes follow within five seconds. */
  forget(): void {
    this.#known = undefined
  }

  async #load(): Promise<Switches> {
    // Across: the switches belong to no organisation.
    const rows = await this.#store.across((db) => db.selectFrom('setting').select(['key', 'value']).execute())
    const changed = new Map(rows.map(({ key, value }) => [key, value]))
    return Object.fromEntries(
      Object.entries(catalogue).map(([key, { initial }]) => [key, changed.get(key) ?? initial]),
    ) as unknown as Switches
  }
}

/** Whether only the provider can work, as the store says in this very transaction. */
export async function isMaintained(db: Db): Promise<boolean> {
  const key: SettingKey = 'MaintenanceMode'
  const changed = await db.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst()
  return changed?.value ?? catalogue[key].initial
}
