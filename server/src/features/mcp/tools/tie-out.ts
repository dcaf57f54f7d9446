import { type TieOut, tieOut, type TieOutLine } from '@tributary/contract/tie-out'
import * as z from 'zod'
import { closedNotice, describeConnector, listSeenConnectors, type SeenConnector } from '../connectors.ts'
import { Connector, connectorId, name, optionalText, partly, Problem, tool, type ToolCall } from '../tool.ts'

const periodsMax = 24
const linesMax = 500

const Result = z.object({
  connector: Connector,
  runId: z.string().nullable(),
  state: z.string().nullable().describe('Null: there is no tie-out yet, or the source has no report.'),
  checkedAtUtc: z.string().nullable(),
  company: z.string().nullable(),
  currency: z.string().nullable(),
  companies: z
    .array(z.object({ id: z.string(), company: z.string(), state: z.string(), currency: z.string().nullable() }))
    .describe('Companies that share the tables. Empty: the tables belong to one company.'),
  notice: z.string().nullable(),
  periods: z.array(
    z.object({
      period: z.string(),
      state: z.string(),
      accounts: z.number(),
      differing: z.number(),
      difference: z.string().nullable().describe('Null: the companies have several currencies.'),
    }),
  ),
  lines: z.array(
    z.object({
      company: z.string().nullable().describe('The id of its company, if several share the tables.'),
      account: z.string(),
      code: z.string().nullable(),
      computed: z.string(),
      reported: z.string(),
      difference: z.string(),
      state: z.string(),
      notice: z.string().nullable(),
    }),
  ),
  moreLines: z.number(),
  problem: Problem,
})

export const tieOutTool = tool({
  name: 'tie_out',
  title: 'Tie-out against the source',
  description:
    'Compares the trial balance computed from the loaded rows with the report of the accounting source, by month. With a period, also by account, which needs the scope data.read. Amounts are exact decimals.',
  scope: 'status.read',
  input: z.strictObject({
    connectorId,
    period: z.iso.date().optional().describe('The first day of a month: 2026-09-01.'),
  }),
  output: z.object({ results: z.array(Result) }),
  async run(call, input) {
    const { connectors } = await listSeenConnectors(call, input.connectorId)
    const results: z.input<typeof Result>[] = []
    // A source without a report has never tied out.
    const tied = connectors.filter(({ health }) => health.TieOut !== null || health.Id === input.connectorId)
    for (const seen of tied) results.push(await describeTieOut(call, seen, input.period))
    return { results }
  },
})

async function describeTieOut(
  call: ToolCall,
  seen: SeenConnector,
  period: string | undefined,
): Promise<z.input<typeof Result>> {
  const params = { connectorId: seen.health.Id }
  const latestPart = await partly(async () => (seen.isOpen ? await call.read(tieOut.latest, { params }) : null))
  const linesPart = await partly(async () =>
    seen.isOpen && period !== undefined ? await call.read(tieOut.lines, { params, query: { period } }) : [],
  )
  return {
    connector: describeConnector(seen),
    ...describeLatest(latestPart.part),
    ...describeLines(linesPart.part ?? []),
    problem: latestPart.problem ?? linesPart.problem ?? (seen.isOpen ? null : closedNotice),
  }
}

const noTieOut = {
  runId: null,
  state: null,
  checkedAtUtc: null,
  company: null,
  currency: null,
  companies: [],
  notice: null,
  periods: [],
}

function describeLatest(latest: TieOut | null) {
  if (latest === null) return noTieOut
  return {
    runId: latest.RunId,
    state: latest.State,
    checkedAtUtc: latest.CheckedAtUtc,
    company: name(latest.Company),
    currency: latest.Currency,
    companies: latest.Companies.map(({ Id, Name, State, Currency }) => ({
      id: Id,
      company: name(Name),
      state: State,
      currency: Currency,
    })),
    notice: optionalText(latest.Notice),
    periods: latest.Periods.slice(0, periodsMax).map((one) => ({
      period: one.Period,
      state: one.State,
      accounts: one.Accounts,
      differing: one.Differing,
      difference: one.Difference,
    })),
  }
}

function describeLines(lines: readonly TieOutLine[]) {
  return {
    lines: lines.slice(0, linesMax).map((line) => ({
      company: line.Company === '' ? null : line.Company,
      account: name(line.Name),
      code: line.Code,
      computed: line.Computed,
      reported: line.Reported,
      difference: line.Difference,
      state: line.State,
      notice: optionalText(line.Notice),
    })),
    moreLines: Math.max(0, lines.length - linesMax),
  }
}
