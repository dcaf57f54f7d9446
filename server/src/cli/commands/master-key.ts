/** Changes the master key in its file. A key from the environment is changed where it is kept, by the operator. */
import { addMasterKey, dropFormerMasterKeys } from '../../security/keys/master-key-file.ts'
import { reWrapAll } from '../../security/keys/re-wrap-keys.ts'
import { keyEvent } from '../../security/keys/rotate-keys.ts'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { CommandResult } from '../command-line.ts'
import { operatorAuditContext } from '../operator.ts'
import { CommandRefused } from '../command-refused.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

type MasterKeyServices = Pick<AppServices, 'audit' | 'masters' | 'store'>

/**
 * Adds a new master key and wraps all keys with it. Running servers reread the file when they meet a key of an unknown
 * version.
 */
export async function renewMaster(services: MasterKeyServices): Promise<CommandResult> {
  const version = await underLock(services, (db) => {
    changeFile(services, addMasterKey)
    return record(db, services, 'crypto.key_rotated')
  })
  const wrapped = await reWrapAll(services)
  const text = `${wrapped} keys were wrapped with the new master key ${version}. The former one stays in the file until: tributary keys retire master. Copy the file to where you keep your copy before that.`
  return { text, value: { version, wrapped } }
}

export async function dropFormerMasters(services: MasterKeyServices): Promise<CommandResult> {
  const version = await underLock(services, async (db) => {
    const left = await countOthers(db, services.masters.wrappingKey().version)
    if (left > 0)
      throw new CommandRefused(
        'keyInUse',
        `${left} keys are still wrapped by a former master key. Wrap them with the current one first: tributary keys rewrap`,
      )
    changeFile(services, dropFormerMasterKeys)
    return record(db, services, 'crypto.key_retired')
  })
  return {
    text: `The file holds only the master key ${version} now. Former ones are needed for backups from their time.`,
    value: { version },
  }
}

/**
 * Two concurrent commands would overwrite each other's file, and with it the only copy of a key that already wraps
 * others.
 */
function underLock<T>({ store }: Pick<AppServices, 'store'>, work: (db: Db) => Promise<T>): Promise<T> {
  // Across, here and below: the keys of all organisations are wrapped by the one master key.
  return store.across(async (db) => {
    await lockForTransaction(db, 'serverKeys')
    return work(db)
  })
}

function changeFile({ masters: { file } }: Pick<AppServices, 'masters'>, change: (file: string) => void): void {
  if (file === undefined) throw new CommandRefused('masterKeyInEnvironment', byHand)
  try {
    change(file)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new CommandRefused(
      'masterKeyFileFixed',
      `The master key's file cannot be changed from here (${code}): ${file}. ${byHand}`,
    )
  }
}

const byHand =
  'Change it where it is kept: add a new key (openssl rand -base64 32) next to the one in use on every machine, then put the new one first everywhere, then run: tributary keys rewrap. docs/keys.md lists the steps.'

async function countOthers(db: Db, version: number): Promise<number> {
  const ofData = await db.selectFrom('dataKey').select('id').where('masterVersion', '!=', version).execute()
  const ofServer = await db.selectFrom('serverKey').select('id').where('masterVersion', '!=', version).execute()
  return ofData.length + ofServer.length
}

async function record(
  db: Db,
  { audit, masters }: Pick<AppServices, 'audit' | 'masters'>,
  action: 'crypto.key_rotated' | 'crypto.key_retired',
): Promise<number> {
  const { version } = masters.wrappingKey()
  await audit.record(db, operatorAuditContext(), keyEvent(action, { root: 'master', version }))
  return version
}
