/** After a change of the master key: wraps all keys again with the current one. */
import type { KernelServices } from '../../kernel/kernel-services.ts'
import { dataKeyLocation } from '../secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { MasterKeyRing } from '../../kernel/config/master-keys.ts'
import { keyContextOf } from './server-keys.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

/** One transaction per batch: row locks are short, and a killed process loses no completed batch. */
const batch = 100

type ReWrapServices = Pick<KernelServices, 'masters' | 'store'>

/** Resumes where another process stopped. Returns the number of keys; throws `WrongMasterKey` if no known key unwraps one. */
export async function reWrapAll({ store, masters }: ReWrapServices): Promise<number> {
  let count = 0
  for (const rewrapSome of [rewrapDataKeys, rewrapServerKeys]) {
    for (;;) {
      // Across: the keys of all organisations are wrapped by the one master key.
      const some = await store.across(async (db) => {
        // Reads the file under the lock, so that no key is wrapped by one that another command has just removed.
        await lockForTransaction(db, 'serverKeys')
        return rewrapSome(db, masters, masters.wrappingKey())
      })
      count += some
      if (some === 0) break
    }
  }
  return count
}

type WrappingKey = ReturnType<MasterKeyRing['wrappingKey']>

async function rewrapDataKeys(db: Db, masters: MasterKeyRing, wrapping: WrappingKey): Promise<number> {
  const rows = await db
    .selectFrom('dataKey')
    .selectAll()
    .where('masterVersion', '!=', wrapping.version)
    .limit(batch)
    .forUpdate()
    .execute()
  for (const row of rows) {
    const change = rewrap(masters, wrapping, row, dataKeyLocation(row))
    await db.updateTable('dataKey').set(change).where('id', '=', row.id).execute()
  }
  return rows.length
}

async function rewrapServerKeys(db: Db, masters: MasterKeyRing, wrapping: WrappingKey): Promise<number> {
  const rows = await db
    .selectFrom('serverKey')
    .selectAll()
    .where('masterVersion', '!=', wrapping.version)
    .limit(batch)
    .forUpdate()
    .execute()
  for (const row of rows) {
    const change = rewrap(masters, wrapping, row, keyContextOf(row))
    await db.updateTable('serverKey').set(change).where('id', '=', row.id).execute()
  }
  return rows.length
}

function rewrap(
  masters: MasterKeyRing,
  { key, version }: WrappingKey,
  { masterVersion, wrapped }: { readonly masterVersion: number; readonly wrapped: string },
  location: string,
) {
  const clear = decrypt(masters.unwrappingKey(masterVersion), wrapped, location)
  return { wrapped: encrypt(key, clear, location), masterVersion: version }
}
