/** The database of the demonstration shop in the embedded PostgreSQL, with a read-only login. */
import { changeShop, createShop } from '@tributary/sims/shop/shop'
import type { ClientConfig } from 'pg'
import { revokeLargeObjects } from '../kernel/store/revoke-large-objects.ts'
import { withClient } from '../kernel/store/with-client.ts'

export interface ShopConnection {
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
}

const database = 'shop'
const reader = { user: 'shop_reader', password: 'harbour-shop-demo' }
/** The embedded server accepts TCP connections only from members of this role. */
const tcpReaders = 'tributary_warehouse_reader'
const size = { customers: 2_000, products: 400, orders: 12_000 }

/** Creates the shop if it does not exist. Idempotent: a later start completes an interrupted one. */
export async function ensureShop(
  superuser: ClientConfig,
  address: { readonly host: string; readonly port: number },
  seed: number,
): Promise<ShopConnection> {
  await withClient(superuser, async (admin) => {
    const { rowCount } = await admin.query('SELECT FROM pg_database WHERE datname = $1', [database])
    if (rowCount === 0) await admin.query(`CREATE DATABASE ${database}`)
    await admin.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`)
    const known = await admin.query('SELECT FROM pg_roles WHERE rolname = $1', [reader.user])
    if (known.rowCount === 0)
      await admin.query(`CREATE ROLE ${reader.user} LOGIN CONNECTION LIMIT 20 IN ROLE ${tcpReaders}`)
    // The role can change its own password and settings; each start resets them.
    await admin.query(`ALTER ROLE ${reader.user} PASSWORD '${reader.password}'; ALTER ROLE ${reader.user} RESET ALL`)
    await admin.query(`ALTER ROLE ${reader.user} SET temp_file_limit = '1GB'`)
    await admin.query(`GRANT CONNECT ON DATABASE ${database} TO ${reader.user}`)
  })
  await withClient({ ...superuser, database }, async (shop) => {
    await revokeLargeObjects(shop)
    const { rowCount } = await shop.query(`SELECT FROM pg_namespace WHERE nspname = 'shop'`)
    if (rowCount !== 0) return
    await createShop(shop, { seed, ...size })
    await shop.query(
      `GRANT USAGE ON SCHEMA shop TO ${reader.user}; GRANT SELECT ON ALL TABLES IN SCHEMA shop TO ${reader.user}; ANALYZE`,
    )
  })
  return { ...address, database, ...reader }
}

/** Changes the shop's data as one step of its simulated activity does. */
export async function changeShopData(superuser: ClientConfig, seed: number, step: number): Promise<void> {
  await withClient({ ...superuser, database }, (shop) => changeShop(shop, { seed, step }))
}
