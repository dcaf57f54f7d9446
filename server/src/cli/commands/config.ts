import type { Command } from 'commander'
import type { SettingReport } from '../../kernel/config/describe-settings.ts'
import { trialPeople } from '../../trial/people.ts'
import { findStoreProblems } from '../../kernel/store/production-checks.ts'
import { parseDatabaseUrl } from '../../kernel/store/database-url.ts'
import type { CommandResult, CommandLine } from '../command-line.ts'

export function configCommands(program: Command, line: CommandLine): void {
  program
    .command('config')
    .description('the configuration from the environment')
    .command('check')
    .description('show the settings, secrets masked, and every problem that would stop a start')
    .option('--all', 'include settings at their defaults')
    .action(line.printResultOf(({ all }: { all?: true }) => check(line, all === true ? 'all' : 'set')))
}

async function check({ described, configResult }: CommandLine, shown: 'all' | 'set'): Promise<CommandResult> {
  const { settings, unknown } = described
  const problems = [...configResult.problems, ...(await problemsOfStore(configResult.config))]
  const listed = settings.filter(({ from }) => shown === 'all' || from !== 'default')
  const groups = Map.groupBy(listed, ({ group }) => group)
  const text = [
    ...[...groups].map(([group, each]) => `${group}\n${each.map(settingText).join('\n')}`),
    ...(listed.length === 0 ? ['Nothing is set; the defaults of the trial apply. See them with --all.'] : []),
    ...(unknown.length === 0 ? [] : [`Not known, and without any effect: ${unknown.join(', ')}`]),
    problems.length === 0
      ? 'Nothing is missing or weak.'
      : `Tributary would not start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
  ]
  return { text: text.join('\n\n'), value: { settings, unknown, problems }, isWell: problems.length === 0 }
}

function settingText({ name, value, from }: SettingReport): string {
  const origin = from === 'environment' ? '' : from === 'file' ? '  (from a file)' : '  (default)'
  return `  ${name}=${value ?? ''}${origin}`
}

/** Problems of the database for which a start in production is refused. */
export async function problemsOfStore({
  mode,
  databaseUrl,
}: CommandLine['configResult']['config']): Promise<readonly string[]> {
  if (mode !== 'production' || databaseUrl === null || !URL.canParse(databaseUrl)) return []
  return findStoreProblems(
    parseDatabaseUrl(databaseUrl),
    trialPeople.map(({ emailAddress }) => emailAddress),
  )
}
