/** Gives logins the passwords that the store has, and ends the connections of the former ones. */
import { createHash } from 'node:crypto'
import { type Client, escapeIdentifier as q, escapeLiteral } from 'pg'
import type { WarehouseRow } from '../warehouse/queries.ts'
import { endConnections } from './person-roles.ts'
import { listPasswordDigests, storePasswordDigests } from './rights-schema.ts'
import { principalRoles } from './role-names.ts'
import type { Reader } from './wanted-access.ts'
import type { WarehouseCatalogue } from './warehouse-catalogue.ts'

/**
 * Call once the roles exist. The digest is stored last: an attempt that is interrupted before that is repeated, so no connection with
 * a former password remains.
 * @param catalogue from before the roles were created. A login that is not in it has the password of the store.
 */
export async function applyPasswords(
  client: Client,
  names: WarehouseRow,
  { catalogue, readers }: { readonly catalogue: WarehouseCatalogue; readonly readers: readonly Reader[] },
): Promise<void> {
  const known = await listPasswordDigests(client)
  for (const { principal } of readers) {
    const { access, sql, portal } = principalRoles(names.databaseName, principal.id)
    const wanted = { portal: digestOf(principal.portalVerifier), sql: digestOf(principal.sqlVerifier) }
    const found = known.get(access)
    if (found?.portal === wanted.portal && found.sql === wanted.sql) continue
    const logins = [
      { name: portal, verifier: principal.portalVerifier, isSet: found?.portal === wanted.portal },
      { name: sql, verifier: principal.sqlVerifier, isSet: found?.sql === wanted.sql },
    ]
    for (const { name, verifier, isSet } of logins)
      if (verifier !== null && !isSet && catalogue.roles.has(name)) {
        await client.query(`ALTER ROLE ${q(name)} PASSWORD ${escapeLiteral(verifier)}`)
        await endConnections(client, name, null)
      }
    await storePasswordDigests(client, access, wanted)
  }
}

function digestOf(verifier: string | null): string | null {
  return verifier === null ? null : createHash('sha256').update(verifier).digest('hex')
}
