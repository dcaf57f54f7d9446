/**
 * One step of the restore drill in a separate process. Its argument is a `DrillStep` as JSON. Prints its peak memory in
 * KiB.
 */
import { createWriteStream, readFileSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { makeBackup } from '../../../server/src/security/backup/make-backup.ts'
import { restoreBackup } from '../../../server/src/security/backup/restore.ts'

interface DrillSettings {
  readonly connection: ClientConfig
  readonly masterKey: string
  readonly file: string
}
export type DrillStep = DrillSettings &
  ({ readonly kind: 'backup'; readonly recipient: string } | { readonly kind: 'restore'; readonly identity: string })

const step = JSON.parse(process.argv[2] ?? '') as DrillStep
const keys = { current: Buffer.from(step.masterKey, 'base64'), old: [] }
const { connection, file } = step
if (step.kind === 'backup') {
  const lock = { recipients: [step.recipient] }
  await makeBackup({ connection, keys, lock, productVersion: '1.0.0', to: createWriteStream(file) })
} else await restoreBackup(connection, { file, unlock: { identities: [step.identity] }, keys })
// Not resourceUsage().maxRSS, because Linux includes the memory that the parent had when it started this process.
process.stdout.write(/VmHWM:\s+(\d+)/u.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '')
