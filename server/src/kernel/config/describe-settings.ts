/** What holds, setting by setting, for whoever runs the server: no secret is in it. */
import { readConfig } from './config.ts'
import { initialOf, isNamed, type Environment, type Setting } from './setting.ts'
import { allSettings, isSecretName, settingGroups } from './all-settings.ts'

export interface DescribedSetting {
  readonly group: string
  readonly name: string
  /** As it would be written; a secret is masked. Null: nothing is set, and nothing holds instead. */
  readonly value: string | null
  readonly from: 'environment' | 'file' | 'default'
  readonly meaning: string
}

export interface DescribedConfig {
  readonly settings: readonly DescribedSetting[]
  /** Everything that is missing or weak, each in a sentence. */
  readonly problems: readonly string[]
  /** Variables that look like settings and are none. */
  readonly unknown: readonly string[]
}

export function describeConfig(env: Environment): DescribedConfig {
  const { config, problems } = readConfig(env)
  const made = new Map([
    ['TRIBUTARY_PUBLIC_URL', config.publicUrl],
    ['TRIBUTARY_MAIL_FROM', config.mailFrom],
    ['TRIBUTARY_DATA_DIR', config.dataDir],
  ])
  const settings = settingGroups.flatMap(({ title: group, settings: each }) =>
    each.flatMap((setting) =>
      namesOf(setting, env).map((name): DescribedSetting => {
        const given = describeGiven(setting, name, env)
        const initial = made.get(name) ?? initialOf(setting, config.mode) ?? null
        return { group, name, meaning: setting.meaning, ...(given ?? { value: initial, from: 'default' }) }
      }),
    ),
  )
  return {
    settings,
    problems,
    unknown: Object.keys(env).filter((name) => name.startsWith('TRIBUTARY_') && !isKnown(name)),
  }
}

/** Of a family, those that are there. */
function namesOf(setting: Setting, env: Environment): readonly string[] {
  if (!setting.name.includes('<NAME>')) return [setting.name]
  const stems = Object.keys(env).map((variable) =>
    isSecretFile(variable) ? variable.replace(/_FILE$/u, '') : variable,
  )
  return [...new Set(stems)].filter((variable) => isNamed(setting, variable))
}

function describeGiven(
  setting: Setting,
  name: string,
  env: Environment,
): Pick<DescribedSetting, 'value' | 'from'> | null {
  const value = env[name]
  if (value === undefined)
    return isSecretFile(`${name}_FILE`) && env[`${name}_FILE`] !== undefined ? { value: mask, from: 'file' } : null
  return { value: setting.secret === undefined ? value : masked(setting, value), from: 'environment' }
}

const mask = '••••••'

/** Of an address, what is no secret helps to find the mistake; its query may hold passwords, too. */
function masked({ secret }: Setting, value: string): string {
  const url = secret === 'password' ? URL.parse(value) : null
  if (url === null || url.host === '') return mask
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : `:${mask}`}@`
  return `${url.protocol}//${user}${url.host}${url.pathname}`
}

function isKnown(variable: string): boolean {
  return allSettings.some((setting) => isNamed(setting, variable)) || isSecretFile(variable)
}

function isSecretFile(variable: string): boolean {
  return variable.endsWith('_FILE') && isSecretName(variable.slice(0, -'_FILE'.length))
}
