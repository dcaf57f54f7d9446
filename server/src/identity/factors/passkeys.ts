/** Passkeys (WebAuthn). The relying party is the host of the portal's public URL. */
import type { KernelServices } from '../../kernel/kernel-services.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as z from 'zod'
import type { Config } from '../../kernel/config/config.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'

type PasskeyServices = Pick<KernelServices, 'clock' | 'config'>

/** Lazy: loading takes 250 ms, which would delay the start. */
const webAuthn = () => import('@simplewebauthn/server')
/** A response as the browser sent it. The verification throws if it is malformed. */
export type PasskeyResponse = Readonly<Record<string, unknown>>

interface PasskeyOwner {
  readonly userId: string
  readonly emailAddress: string
  readonly name: string
}

/** The options for `navigator.credentials.create`. */
export async function createRegistrationOptions(
  db: Db,
  { config }: PasskeyServices,
  { userId, emailAddress, name }: PasskeyOwner,
) {
  const { generateRegistrationOptions } = await webAuthn()
  const known = await listPasskeys(db, userId)
  return generateRegistrationOptions({
    rpName: 'Tributary',
    rpID: relyingPartyId(config),
    userID: new TextEncoder().encode(userId),
    userName: emailAddress,
    userDisplayName: name,
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** Stores the passkey that the browser created for this challenge. Returns false for an invalid response. */
export async function addPasskey(
  db: Db,
  { config, clock }: PasskeyServices,
  { userId, name, challenge, answer }: { userId: string; name: string; challenge: string; answer: PasskeyResponse },
): Promise<boolean> {
  const { verifyRegistrationResponse } = await webAuthn()
  const response = answer as unknown as RegistrationResponseJSON
  // It throws for any invalid response, which is the caller's error and not the server's.
  const result = await verifyRegistrationResponse({
    response,
    ...expectedFor(config, challenge),
    requireUserVerification: false,
  }).catch(() => null)
  if (result?.verified !== true) return false
  const { id: credentialId, publicKey, counter, ...credential } = result.registrationInfo.credential
  const transports = Transports.parse(credential.transports)
  const row = {
    userId,
    name,
    credentialId,
    publicKey: Buffer.from(publicKey),
    counter,
    transports,
    createdAt: isoTime(clock.now()),
  }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkey')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The only unsigned part of a response. It is a hint for the browser, so invalid values are ignored. */
const Transports = z.array(z.string().max(20)).max(10).catch([])

/**
 * The options for `navigator.credentials.get`.
 * @param userId whose passkeys to allow; null for any discoverable passkey.
 */
export async function createAuthenticationOptions(
  db: Db,
  { config }: { readonly config: Config },
  userId: string | null,
) {
  const { generateAuthenticationOptions } = await webAuthn()
  const allowed = userId === null ? {} : { allowCredentials: await listPasskeys(db, userId) }
  // A passkey that is the only factor must verify the user by a fingerprint, a face or a PIN.
  return generateAuthenticationOptions({
    rpID: relyingPartyId(config),
    userVerification: userId === null ? 'required' : 'preferred',
    ...allowed,
  })
}

/**
 * Returns the id of the user whose passkey signed the challenge, or null.
 * @param userId the expected user; null for any.
 */
export async function verifyPasskey(
  db: Db,
  { config, clock }: PasskeyServices,
  { userId, challenge, answer }: { userId: string | null; challenge: string; answer: PasskeyResponse },
): Promise<string | null> {
  const response = answer as unknown as AuthenticationResponseJSON
  if (typeof response.id !== 'string') return null
  const { verifyAuthenticationResponse } = await webAuthn()
  // Locks the row until the counter is written: a counter that does not grow reveals a cloned authenticator.
  const row = await db
    .selectFrom('passkey')
    .selectAll()
    .where('credentialId', '=', response.id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || (userId !== null && row.userId !== userId)) return null
  const credential = { id: row.credentialId, publicKey: new Uint8Array(row.publicKey), counter: row.counter }
  const requireUserVerification = userId === null
  const result = await verifyAuthenticationResponse({
    response,
    credential,
    ...expectedFor(config, challenge),
    requireUserVerification,
  }).catch(() => null)
  if (result?.verified !== true) return null
  const change = { counter: result.authenticationInfo.newCounter, lastUsedAt: isoTime(clock.now()) }
  await db.updateTable('passkey').set(change).where('id', '=', row.id).execute()
  return row.userId
}

async function listPasskeys(db: Db, userId: string): Promise<{ id: string; transports: string[] }[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['credentialId', 'transports'])
    .where('userId', '=', userId)
    .execute()
  return rows.map(({ credentialId, transports }) => ({ id: credentialId, transports }))
}

function expectedFor(config: Config, challenge: string) {
  return { expectedChallenge: challenge, expectedOrigin: config.publicUrl, expectedRPID: relyingPartyId(config) }
}

function relyingPartyId({ publicUrl }: Config): string {
  return new URL(publicUrl).hostname
}
