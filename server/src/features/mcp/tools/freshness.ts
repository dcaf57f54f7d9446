import { streams } from '@tributary/contract/streams'
import * as z from 'zod'
import { closedNotice, describeConnector, listSeenConnectors, type SeenConnector } from '../connectors.ts'
import { Connector, connectorId, name, partly, Problem, text, tool, type ToolCall } from '../tool.ts'

const connectorsMax = 20
const tablesMax = 200

const Freshness = z.object({
  connector: Connector,
  freshAtUtc: z.string().nullable(),
  lateSinceUtc: z.string().nullable(),
  tables: z.array(
    z.object({
      table: z.string(),
      rows: z.number().nullable(),
      freshAtUtc: z.string().nullable(),
      reads: z.string().describe('since: changes only; whole: the whole table each time'),
      fault: z.string().nullable().describe('What was wrong with it last.'),
    }),
  ),
  moreTables: z.number(),
  problem: Problem,
})

export const freshnessTool = tool({
  name: 'freshness',
  title: 'Freshness of tables',
  description:
    'Shows for each connector and each of its tables how new the rows are and how many there are. Say it with every figure that you report.',
  scope: 'status.read',
  input: z.strictObject({ connectorId }),
  output: z.object({
    connectors: z.array(Freshness),
    more: z.number().describe('Connectors beyond the first 20. Name one to see it.'),
  }),
  async run(call, input) {
    const { connectors } = await listSeenConnectors(call, input.connectorId)
    const listed: z.input<typeof Freshness>[] = []
    for (const seen of connectors.slice(0, connectorsMax)) listed.push(await describeFreshness(call, seen))
    return { connectors: listed, more: Math.max(0, connectors.length - connectorsMax) }
  },
})

async function describeFreshness(call: ToolCall, seen: SeenConnector): Promise<z.input<typeof Freshness>> {
  const { health, isOpen } = seen
  const { part, problem } = await partly(async () =>
    isOpen ? await call.read(streams.list, { params: { connectorId: health.Id } }) : [],
  )
  const tables = part ?? []
  return {
    connector: describeConnector(seen),
    freshAtUtc: health.FreshAtUtc,
    lateSinceUtc: health.LateSinceUtc,
    tables: tables.slice(0, tablesMax).map(({ Table, Rows, FreshAtUtc, Reads, Fault }) => ({
      table: name(Table),
      rows: Rows,
      freshAtUtc: FreshAtUtc,
      reads: Reads,
      fault: Fault === null ? null : text(Fault),
    })),
    moreTables: Math.max(0, tables.length - tablesMax),
    problem: problem ?? (isOpen ? null : closedNotice),
  }
}
