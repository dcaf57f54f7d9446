/** Secrets in files: `NAME_FILE` holds the path of a file with the value of `NAME`. */
import { readFileSync, statSync } from 'node:fs'
import type { EnvironmentVariables } from './setting.ts'

/** Adds the secrets from files to the environment. @param isSecret true if a variable may be given as a file */
export function withSecretFiles(
  env: EnvironmentVariables,
  isSecret: (name: string) => boolean,
  problems: string[],
): EnvironmentVariables {
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

/** True if the variable or its file is given, valid or not. */
export function isGiven(env: EnvironmentVariables, name: string): boolean {
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

/** A file with another owner, such as one that an orchestrator mounts, is read with the group's permission. */
function isOpenToOthers(file: string): boolean {
  if (process.platform === 'win32') return false
  const { mode, uid } = statSync(file)
  return (mode & (uid === process.getuid?.() ? 0o077 : 0o007)) !== 0
}
