/** Records that prove something about a connector's rows. */
import { createHash, randomUUID } from 'node:crypto'
import type { Db } from '../../../server/src/kernel/store/store.ts'

export interface TrustFixtures {
  readonly certificateId: string
  /** An auditor room whose person has not accepted the invitation. */
  readonly roomId: string
  /** Of the certificate. */
  readonly hash: string
  readonly markId: string
  /** An action after publications. */
  readonly actionId: string
  /** Of a publication. */
  readonly setId: string
}

interface TrustFixtureIds {
  readonly organisationId: string
  readonly connectorId: string
  readonly runId: string
  readonly userId: string
}

export async function insertTrust(
  db: Db,
  { organisationId, connectorId, runId, userId }: TrustFixtureIds,
): Promise<TrustFixtures> {
  const id = randomUUID()
  const document = JSON.stringify({ certificate: id })
  const hash = createHash('sha256').update(document).digest()
  const subject = { subject: 'tieOut', subjectKey: `${runId}/2026-10-01`, title: 'Tie-out of A company, 2026-10' }
  const issued = { period: '2026-10-01', verdict: 'amber', issuedAt: new Date(), issuedBy: userId }
  await db
    .insertInto('certificate')
    .values({ id, organisationId, connectorId, ...subject, ...issued, document, hash })
    .execute()
  const person = { firstName: 'Avery', lastName: 'Auditor', emailAddress: `auditor-${id}@added.example` }
  const extent = { connectorIds: [connectorId], endsAt: '2100-01-01', createdAt: new Date(), createdBy: userId }
  const room = { organisationId, ...person, ...extent }
  const { id: roomId } = await db.insertInto('auditorRoom').values(room).returning('id').executeTakeFirstOrThrow()
  const look = { what: 'Tie-out', object: connectorId, day: '2026-10-01', looks: 1, lastAt: new Date() }
  await db
    .insertInto('auditorLook')
    .values({ organisationId, roomId, ...look })
    .execute()
  const mark = { name: 'May 2026', slug: 'may_2026', periodEnd: '2026-05-31', moment: '2026-06-03T06:00:00.000000Z' }
  const { id: markId } = await db
    .insertInto('reportMark')
    .values({ organisationId, connectorId, runId, createdBy: userId, ...mark })
    .returning('id')
    .executeTakeFirstOrThrow()
  const action = {
    kind: 'webhook',
    name: 'Our program',
    isOn: false,
    secret: 'sealed',
    signingSecret: 'sealed',
  } as const
  const settings = JSON.stringify({ origin: 'https://hooks.example.com' })
  const { id: actionId } = await db
    .insertInto('publicationAction')
    .values({ organisationId, ...action, settings })
    .returning('id')
    .executeTakeFirstOrThrow()
  const over = { trigger: 'person', status: 'COMPLETED', endedAt: new Date() } as const
  await db
    .insertInto('publicationActionRun')
    .values({ organisationId, actionId, ...over })
    .execute()
  const setId = await insertPublication(db, { organisationId, connectorId, runId, userId })
  return { certificateId: id, roomId, hash: hash.toString('hex'), markId, actionId, setId }
}

async function insertPublication(db: Db, ids: TrustFixtureIds): Promise<string> {
  const { organisationId, connectorId, runId, userId } = ids
  const setId = randomUUID()
  const ofSet = { organisationId, setId }
  const rule = { name: 'sales on db.example', kind: 'postgres', isOn: true, tieOut: 'amber' } as const
  await db
    .insertInto('publicationSet')
    // Decided by a worker of the future, so that none opens the database.
    .values({ id: setId, organisationId, ...rule, lastNumber: 1, changedBy: userId, decidedAt: '2100-01-01' })
    .execute()
  await db
    .insertInto('publicationMember')
    .values({ ...ofSet, connectorId })
    .execute()
  const moment = '2026-06-03T06:00:00.000000Z'
  await db
    .insertInto('publicationOffer')
    .values({ ...ofSet, connectorId, runId, moment })
    .execute()
  await db
    .insertInto('publication')
    .values({ ...ofSet, number: 1, publishedAt: new Date() })
    .execute()
  const run = { connectorId, runId, moment, tieOut: 'green', tables: 1, verifiedTables: 1 } as const
  await db
    .insertInto('publicationRun')
    .values({ ...ofSet, number: 1, ...run })
    .execute()
  return setId
}

interface ChangeFixture extends Omit<TrustFixtureIds, 'userId'> {
  /** First day. */
  readonly month: string
}

/** A document that was added in a closed month. */
export async function insertChange(db: Db, { month, ...connector }: ChangeFixture): Promise<void> {
  const after = { dates: [month], number: `INV ${month}`, contact: null, postings: [] }
  await db
    .insertInto('closedPeriodChange')
    .values({
      ...connector,
      change: 'added',
      kind: 'Invoice',
      documentId: month,
      documentNumber: after.number,
      periods: [month],
      before: null,
      after: JSON.stringify(after),
      moved: '[]',
      closedThrough: '2026-06-30',
      address: null,
      reason: null,
    })
    .execute()
}
