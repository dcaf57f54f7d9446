/** Passkeys: WebAuthn, bound to the host of the portal's address. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import * as z from 'zod'
import type { Config } from '../../kernel/config/config.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'

interface PasskeyServices {
  readonly clock: Clock
  readonly config: Config
}

/** Takes a quarter of a second to load, which the start need not wait for. */
const webAuthn = () => import('@simplewebauthn/server')
/** What a browser sent; its form is checked by the verification, which throws for what is none. */
export type PasskeyResponse = Readonly<Record<string, unknown>>

interface PasskeyOwner {
  readonly userId: string
  readonly emailAddress: string
  readonly name: string
}

/** What the browser needs to make one. */
export async function registrationOptions(
  db: Db,
  { config }: { readonly config: Config },
  { userId, emailAddress, name }: PasskeyOwner,
) {
  const { generateRegistrationOptions } = await webAuthn()
  const known = await listOf(db, userId)
  return generateRegistrationOptions({
    rpName: 'Tributary',
    rpID: hostOf(config),
    userID: new TextEncoder().encode(userId),
    userName: emailAddress,
    userDisplayName: name,
    excludeCredentials: known,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
}

/** Keeps the one that the browser made for this challenge; false for an answer that is not right. */
export async function addPasskey(
  db: Db,
  { config, clock }: PasskeyServices,
  { userId, name, challenge, answer }: { userId: string; name: string; challenge: string; answer: PasskeyResponse },
): Promise<boolean> {
  const { verifyRegistrationResponse } = await webAuthn()
  const response = answer as unknown as RegistrationResponseJSON
  const expected = { expectedChallenge: challenge, expectedOrigin: config.publicUrl, expectedRPID: hostOf(config) }
  // It throws for whatever does not fit, and a browser's nonsense is no failure of ours.
  const result = await verifyRegistrationResponse({ response, ...expected, requireUserVerification: false }).catch(
    () => null,
  )
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

/** The one part of an answer that nothing is signed over; it only spares the browser a question. */
const Transports = z.array(z.string().max(20)).max(10).catch([])

/** What the browser needs to ask for one: of that person, or of whoever the passkey says they are. */
export async function authenticationOptions(db: Db, { config }: { readonly config: Config }, userId: string | null) {
  const { generateAuthenticationOptions } = await webAuthn()
  const whose = userId === null ? {} : { allowCredentials: await listOf(db, userId) }
  // By itself it is the only proof: then it must have asked for a finger, a face or a PIN.
  return generateAuthenticationOptions({
    rpID: hostOf(config),
    userVerification: userId === null ? 'required' : 'preferred',
    ...whose,
  })
}

/** Whose passkey signed this challenge, or null. @param userId of whom it is expected; null: of anybody. */
export async function verifyPasskey(
  db: Db,
  { config, clock }: PasskeyServices,
  { userId, challenge, answer }: { userId: string | null; challenge: string; answer: PasskeyResponse },
): Promise<string | null> {
  const response = answer as unknown as AuthenticationResponseJSON
  if (typeof response.id !== 'string') return null
  const { verifyAuthenticationResponse } = await webAuthn()
  // The row is held until the counter is written: a copy of an authenticator shows by a counter that does not grow.
  const row = await db
    .selectFrom('passkey')
    .selectAll()
    .where('credentialId', '=', response.id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined || (userId !== null && row.userId !== userId)) return null
  const credential = { id: row.credentialId, publicKey: new Uint8Array(row.publicKey), counter: row.counter }
  const expected = { expectedChallenge: challenge, expectedOrigin: config.publicUrl, expectedRPID: hostOf(config) }
  const requireUserVerification = userId === null
  const result = await verifyAuthenticationResponse({
    response,
    credential,
    ...expected,
    requireUserVerification,
  }).catch(() => null)
  if (result?.verified !== true) return null
  const change = { counter: result.authenticationInfo.newCounter, lastUsedAt: isoTime(clock.now()) }
  await db.updateTable('passkey').set(change).where('id', '=', row.id).execute()
  return row.userId
}

async function listOf(db: Db, userId: string): Promise<{ id: string; transports: string[] }[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['credentialId', 'transports'])
    .where('userId', '=', userId)
    .execute()
  return rows.map(({ credentialId, transports }) => ({ id: credentialId, transports }))
}

function hostOf({ publicUrl }: Config): string {
  return new URL(publicUrl).hostname
}
