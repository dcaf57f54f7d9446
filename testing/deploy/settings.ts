/** What the files of the deployment say about settings, against the table that the server reads by. */
import { isNamed } from '../../server/src/kernel/config/setting.ts'
import { allSettings, isSecretName } from '../../server/src/kernel/config/all-settings.ts'

/** Of Node and of whatever carries it; not ours. */
const others = new Set(['NODE_ENV'])

/** Variables that no setting has the name of, such as one that was renamed since. */
export function listUnknown(variables: readonly string[]): readonly string[] {
  return variables.filter(
    (variable) => !others.has(variable) && !isKnown(variable) && !isKnown(variable.replace(/_FILE$/u, '')),
  )
}

/** Secrets that stand in the environment in the clear. */
export function listBare(variables: readonly string[]): readonly string[] {
  return variables.filter((variable) => isSecretName(variable))
}

function isKnown(variable: string): boolean {
  return allSettings.some((setting) => isNamed(setting, variable))
}

/** How long a process takes to stop at the most, in seconds. */
export function stopSeconds(): number {
  const setting = allSettings.find(({ name }) => name === 'TRIBUTARY_STOP_SECONDS')
  return Number(typeof setting?.initial === 'object' ? setting.initial.production : setting?.initial)
}

/** What one process takes of the database's connections: of the store, of the queue, and the one that listens for it. */
export const connectionsOfProcess = 20 + 3 + 1
