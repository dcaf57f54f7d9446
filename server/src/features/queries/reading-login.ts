/** Stores, proves and removes logins for reading, and runs queries under them. The login that loads is never used. */
import { may } from '@tributary/contract/capabilities'
import type { ReadingLoginProof } from '@tributary/contract/queries'
import type { Camel } from '@tributary/contract/wire'
import { asFault } from '@tributary/engine/ports/faults'
import { type QueryLimits, type QueryResult } from '@tributary/engine/ports/query'
import type { ConnectionTestResult } from '@tributary/engine/ports/settings'
import {
  proveReading,
  type ReadableTable,
  type ReadingLogin,
  type TargetReader,
} from '@tributary/engine/ports/target-reader'
import { countCredentialTest } from '../../connections/databases/credential-test-limits.ts'
import { toSettingsWrong } from '../../connections/databases/database-fault.ts'
import {
  decryptReadingLogin,
  deleteReadingLogin,
  type StoredReadingLogin,
  storeReadingLogin,
} from '../../connections/databases/reading-login.ts'
import { checkWithTimeout } from '../../connections/databases/check-database.ts'
import { auditCredentialTest } from '../../security/audit/audit-credential-test.ts'
import type { AppServices } from '../../app-services.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault, detailedFault, notFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { getOwnTarget, type OpenedTarget } from './query-targets.ts'

type ReadingLoginServices = Pick<
  AppServices,
  'audit' | 'clock' | 'log' | 'network' | 'rateLimiters' | 'secrets' | 'store' | 'throttle'
>

export interface TargetCall {
  readonly auditContext: CallerContext
  readonly connectorId: string
  readonly signal: AbortSignal
}

/** Stores the login only if every check has passed. */
export async function saveReadingLogin(
  services: ReadingLoginServices,
  call: TargetCall,
  login: ReadingLogin,
): Promise<Camel<ReadingLoginProof>> {
  const { audit, secrets, store } = services
  const { auditContext, connectorId } = call
  const { organisationId, actor } = auditContext
  await countCredentialTest(services, { actor, organisationId })
  const { address, ...opened } = await readTarget(services, call)
  const checks = await prove(services, call, { ...opened, address }, login)
  const isSaved = checks.every(({ outcome }) => outcome === 'passed')
  if (isSaved)
    await store.within(organisationId, async (db) => {
      await storeReadingLogin(
        db,
        secrets,
        { organisationId, connectorId },
        { ...login, address, savedBy: actor.userId },
      )
      await audit.record(db, auditContext, { action: 'connector.reading_login_set', object: objectOf(connectorId) })
    })
  return { isSaved, checks }
}

export async function checkReadingLogin(
  services: ReadingLoginServices,
  call: TargetCall,
): Promise<Camel<ReadingLoginProof>> {
  const { actor, organisationId } = call.auditContext
  const opened = await readTarget(services, call)
  const login = await readLogin(services, call, opened)
  await countCredentialTest(services, { actor, organisationId })
  return { isSaved: true, checks: await prove(services, call, opened, login) }
}

/** Throws `notFound` if none is stored. */
export async function removeReadingLogin(
  db: Db,
  { audit }: Pick<AppServices, 'audit'>,
  auditContext: CallerContext,
  connectorId: string,
): Promise<void> {
  const { organisationId } = auditContext
  if (!(await deleteReadingLogin(db, { organisationId, connectorId }))) throw notFound()
  await audit.record(db, auditContext, { action: 'connector.reading_login_removed', object: objectOf(connectorId) })
}

/**
 * Runs a query on the target. The catalogue is asked each time, so that a right that was granted later closes the target.
 *
 * Throws `notAllowed`, `notFound`, `readingLogin`, `settingsWrong` and `QueryRefused`.
 */
export async function queryTarget(
  services: ReadingLoginServices,
  call: TargetCall,
  statement: string,
  limits: QueryLimits,
): Promise<QueryResult> {
  const { auditContext, connectorId, signal } = call
  const opened = await openForReading(services, call)
  await services.store.within(auditContext.organisationId, (db) =>
    services.audit.record(db, auditContext, { action: 'connector.queried', object: objectOf(connectorId) }),
  )
  // The query itself is cancelled by the caller's signal; this one only bounds the connection.
  const connection = AbortSignal.timeout(limits.timeMs + connectionMs)
  return useReader(services, call, { opened, connection }, (reader) => reader.query(statement, limits, signal))
}

/**
 * The tables of the target that the login for reading may read, for completion. No row is read, so the audit log does not record it.
 *
 * Throws `notAllowed`, `notFound`, `readingLogin` and `settingsWrong`.
 */
export async function listTargetTables(
  services: ReadingLoginServices,
  call: TargetCall,
): Promise<readonly ReadableTable[]> {
  const opened = await openForReading(services, call)
  const connection = AbortSignal.any([call.signal, AbortSignal.timeout(connectionMs)])
  return useReader(services, call, { opened, connection }, (reader) => reader.listTables())
}

type OpenedForReading = OpenedTarget & { readonly login: StoredReadingLogin }

async function openForReading(services: ReadingLoginServices, call: TargetCall): Promise<OpenedForReading> {
  if (!may(call.auditContext.actor.roleLevel, 'queryTargets')) throw new ApiFault('notAllowed')
  const opened = await readTarget(services, call)
  return { ...opened, login: await readLogin(services, call, opened) }
}

interface ReaderConnection {
  readonly opened: OpenedForReading
  readonly connection: AbortSignal
}

/** Refuses a login that can write by now. */
async function useReader<Result>(
  { network, clock, rateLimiters }: ReadingLoginServices,
  { signal }: TargetCall,
  { opened: { reading, settings, login }, connection }: ReaderConnection,
  use: (reader: TargetReader) => Promise<Result>,
): Promise<Result> {
  const context = { network, clock, rateLimiters, signal: connection }
  try {
    await using reader = await reading.open(settings, login, context)
    const findings = await reader.findWriteRights()
    if (findings.length > 0)
      throw readingLoginFault(
        `The login for reading can write meanwhile, so it was not used: it ${findings.slice(0, 3).join('; ')}. Take the right away, then test the login.`,
      )
    return await use(reader)
  } catch (error) {
    signal.throwIfAborted()
    throw toSettingsWrong(error)
  }
}

const connectionMs = 30_000

function readTarget({ secrets, store }: ReadingLoginServices, { auditContext, connectorId }: TargetCall) {
  const { organisationId } = auditContext
  return store.within(organisationId, (db) => getOwnTarget(db, organisationId, secrets, connectorId))
}

/** Throws `readingLogin` if no login is stored, or if it was entered for another address. */
async function readLogin(
  { secrets, store }: ReadingLoginServices,
  { auditContext, connectorId }: TargetCall,
  { address }: OpenedTarget,
): Promise<StoredReadingLogin> {
  const { organisationId } = auditContext
  const login = await store.within(organisationId, (db) =>
    decryptReadingLogin(db, secrets, { organisationId, connectorId }),
  )
  if (login === undefined)
    throw readingLoginFault('This target has no login for reading. An administrator stores one under Own databases.')
  if (login.address !== address)
    throw readingLoginFault(
      'The address of this target has changed since its login for reading was stored, so the login was not sent there. Store it again.',
    )
  return login
}

function readingLoginFault(detail: string): ApiFault {
  return detailedFault('readingLogin', detail)
}

async function prove(
  services: ReadingLoginServices,
  { auditContext, connectorId, signal }: TargetCall,
  { reading, settings }: OpenedTarget,
  login: ReadingLogin,
) {
  const event = { action: 'connector.credentials_tested', object: objectOf(connectorId) } as const
  return auditCredentialTest(services, { auditContext, event }, () =>
    checkWithTimeout(services, signal, (context) =>
      proveReading(() => reading.open(settings, login, context), toFailure),
    ),
  )
}

function toFailure(error: unknown): ConnectionTestResult {
  const { notice, remedy, kind } = asFault(error)
  if (kind === 'bug') throw error
  return { name: 'Connection', outcome: 'failed', notice, ...(remedy === undefined ? {} : { remedy }) }
}

const objectOf = (connectorId: string) => ({ type: 'connector', id: connectorId })
