/**
 * Publishes runs that connectors have offered. One row of a set names its current publication; every published view reads its moment through
 * that row. The views change afterwards: in the same transaction where the database can undo DDL. Elsewhere a view that a crash left behind
 * still reads the new moment, and is replaced when the publication is repeated.
 */
import { createHash } from 'node:crypto'
import type { PublicationRequest, PublicationResult, PublicationState } from '../../../ports/publication.ts'
import type { SqlDialect } from '../dialect.ts'
import type { TargetSession } from '../sessions.ts'
import type { OfferedView } from './offers.ts'

interface PublishContext {
  readonly dialect: SqlDialect
  readonly session: TargetSession
}

interface Offer {
  readonly connectorId: string
  readonly runId: string
  readonly cutOff: string
  readonly views: readonly OfferedView[]
}

/** Former publications that are kept as a record. */
const publicationsKept = 100

export async function publish(context: PublishContext, request: PublicationRequest): Promise<PublicationResult> {
  const { dialect, session } = context
  if (!(await dialect.hasPublicationTables(session))) await dialect.createPublicationTables(session)
  return await dialect.whilePublishing(session, async (): Promise<PublicationResult> => {
    const current = await readNumber(context, request.set)
    if (current !== null && current > request.number) return { outcome: 'superseded' }
    const offers: Offer[] = []
    const connectorIds: string[] = []
    for (const { connectorId, runId } of request.runs) {
      const offer = await readOffer(context, request.set, { connectorId, runId })
      if (offer === null) connectorIds.push(connectorId)
      else offers.push(offer)
    }
    if (connectorIds.length > 0) return { outcome: 'notOffered', connectorIds }
    if (current !== request.number) await switchTo(context, request, offers)
    await updateViews(context, request.set, offers)
    return { outcome: 'published' }
  })
}

async function readNumber({ dialect, session }: PublishContext, set: string): Promise<number | null> {
  const [row] = await session.rows(
    `SELECT ${dialect.integer('number')} FROM ${dialect.publication.tables.current} WHERE publication_set = ?`,
    [set],
  )
  return row === undefined ? null : Number(row[0])
}

async function readOffer(
  { dialect, session }: PublishContext,
  set: string,
  { connectorId, runId }: { readonly connectorId: string; readonly runId: string },
): Promise<Offer | null> {
  const [row] = await session.rows(
    `SELECT cut_off, views FROM ${dialect.publication.tables.offers} WHERE connector = ? AND run_id = ? AND publication_set = ?`,
    [connectorId, runId, set],
  )
  if (row === undefined) return null
  return { connectorId, runId, cutOff: String(row[0]), views: JSON.parse(String(row[1])) as readonly OfferedView[] }
}

/** Readers see the new publication with the commit of the last statement. */
async function switchTo(
  { dialect, session }: PublishContext,
  { set, number }: PublicationRequest,
  offers: readonly Offer[],
): Promise<void> {
  const { tables } = dialect.publication
  await session.run(`DELETE FROM ${tables.runs} WHERE publication_set = ? AND (number >= ? OR number < ?)`, [
    set,
    number,
    number - publicationsKept,
  ])
  for (const { connectorId, runId, cutOff } of offers)
    await session.run(
      `INSERT INTO ${tables.runs} (publication_set, number, connector, run_id, cut_off, moment) VALUES (?, ?, ?, ?, ?, ${dialect.momentLiteral(cutOff)})`,
      [set, number, connectorId, runId, cutOff],
    )
  const updated = await session.run(`UPDATE ${tables.current} SET number = ? WHERE publication_set = ?`, [number, set])
  if (updated === 0)
    await session.run(`INSERT INTO ${tables.current} (publication_set, number) VALUES (?, ?)`, [set, number])
}

/** Creates, replaces and drops what differs from the offers. A name stays claimed, so that the same table gets it again. */
async function updateViews(context: PublishContext, set: string, offers: readonly Offer[]): Promise<void> {
  const { dialect, session } = context
  const { tables } = dialect.publication
  const claims = await session.rows(`SELECT name, definition FROM ${tables.views} WHERE publication_set = ?`, [set])
  const definitions = new Map(claims.map(([name, definition]) => [String(name), String(definition)]))
  const offered = new Set<string>()
  for (const { connectorId, views } of offers)
    for (const { name, relation, select } of views) {
      offered.add(name)
      const definition = createHash('sha256').update(select).digest('hex').slice(0, 32)
      if (definitions.get(name) === definition && (await dialect.publishedRelationExists(session, name))) continue
      if (!definitions.has(name))
        await session.run(
          `INSERT INTO ${tables.views} (name, publication_set, connector, relation, definition) VALUES (?, ?, ?, ?, '')`,
          [name, set, connectorId, relation],
        )
      await dialect.replacePublishedView(session, name, select)
      await session.run(`UPDATE ${tables.views} SET definition = ? WHERE name = ?`, [definition, name])
    }
  const obsolete = [...definitions].filter(([name, definition]) => definition !== '' && !offered.has(name))
  if (obsolete.length === 0) return
  await dialect.dropPublishedViews(
    session,
    obsolete.map(([name]) => name),
  )
  for (const [name] of obsolete) await session.run(`UPDATE ${tables.views} SET definition = '' WHERE name = ?`, [name])
}

export async function readPublication(context: PublishContext, set: string): Promise<PublicationState | null> {
  const { dialect, session } = context
  const { tables, schema } = dialect.publication
  if (!(await dialect.hasPublicationTables(session))) return null
  const number = await readNumber(context, set)
  if (number === null) return null
  const runs = await session.rows(
    `SELECT connector, run_id, cut_off FROM ${tables.runs} WHERE publication_set = ? AND number = ? ORDER BY connector`,
    [set, number],
  )
  const views = await session.rows(
    `SELECT connector, relation, name FROM ${tables.views} WHERE publication_set = ? AND definition <> '' ORDER BY name`,
    [set],
  )
  return {
    number,
    runs: runs.map(([connectorId, runId, moment]) => ({
      connectorId: String(connectorId),
      runId: String(runId),
      moment: String(moment),
    })),
    views: views.map(([connectorId, relation, name]) => ({
      connectorId: String(connectorId),
      relation: String(relation),
      schema,
      name: String(name),
    })),
  }
}
