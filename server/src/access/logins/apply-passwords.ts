/** Gives logins the passwords that the store has, and ends the connections of the former ones. */
import { createHash } from 'node:crypto'
import { type Client, escapeIdentifier as q, escapeLiteral } from 'pg'
import type { WarehouseRow } from '../warehouse/queries.ts'
import { endConnections } from './person-roles.ts'
import { listPasswordDigests, storePasswordDigest } from './rights-schema.ts'
import { principalRoles } from './role-names.ts'
import type { WantedAccess } from './wanted-access.ts'
import type { WarehouseCatalogue } from './warehouse-catalogue.ts'

interface WantedPasswords extends Pick<WantedAccess, 'readers'> {
  /** From before the roles were created. A login that is not in it has the password of the store. */
  readonly catalogue: WarehouseCatalogue
}

/**
 * Call once the roles exist. The digest is stored last: an attempt that is interrupted before that is repeated, so no connection with
 * a former password remains.
 */
export async function applyPasswords(
  client: Client,
  names: WarehouseRow,
  { catalogue, readers }: WantedPasswords,
): Promise<void> {
  const known = await listPasswordDigests(client)
  for (const { principal } of readers) {
    const { sql, portal, assistant } = principalRoles(names.databaseName, principal.id)
    const logins = [
      { name: portal, verifier: principal.portalVerifier },
      { name: sql, verifier: principal.sqlVerifier },
      { name: assistant, verifier: principal.assistantVerifier },
    ]
    for (const { name, verifier } of logins) {
      if (verifier === null) continue
      const mark = createHash('sha256').update(verifier).digest('hex')
      if (known.get(name) === mark) continue
      if (catalogue.roles.has(name)) {
        await client.query(`ALTER ROLE ${q(name)} PASSWORD ${escapeLiteral(verifier)}`)
        await endConnections(client, name, null)
      }
      await storePasswordDigest(client, name, mark)
    }
  }
}
