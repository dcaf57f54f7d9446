/** The master key of trial mode: created at the first start and kept in the data folder, readable by the owner only. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listKeyLines, type MasterKeys, parseMasterKey } from './master-keys.ts'
import { StartRefused } from '../start-error.ts'

export function trialKeys(dataDir: string): MasterKeys {
  const file = join(dataDir, 'master-key')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  const lines = listKeyLines(readFileSync(file, 'utf8')).map(parseMasterKey)
  const [current, ...old] = lines.filter((key) => typeof key !== 'string')
  if (current === undefined || old.length + 1 < lines.length)
    throw new StartRefused(
      `The master key in ${file} is damaged. Put back a copy of it; without it the stored passwords cannot be opened.`,
    )
  return { current, old, file }
}
