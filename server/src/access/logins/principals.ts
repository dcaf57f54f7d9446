/** Creates a person's principal, whose portal login has a generated password that only the server knows. */
import { randomBytes } from 'node:crypto'
import type { ConnectionServices } from '../../connections/connection-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { decryptOr } from '../../security/secrets/secrets.ts'
import { generatePassword, scramVerifier } from '../warehouse/scram.ts'
import {
  findPrincipal,
  insertPrincipal,
  lockPrincipal,
  type PrincipalRow,
  storeAssistantPassword,
  storePortalPassword,
} from './queries.ts'

export type PrincipalServices = Pick<ConnectionServices, 'secrets' | 'store'>

export interface PortalCredentials {
  readonly principal: PrincipalRow
  readonly password: string
  /** The password was created by this call, so the login does not have it yet. */
  readonly isNew: boolean
}

/** Creates the principal if the person has none. A password that can no longer be decrypted is replaced. */
export async function ensurePrincipal(
  { secrets }: Pick<PrincipalServices, 'secrets'>,
  db: Db,
  organisationId: string,
  userId: string,
): Promise<PortalCredentials> {
  const existing = await findPrincipal(db, organisationId, userId)
  const locationOf = (row: string) => ({ organisationId, table: 'warehouse_principal', column: 'portal_secret', row })
  const create = async (id: string) => {
    const password = generatePassword()
    const portalSecret = await secrets.encrypt(db, locationOf(id), password)
    return { id, password, portalSecret, portalVerifier: scramVerifier(password) }
  }
  if (existing === undefined) {
    const { password, ...created } = await create(randomBytes(6).toString('hex'))
    const principal = await insertPrincipal(db, organisationId, { ...created, userId })
    if (principal.id === created.id) return { principal, password, isNew: true }
    return ensurePrincipal({ secrets }, db, organisationId, userId)
  }
  const stored = await decryptOr(null, () => secrets.decrypt(db, locationOf(existing.id), existing.portalSecret))
  if (stored !== null) return { principal: existing, password: stored, isNew: false }
  const { password, ...replaced } = await create(existing.id)
  await storePortalPassword(db, organisationId, replaced)
  return { principal: { ...existing, ...replaced }, password, isNew: true }
}

/**
 * The same for the login of the person's assistants. Creates the principal if the person has none. Two concurrent first calls can both
 * create a password: the second one waits for the row, and then reads that of the first.
 */
export async function ensureAssistant(
  services: Pick<PrincipalServices, 'secrets'>,
  db: Db,
  organisationId: string,
  userId: string,
): Promise<PortalCredentials> {
  const { secrets } = services
  const { principal: own } = await ensurePrincipal(services, db, organisationId, userId)
  const principal = own.assistantSecret === null ? await lockPrincipal(db, organisationId, userId) : own
  const location = { organisationId, table: 'warehouse_principal', column: 'assistant_secret', row: principal.id }
  const { assistantSecret } = principal
  const stored =
    assistantSecret === null ? null : await decryptOr(null, () => secrets.decrypt(db, location, assistantSecret))
  if (stored !== null) return { principal, password: stored, isNew: false }
  const password = generatePassword()
  const replaced = {
    assistantSecret: await secrets.encrypt(db, location, password),
    assistantVerifier: scramVerifier(password),
  }
  await storeAssistantPassword(db, organisationId, { id: principal.id, ...replaced })
  return { principal: { ...principal, ...replaced }, password, isNew: true }
}
