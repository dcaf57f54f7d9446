/** Generates the tables of `docs/configuration.md` and the file `.env.example` from the settings. */
import { initialOf, type SettingDefinition } from '../../server/src/kernel/config/setting.ts'
import { settingGroups } from '../../server/src/kernel/config/all-settings.ts'

/** Replaces the tables between `<!-- settings: GROUP -->` and `<!-- end -->` in the page. */
export function fillSettingTables(page: string): string {
  return page.replaceAll(/(?<=<!-- settings: (?<title>.+) -->\n)[\s\S]*?(?=<!-- end -->)/gu, (_, title: string) =>
    tableOf(title),
  )
}

function tableOf(title: string): string {
  const group = settingGroups.find((one) => one.title === title)
  if (group === undefined) throw new Error(`There is no group of settings with the title ${title}.`)
  const rows = group.settings.map(
    (setting) => `| \`${setting.name}\` | ${defaultOf(setting)} | ${meaningOf(setting)} |\n`,
  )
  return `| Variable | Default | Meaning |\n|---|---|---|\n${rows.join('')}`
}

function meaningOf({ choices, meaning, secret }: SettingDefinition): string {
  const listed = choices === undefined ? '' : `${choices.map((one) => `\`${one}\``).join(', ')}. `
  return `${listed}${meaning}${secret === undefined ? '' : ' Secret.'}`
}

function defaultOf(setting: SettingDefinition): string {
  const [trial, production] = [initialOf(setting, 'trial'), initialOf(setting, 'production')]
  if (setting.isRequired)
    return ['**required in production**', setting.defaultText].filter((one) => one !== undefined).join('; ')
  if (trial === production) return trial === undefined ? (setting.defaultText ?? '') : `\`${trial}\``
  return `\`${production}\`; in a trial \`${trial}\``
}

export function renderExampleFile(): string {
  return [
    '# Every setting of Tributary, for an env_file of Docker Compose or an EnvironmentFile of systemd. Generated from the',
    '# definitions that the server uses. Production requires the lines without #; the others show a default or an example.',
    '# A secret can be in a file instead: NAME_FILE=/run/secrets/name',
    ...settingGroups.map(({ title, settings }) => `\n# --- ${title} ---\n\n${settings.map(exampleOf).join('\n\n')}`),
    '',
  ].join('\n')
}

function exampleOf(setting: SettingDefinition): string {
  const value =
    setting.name === 'TRIBUTARY_MODE' ? 'production' : (initialOf(setting, 'production') ?? setting.example ?? '')
  const isSet = setting.isRequired === true || setting.name === 'TRIBUTARY_MODE'
  const words = `${meaningOf(setting).replaceAll('`', '')} Default: ${defaultOf(setting).replaceAll(/`|\*\*/gu, '') || 'none'}.`
  return `${wrapped(words)}\n${isSet ? '' : '#'}${setting.name}=${value.startsWith('the output of') ? '' : value}`
}

function wrapped(words: string): string {
  const lines = words.match(/.{1,118}(?:\s|$)/gu) ?? []
  return lines.map((line) => `# ${line.trim()}`).join('\n')
}
