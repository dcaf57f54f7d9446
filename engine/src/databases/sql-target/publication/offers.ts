/** Offers of completed runs: the views over their tables, prepared for the publication that will choose the run. */
import { Fault } from '../../../ports/faults.ts'
import type { PublishableView } from '../../../ports/publication.ts'
import type { StatementNames } from '../../../ports/view-names.ts'
import type { WriterSession } from '../dialect.ts'
import { selectAsOf } from '../history/as-of.ts'
import type { HistoryTable } from '../history/history-table.ts'
import { marked } from '../names.ts'
import { holdFence } from '../state-store.ts'

export interface OfferedView {
  /** The table or view of the target. */
  readonly relation: string
  /** Of the published view. */
  readonly name: string
  readonly select: string
}

export interface OfferToMake {
  readonly set: string
  readonly cutOff: string
  /** Of all tables of the connector. */
  readonly histories: readonly HistoryTable[]
  readonly views: readonly PublishableView[]
  readonly names: StatementNames
}

/** Later runs may have been offered before a publication is decided. */
const offersKept = 5

export async function makeOffer(context: WriterSession, offer: OfferToMake): Promise<void> {
  const { dialect, session, writer } = context
  const { tables } = dialect.publication
  if (!(await dialect.hasPublicationTables(session))) await dialect.createPublicationTables(session)
  await dialect.whilePublishing(session, async () => {
    const views = await describeViews(context, offer)
    await dialect.upsert(session, {
      table: tables.offers,
      key: { connector: writer.connectorId, run_id: writer.runId },
      values: { publication_set: offer.set, cut_off: offer.cutOff, views: JSON.stringify(views) },
    })
    const cutOffs = await session.rows(`SELECT cut_off FROM ${tables.offers} WHERE connector = ? ORDER BY cut_off`, [
      writer.connectorId,
    ])
    const oldest = cutOffs.at(-offersKept)?.[0]
    if (oldest != null)
      await session.run(`DELETE FROM ${tables.offers} WHERE connector = ? AND cut_off < ?`, [
        writer.connectorId,
        oldest,
      ])
    await holdFence(dialect, session, writer)
  })
}

/** Returns the name of the published view of a table or view, and claims it. */
type ViewNamer = (relation: string) => Promise<string>

async function describeViews(context: WriterSession, offer: OfferToMake): Promise<readonly OfferedView[]> {
  const { dialect, writer } = context
  const expression = momentOf(context, offer.set)
  const claimName = await nameViews(context, offer.set)
  const described: OfferedView[] = []
  for (const history of offer.histories) {
    const name = await claimName(history.of.name)
    const select = `SELECT t.* FROM ${selectAsOf(dialect, history, { expression })} t`
    described.push({ relation: history.of.name, name, select })
  }
  const claimed = new Map<string, string>()
  for (const { name } of offer.views) claimed.set(name, await claimName(dialect.viewName(name)))
  const names: StatementNames = {
    ...offer.names.asOf({ expression }),
    view(name) {
      const published = claimed.get(name)
      if (published === undefined)
        throw new Fault('settings', {
          code: 'engine.not_published',
          notice: `The view ‘${name}’ is not published, so no published view can read it.`,
        })
      return dialect.publication.qualified(published)
    },
  }
  for (const view of offer.views)
    described.push({
      relation: dialect.viewName(view.name),
      name: claimed.get(view.name) ?? '',
      select: view.select(names),
    })
  // Two views of the same name would replace each other.
  if (new Set(described.map(({ name }) => name)).size < described.length)
    throw new Error(`Two tables or views of the connector ${writer.connectorId} have the same published view.`)
  return described
}

/** The cut-off of the connector's run in the current publication. */
function momentOf({ dialect, writer }: WriterSession, set: string): string {
  const { tables, stableRead } = dialect.publication
  return (
    `(SELECT r.moment FROM ${tables.current} c${stableRead} JOIN ${tables.runs} r ON r.publication_set = c.publication_set AND r.number = c.number ` +
    `WHERE c.publication_set = ${dialect.textLiteral(set)} AND r.connector = ${dialect.textLiteral(writer.connectorId)})`
  )
}

/** Gives each table and view the name that its published view got earlier, or a free one. */
async function nameViews({ dialect, session, writer }: WriterSession, set: string): Promise<ViewNamer> {
  const { tables, viewName } = dialect.publication
  const claims = await session.rows(`SELECT name, publication_set, connector, relation FROM ${tables.views}`)
  const known = new Map<string, string>()
  const taken = new Set<string>()
  for (const [name, ofSet, connector, relation] of claims) {
    taken.add(dialect.foldName(String(name)))
    if (ofSet === set && connector === writer.connectorId) known.set(String(relation), String(name))
  }
  const isTaken = async (name: string): Promise<boolean> =>
    taken.has(dialect.foldName(name)) || (await dialect.publishedRelationExists(session, name))
  return async (relation) => {
    const before = known.get(relation)
    if (before !== undefined) return before
    const key = [set, writer.connectorId, relation]
    const plain = viewName(relation)
    let name = plain
    for (let at = 0; await isTaken(name); at++)
      name = marked(plain, dialect.facts.identifierMax, `${key.join('\t')}\t${at}`)
    await session.run(
      `INSERT INTO ${tables.views} (name, publication_set, connector, relation, definition) VALUES (?, ?, ?, ?, '')`,
      [name, ...key],
    )
    taken.add(dialect.foldName(name))
    known.set(relation, name)
    return name
  }
}
