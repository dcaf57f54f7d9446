/** Secrets that lie in files: `NAME_FILE` names one instead of `NAME`. */
import { readFileSync, statSync } from 'node:fs'
import type { Environment } from './setting.ts'

/** The environment with the secrets of the files in it. @param isSecret whether a variable of that name is one. */
export function withSecretFiles(
  env: Environment,
  isSecret: (name: string) => boolean,
  problems: string[],
): Environment {
  const found: Record<string, string | undefined> = { ...env }
  for (const [variable, file] of Object.entries(env)) {
    const name = variable.replace(/_FILE$/u, '')
    if (name === variable || file === undefined || !isSecret(name)) continue
    delete found[variable]
    if (env[name] === undefined) found[name] = readSecret(variable, file, problems)
    else problems.push(`${name} and ${variable} are both set. Keep one of them.`)
  }
  return found
}

/** Whether it is given in either way, be it right or wrong. */
export function isGiven(env: Environment, name: string): boolean {
  return env[name] !== undefined || env[`${name}_FILE`] !== undefined
}

function readSecret(variable: string, file: string, problems: string[]): string | undefined {
  try {
    if (isOpenToOthers(file)) problems.push(`${variable} can be read by others. Run: chmod 600 ${file}`)
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    problems.push(`${variable} cannot be read (${(error as NodeJS.ErrnoException).code}): ${file}`)
    return undefined
  }
}

/** A file that belongs to somebody else, as those do that an orchestrator mounts, is read by way of its group. */
function isOpenToOthers(file: string): boolean {
  if (process.platform === 'win32') return false
  const { mode, uid } = statSync(file)
  return (mode & (uid === process.getuid?.() ? 0o077 : 0o007)) !== 0
}
