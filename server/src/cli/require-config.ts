/** Checks the configuration before a command touches anything. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, ConfigResult } from '../kernel/config/config.ts'
import type { MasterKeys } from '../kernel/config/master-keys.ts'
import { trialKeys } from '../kernel/config/trial-master-key.ts'
import { CommandRefused } from './command-refused.ts'

/**
 * Refuses an incomplete configuration. Without DATABASE_URL, for example, the command would change the trial in the
 * data folder.
 */
export function requireConfigured({ problems }: ConfigResult): void {
  if (problems.length === 0) return
  const list = problems.map((problem) => `  - ${problem}`).join('\n')
  throw new CommandRefused(
    'configuration',
    `The configuration is wrong or incomplete, and nothing was changed. Set the same variables as for the server, then try again:\n${list}`,
  )
}

/** Returns the master keys. A command never creates a trial's key, because a new key could decrypt nothing. */
export function requireMasterKeys({ masterKeys, dataDir }: Config): MasterKeys {
  if (masterKeys !== null) return masterKeys
  const file = join(dataDir, 'master-key')
  if (!existsSync(file))
    throw new CommandRefused(
      'noMasterKey',
      `There is no master key: a trial keeps it in ${file}. Copy the key of the store or the backup to that file, readable only by its owner (chmod 600).`,
    )
  return trialKeys(dataDir)
}
