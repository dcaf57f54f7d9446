/** Compares the settings in deployment files with the server's table of settings. */
import { isNamed } from '../../server/src/kernel/config/setting.ts'
import { allSettings, isSecretName } from '../../server/src/kernel/config/all-settings.ts'

/** Variables of Node and its platform, not settings of the product. */
const others = new Set(['NODE_ENV'])

/** Variables that are not settings, such as renamed ones. */
export function listUnknown(variables: readonly string[]): readonly string[] {
  return variables.filter(
    (variable) => !others.has(variable) && !isKnown(variable) && !isKnown(variable.replace(/_FILE$/u, '')),
  )
}

/** Secrets that are in the environment in plain text. */
export function listBare(variables: readonly string[]): readonly string[] {
  return variables.filter((variable) => isSecretName(variable))
}

function isKnown(variable: string): boolean {
  return allSettings.some((setting) => isNamed(setting, variable))
}

/** Maximum time in seconds that a process takes to stop. */
export function stopSeconds(): number {
  const setting = allSettings.find(({ name }) => name === 'TRIBUTARY_STOP_SECONDS')
  return Number(typeof setting?.initial === 'object' ? setting.initial.production : setting?.initial)
}

/** Database connections of one process: of the store, of the queue, and the one that listens for the queue. */
export const connectionsOfProcess = 20 + 3 + 1
