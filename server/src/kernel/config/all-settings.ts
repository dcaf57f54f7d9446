/** Every setting, in the groups in which the documents show them. */
import { captchaSettings } from './captcha-settings.ts'
import { dataSettings, masterKeySettings } from './data-settings.ts'
import { limitSwitch, rateSettings } from './limit-settings.ts'
import { mailFromSetting, mailSettings } from './mail-settings.ts'
import { oauthSettings } from './oauth-settings.ts'
import { processSettings, publicUrlSetting } from './process-settings.ts'
import { providerSettings } from './provider-settings.ts'
import { retentionSettings } from './retention-settings.ts'
import type { Setting } from './setting.ts'
import { isNamed } from './setting.ts'
import { signInSettings } from './sign-in-settings.ts'
import { tracingSettings, watchingSettings } from './telemetry-settings.ts'

/** Each becomes the value of the configuration that has its key; what takes more than one to read is read in `config.ts`. */
export const plainSettings = {
  ...processSettings,
  ...dataSettings,
  ...retentionSettings,
  ...mailSettings,
  ...signInSettings,
  ...watchingSettings,
}

export interface SettingGroup {
  readonly title: string
  readonly settings: readonly Setting[]
}

export const settingGroups: readonly SettingGroup[] = [
  { title: 'The process', settings: [...Object.values(processSettings), publicUrlSetting] },
  { title: 'Data and keys', settings: [...Object.values(dataSettings), ...Object.values(masterKeySettings)] },
  { title: 'How long things are kept', settings: Object.values(retentionSettings) },
  { title: 'Mail', settings: [...Object.values(mailSettings), mailFromSetting] },
  { title: 'Signing in', settings: [...Object.values(signInSettings), ...Object.values(captchaSettings)] },
  { title: 'Limits', settings: [limitSwitch, ...Object.values(rateSettings)] },
  { title: 'External providers', settings: providerSettings },
  { title: 'Sources at which people sign in', settings: oauthSettings },
  { title: 'Watching over it', settings: [...Object.values(watchingSettings), ...Object.values(tracingSettings)] },
]

export const allSettings: readonly Setting[] = settingGroups.flatMap(({ settings }) => settings)

/** Whether a variable of that name holds a secret. */
export function isSecretName(variable: string): boolean {
  return allSettings.some((setting) => setting.secret !== undefined && isNamed(setting, variable))
}
