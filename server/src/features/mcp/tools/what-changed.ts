import { type Run, type RunStream, runs } from '@tributary/contract/runs'
import { schemaChanges } from '@tributary/contract/schema-changes'
import * as z from 'zod'
import { closedNotice, describeConnector, listSeenConnectors, type SeenConnector } from '../connectors.ts'
import { Connector, connectorId, name, partly, Problem, tool, type ToolCall } from '../tool.ts'

const connectorsMax = 20
const runsMax = 20
const detailedMax = 3
const changesMax = 50

const Counts = { rowsWritten: z.number(), rowsUpdated: z.number(), rowsDeleted: z.number(), rowsRejected: z.number() }

const Changes = z.object({
  connector: Connector,
  runs: z.array(
    z.object({
      runId: z.string(),
      status: z.string(),
      mode: z.string(),
      queuedAtUtc: z.string(),
      completedAtUtc: z.string().nullable(),
      ...Counts,
      tables: z
        .array(z.object({ table: z.string(), ...Counts }))
        .describe('Of the latest three runs that changed rows.'),
    }),
  ),
  schemaChanges: z.array(
    z.object({
      table: z.string(),
      column: z.string().nullable(),
      before: z.string().nullable(),
      after: z.string(),
      status: z.string(),
      foundAtUtc: z.string(),
    }),
  ),
  problem: Problem,
})

export const whatChangedTool = tool({
  name: 'what_changed',
  title: 'What has changed',
  description:
    'Shows the latest runs with the rows that each wrote, updated, deleted and rejected, by table, and the changes of the structure of the source’s tables.',
  scope: 'status.read',
  input: z.strictObject({
    connectorId,
    sinceUtc: z.iso.datetime().optional().describe('Only runs and changes since then: 2026-09-01T00:00:00Z.'),
  }),
  output: z.object({
    connectors: z.array(Changes),
    more: z.number().describe('Connectors beyond the first 20. Name one to see it.'),
  }),
  async run(call, { connectorId: onlyId, sinceUtc }) {
    const { connectors } = await listSeenConnectors(call, onlyId)
    const listed: z.input<typeof Changes>[] = []
    for (const seen of connectors.slice(0, connectorsMax)) listed.push(await describeChanges(call, seen, sinceUtc))
    return { connectors: listed, more: Math.max(0, connectors.length - connectorsMax) }
  },
})

async function describeChanges(
  call: ToolCall,
  seen: SeenConnector,
  sinceUtc: string | undefined,
): Promise<z.input<typeof Changes>> {
  const params = { connectorId: seen.health.Id }
  const since = sinceUtc === undefined ? 0 : Date.parse(sinceUtc)
  const listed = await partly(async () => {
    const latest = await call.read(runs.list, { params, query: { page: '1', pageSize: String(runsMax) } })
    return describeRuns(
      call,
      latest.filter(({ QueuedAtUtc }) => Date.parse(QueuedAtUtc) >= since),
      seen.isOpen,
    )
  })
  const structure = await partly(async () => (seen.isOpen ? await call.read(schemaChanges.list, { params }) : []))
  return {
    connector: describeConnector(seen),
    runs: listed.part ?? [],
    schemaChanges: (structure.part ?? [])
      .filter(({ FoundAtUtc }) => Date.parse(FoundAtUtc) >= since)
      .slice(0, changesMax)
      .map(({ Table, Column, Before, After, Status, FoundAtUtc }) => ({
        table: name(Table),
        column: Column === null ? null : name(Column),
        before: Before === null ? null : name(Before),
        after: name(After),
        status: Status,
        foundAtUtc: FoundAtUtc,
      })),
    problem: listed.problem ?? structure.problem ?? (seen.isOpen ? null : closedNotice),
  }
}

/** Tables are named only for sources that are open to assistants. */
async function describeRuns(
  call: ToolCall,
  latest: readonly Run[],
  isOpen: boolean,
): Promise<z.input<typeof Changes>['runs']> {
  const changing = latest.filter((run) => run.RowsWritten + run.RowsDeleted + run.RowsRejected > 0)
  const detailed = new Set(changing.slice(0, isOpen ? detailedMax : 0).map(({ Id }) => Id))
  const described = []
  for (const run of latest) {
    const { ConnectorId: id, Id: runId } = run
    const streams = detailed.has(runId)
      ? (await call.read(runs.read, { params: { connectorId: id, runId } })).Streams
      : []
    described.push({
      runId,
      status: run.Status,
      mode: run.Mode,
      queuedAtUtc: run.QueuedAtUtc,
      completedAtUtc: run.CompletedAtUtc,
      ...countsOf(run),
      tables: streams
        .filter((stream) => stream.RowsWritten + stream.RowsDeleted + stream.RowsRejected > 0)
        .map((stream) => ({ table: name(stream.Table), ...countsOf(stream) })),
    })
  }
  return described
}

function countsOf({ RowsWritten, RowsUpdated, RowsDeleted, RowsRejected }: Run | RunStream) {
  return {
    rowsWritten: RowsWritten,
    rowsUpdated: RowsUpdated,
    rowsDeleted: RowsDeleted,
    rowsRejected: RowsRejected,
  }
}
