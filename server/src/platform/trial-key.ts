/** Trial mode's own master key: made at the first start, kept in the data folder for its owner's eyes only. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MasterKeys } from './keys.ts'
import { StartRefused } from './start-refused.ts'

export function trialKeys(dataDir: string): MasterKeys {
  const file = join(dataDir, 'master-key')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  const current = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (current.length !== 32)
    throw new StartRefused(`The master key in ${file} is damaged. Put back a copy of it; without it the stored passwords cannot be opened.`)
  return { current, old: [] }
}
