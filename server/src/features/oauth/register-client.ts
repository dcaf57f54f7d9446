/** Dynamic registration of clients (RFC 7591). Anyone may register, which grants nothing: a person has to allow the client. */
import { oauthLimits } from '@tributary/contract/limits'
import type { AppServices } from '../../app-services.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { addressBlock } from '../../security/throttling/network-prefix.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { readClientMetadata } from './client-metadata.ts'
import { grantTypes } from './metadata.ts'
import { OauthError } from './oauth-error.ts'
import { countUnusedClients, deleteUnusedClients, insertClient } from './queries.ts'

type RegisterServices = Pick<AppServices, 'clock' | 'settings' | 'store' | 'throttle'>

const registrationLimit: ThrottleLimit = { kind: 'oauth registration', free: 20, waitMs: 3_600_000, isShared: true }
/** A person needs minutes from registration to consent. */
const undisturbedMs = 3_600_000

/** Throws `OauthError` and `tooMany`. */
export async function registerClient(services: RegisterServices, sent: unknown, address: string) {
  const { clock, settings, store, throttle } = services
  if (!(await settings.read()).Assistants)
    throw new OauthError('access_denied', 'The provider of this portal has not switched assistants on.')
  const { name, redirectUris } = readClientMetadata(sent)
  await throttle.attempt(registrationLimit, addressBlock(address))
  const now = clock.now()
  // Across: a client belongs to no organisation.
  const id = await store.across(async (db) => {
    await requireSpace(db, now)
    return insertClient(db, { name, redirectUris: [...redirectUris], createdAt: isoTime(now) })
  })
  return {
    client_id: id,
    client_id_issued_at: Math.floor(now / 1_000),
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: grantTypes,
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

type Db = Parameters<typeof insertClient>[0]

/** Makes room by deleting clients that no person has allowed, so that a flood does not keep others out for days. */
async function requireSpace(db: Db, now: number): Promise<void> {
  const max = oauthLimits.unusedClientsMax
  if ((await countUnusedClients(db)) < max) return
  await deleteUnusedClients(db, isoTime(now - undisturbedMs))
  if ((await countUnusedClients(db)) >= max) throw new ApiFault('tooMany', { values: { seconds: 600 } })
}
