/** After a change of the master key: what another one wrapped is wrapped by the current one. */
import { dataKeyPlace } from '../secrets/secrets.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { MasterKeyRing } from '../../kernel/config/master-keys.ts'
import { placeOf } from './server-keys.ts'
import { decrypt, encrypt } from './aes-gcm.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

/** A transaction each, so that nobody waits long for a key, and whoever is killed in between has lost none of the work. */
const batch = 100

interface Needs {
  readonly store: Store
  readonly masters: MasterKeyRing
}

/** Goes on where another left off. Answers how many; throws `WrongMasterKey` where none of ours opens one. */
export async function rewrapAll({ store, masters }: Needs): Promise<number> {
  let count = 0
  for (const rewrapSome of [rewrapDataKeys, rewrapServerKeys]) {
    for (;;) {
      // Across: the keys of all organisations are wrapped by the one master key.
      const some = await store.across(async (db) => {
        // The file is looked at under the lock: nothing is wrapped by a key that another command has just taken out of it.
        await lockForTransaction(db, 'serverKeys')
        return rewrapSome(db, masters, masters.wrappingKey())
      })
      count += some
      if (some === 0) break
    }
  }
  return count
}

interface Wrapping {
  readonly key: Buffer
  readonly version: number
}

async function rewrapDataKeys(db: Db, masters: MasterKeyRing, { key, version }: Wrapping): Promise<number> {
  const rows = await db
    .selectFrom('dataKey')
    .selectAll()
    .where('masterVersion', '!=', version)
    .limit(batch)
    .forUpdate()
    .execute()
  for (const row of rows) {
    const clear = decrypt(masters.unwrappingKey(row.masterVersion), row.wrapped, dataKeyPlace(row))
    const wrapped = encrypt(key, clear, dataKeyPlace(row))
    await db.updateTable('dataKey').set({ wrapped, masterVersion: version }).where('id', '=', row.id).execute()
  }
  return rows.length
}

async function rewrapServerKeys(db: Db, masters: MasterKeyRing, { key, version }: Wrapping): Promise<number> {
  const rows = await db
    .selectFrom('serverKey')
    .selectAll()
    .where('masterVersion', '!=', version)
    .limit(batch)
    .forUpdate()
    .execute()
  for (const row of rows) {
    const clear = decrypt(masters.unwrappingKey(row.masterVersion), row.wrapped, placeOf(row))
    const wrapped = encrypt(key, clear, placeOf(row))
    await db.updateTable('serverKey').set({ wrapped, masterVersion: version }).where('id', '=', row.id).execute()
  }
  return rows.length
}
