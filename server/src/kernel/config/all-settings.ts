/** All settings, grouped as the documentation shows them. */
import { captchaSettings } from './captcha-settings.ts'
import { dataSettings, masterKeySettings } from './data-settings.ts'
import { limitSwitch, rateSettings } from './limit-settings.ts'
import { mailFromSetting, mailSettings } from './mail-settings.ts'
import { oauthSettings } from './oauth-settings.ts'
import { processSettings, publicUrlSetting } from './process-settings.ts'
import { publicationSettings } from './publication-settings.ts'
import { providerSettings } from './provider-settings.ts'
import { retentionSettings } from './retention-settings.ts'
import type { SettingDefinition } from './setting.ts'
import { isNamed } from './setting.ts'
import { signInSettings } from './sign-in-settings.ts'
import { tracingSettings, monitoringSettings } from './telemetry-settings.ts'

/** Each setting becomes the configuration value of the same key. Values that combine several settings are read in `config.ts`. */
export const plainSettings = {
  ...processSettings,
  ...dataSettings,
  ...retentionSettings,
  ...mailSettings,
  ...signInSettings,
  ...monitoringSettings,
}

export interface SettingGroup {
  readonly title: string
  readonly settings: readonly SettingDefinition[]
}

export const settingGroups: readonly SettingGroup[] = [
  { title: 'Process', settings: [...Object.values(processSettings), publicUrlSetting] },
  { title: 'Data and keys', settings: [...Object.values(dataSettings), ...Object.values(masterKeySettings)] },
  { title: 'Retention', settings: Object.values(retentionSettings) },
  { title: 'Mail', settings: [...Object.values(mailSettings), mailFromSetting] },
  { title: 'Sign-in', settings: [...Object.values(signInSettings), ...Object.values(captchaSettings)] },
  { title: 'Rate limits', settings: [limitSwitch, ...Object.values(rateSettings)] },
  { title: 'Sign-in providers', settings: providerSettings },
  { title: 'OAuth sources', settings: oauthSettings },
  { title: 'After publishing', settings: publicationSettings },
  { title: 'Monitoring', settings: [...Object.values(monitoringSettings), ...Object.values(tracingSettings)] },
]

export const allSettings: readonly SettingDefinition[] = settingGroups.flatMap(({ settings }) => settings)

/** True if the environment variable holds a secret. */
export function isSecretName(variable: string): boolean {
  return allSettings.some((setting) => setting.secret !== undefined && isNamed(setting, variable))
}
