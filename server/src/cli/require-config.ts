/** What a command needs of the configuration before it touches anything. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, ConfigResult } from '../kernel/config/config.ts'
import type { MasterKeys } from '../kernel/config/master-keys.ts'
import { trialKeys } from '../kernel/config/trial-master-key.ts'
import { Refused } from './command-refused.ts'

/** Without DATABASE_URL, for one, a command would look after the trial in the data folder instead. */
export function requireConfigured({ problems }: ConfigResult): void {
  if (problems.length === 0) return
  const list = problems.map((problem) => `  - ${problem}`).join('\n')
  throw new Refused(
    'configuration',
    `The configuration is not right. Set what the server is started with, then try again:\n${list}`,
  )
}

/** A trial's own key is not made by a command: it would open nothing. */
export function keysOf({ masterKeys, dataDir }: Config): MasterKeys {
  if (masterKeys !== null) return masterKeys
  const file = join(dataDir, 'master-key')
  if (!existsSync(file))
    throw new Refused(
      'noMasterKey',
      `There is no master key: a trial keeps it in ${file}. Copy the one there that the store or the backup was made with, for its owner alone (chmod 600).`,
    )
  return trialKeys(dataDir)
}
