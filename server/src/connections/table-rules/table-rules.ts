/** The stored rules of a connector's tables, and the key of an organisation's hashes. */
import { randomBytes } from 'node:crypto'
import {
  type ColumnMask,
  describeConditions,
  type RowCondition,
  type TableRules,
} from '@tributary/engine/ports/table-rules'
import { sql } from 'kysely'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import type { Db } from '../../kernel/store/store.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { ConnectorLocation } from '../connectors/connector-settings.ts'

interface StoredRules extends TableRules {
  readonly stream: string
  readonly changedAt: string
}

export function listTableRules(db: Db, { organisationId, connectorId }: ConnectorLocation): Promise<StoredRules[]> {
  return db
    .selectFrom('tableRule')
    .select(['stream', 'changedAt'])
    .select(({ ref }) => [
      ref('conditions').$castTo<readonly RowCondition[]>().as('conditions'),
      ref('masks').$castTo<readonly ColumnMask[]>().as('masks'),
    ])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('stream')
    .execute()
}

/** The filters in words, by stream. */
export async function describeFilters(db: Db, connector: ConnectorLocation): Promise<ReadonlyMap<string, string>> {
  const filtered = (await listTableRules(db, connector)).filter(({ conditions }) => conditions.length > 0)
  return new Map(filtered.map(({ stream, conditions }) => [stream, describeConditions(conditions)]))
}

export interface SavedRules extends TableRules {
  readonly stream: string
  readonly userId: string
}

/** Without conditions and masks the rules end. */
export async function saveTableRules(
  db: Db,
  secrets: Secrets,
  { organisationId, connectorId }: ConnectorLocation,
  { stream, conditions, masks, userId }: SavedRules,
): Promise<void> {
  if (conditions.length + masks.length === 0) {
    await db
      .deleteFrom('tableRule')
      .where('organisationId', '=', organisationId)
      .where('connectorId', '=', connectorId)
      .where('stream', '=', stream)
      .execute()
    return
  }
  if (masks.some(({ method }) => method.kind === 'hash')) await ensureMaskingSecret(db, secrets, organisationId)
  const values = {
    conditions: JSON.stringify(conditions),
    masks: JSON.stringify(masks),
    changedBy: userId,
    changedAt: sql<string>`now()`,
  }
  await db
    .insertInto('tableRule')
    .values({ organisationId, connectorId, stream, ...values })
    .onConflict((conflict) => conflict.columns(['connectorId', 'stream']).doUpdateSet(values))
    .execute()
}

export interface RunRules {
  readonly rules: ReadonlyMap<string, TableRules>
  readonly secret: Uint8Array
}

/** For a run: the rules by stream, and the key of the hashes; empty if nothing is hashed. */
export async function readRunRules(db: Db, secrets: Secrets, connector: ConnectorLocation): Promise<RunRules> {
  const stored = await listTableRules(db, connector)
  const isHashing = stored.some(({ masks }) => masks.some(({ method }) => method.kind === 'hash'))
  return {
    rules: new Map(stored.map(({ stream, conditions, masks }) => [stream, { conditions, masks }])),
    secret: isHashing ? await readMaskingSecret(db, secrets, connector.organisationId) : new Uint8Array(),
  }
}

const secretBytes = 32

/** The first one stays, because other hashes of equal values could not be joined. */
async function ensureMaskingSecret(db: Db, secrets: Secrets, organisationId: string): Promise<void> {
  const clear = randomBytes(secretBytes).toString('base64')
  const secret = await secrets.encrypt(db, secretLocation(organisationId), clear)
  await db
    .insertInto('maskingSecret')
    .values({ organisationId, secret })
    .onConflict((conflict) => conflict.column('organisationId').doNothing())
    .execute()
}

async function readMaskingSecret(db: Db, secrets: Secrets, organisationId: string): Promise<Uint8Array> {
  const { secret } = await db
    .selectFrom('maskingSecret')
    .select('secret')
    .where('organisationId', '=', organisationId)
    .executeTakeFirstOrThrow()
  return Buffer.from(await secrets.decrypt(db, secretLocation(organisationId), secret), 'base64')
}

function secretLocation(organisationId: string): SecretLocation {
  return { organisationId, table: 'masking_secret', column: 'secret', row: organisationId }
}
