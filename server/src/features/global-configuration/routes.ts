/** Routes for the provider's settings. */
import {
  globalConfiguration,
  type GlobalSetting,
  type SettingKey,
  settings as catalogue,
} from '@tributary/contract/global-configuration'
import type { Camel } from '@tributary/contract/wire'
import type { AppRoutes } from '../../app-services.ts'
import { isoTime } from '../../kernel/clock.ts'
import { afterCommit, type Db } from '../../kernel/store/store.ts'
import { listChanged, lockSettings, saveSetting } from './queries.ts'

const settingKeys = Object.keys(catalogue) as SettingKey[]

export function settingRoutes(app: AppRoutes): void {
  const { audit, clock, settings } = app.services

  // Across, here and below: the settings belong to no organisation, and only the two provider roles may see them.
  app.bind(globalConfiguration.list, ({ store }) => store.across(listSettings))

  app.bind(globalConfiguration.save, ({ store, actor, auditContext, body: { key, value } }) =>
    store.across(async (db) => {
      await lockSettings(db)
      const before = await readSetting(db, key)
      if (before.value === value) return before
      await saveSetting(db, { key, value: value === 'true', changedAt: isoTime(clock.now()), changedBy: actor.userId })
      const object = { type: 'setting', id: key }
      const detail = { before: before.value, after: value }
      await audit.record(db, auditContext, { organisationId: null, action: 'config_changed', object, detail })
      afterCommit(db, () => settings.invalidate())
      return readSetting(db, key)
    }),
  )
}

async function listSettings(db: Db): Promise<Camel<GlobalSetting>[]> {
  const changed = new Map((await listChanged(db)).map((row) => [row.key, row]))
  return settingKeys.map((key) => {
    const { initial, description } = catalogue[key]
    const { value = initial, changedAtUtc = null, changedBy = null } = changed.get(key) ?? {}
    return { key, value: String(value), description, default: String(initial), changedAtUtc, changedBy }
  })
}

async function readSetting(db: Db, key: SettingKey): Promise<Camel<GlobalSetting>> {
  const found = (await listSettings(db)).find((setting) => setting.key === key)
  if (found === undefined) throw new Error(`There is no setting ${key}.`)
  return found
}
