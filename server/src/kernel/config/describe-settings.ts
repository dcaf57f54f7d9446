/** The effective settings for the operator. Secrets are masked. */
import { readConfig } from './config.ts'
import { initialOf, isNamed, type EnvironmentVariables, type SettingDefinition } from './setting.ts'
import { allSettings, isSecretName, settingGroups } from './all-settings.ts'

export interface SettingReport {
  readonly group: string
  readonly name: string
  /** In the syntax of the environment; a secret is masked. Null: not set, and there is no default. */
  readonly value: string | null
  readonly from: 'environment' | 'file' | 'default'
  readonly meaning: string
}

export interface ConfigReport {
  readonly settings: readonly SettingReport[]
  /** Missing or weak settings, a sentence each. */
  readonly problems: readonly string[]
  /** Variables that look like settings, such as a mistyped name. */
  readonly unknown: readonly string[]
}

export function describeConfig(env: EnvironmentVariables): ConfigReport {
  const { config, problems } = readConfig(env)
  const made = new Map([
    ['TRIBUTARY_PUBLIC_URL', config.publicUrl],
    ['TRIBUTARY_MAIL_FROM', config.mailFrom],
    ['TRIBUTARY_DATA_DIR', config.dataDir],
  ])
  const settings = settingGroups.flatMap(({ title: group, settings: each }) =>
    each.flatMap((setting) =>
      namesOf(setting, env).map((name): SettingReport => {
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

/** For a family of settings, the names that are set. */
function namesOf(setting: SettingDefinition, env: EnvironmentVariables): readonly string[] {
  if (!setting.name.includes('<NAME>')) return [setting.name]
  const stems = Object.keys(env).map((variable) =>
    isSecretFile(variable) ? variable.replace(/_FILE$/u, '') : variable,
  )
  return [...new Set(stems)].filter((variable) => isNamed(setting, variable))
}

function describeGiven(
  setting: SettingDefinition,
  name: string,
  env: EnvironmentVariables,
): Pick<SettingReport, 'value' | 'from'> | null {
  const value = env[name]
  if (value === undefined)
    return isSecretFile(`${name}_FILE`) && env[`${name}_FILE`] !== undefined ? { value: mask, from: 'file' } : null
  return { value: setting.secret === undefined ? value : masked(setting, value), from: 'environment' }
}

const mask = '••••••'

/** Shows the parts of a URL that are not secret, because they help to find a mistake. Its query may hold passwords, too. */
function masked({ secret }: SettingDefinition, value: string): string {
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
