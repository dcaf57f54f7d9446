import type { Overview } from '@tributary/contract/overview'
import { type FaultCard, runs } from '@tributary/contract/runs'
import * as z from 'zod'
import { closedNotice, describeConnector, listSeenConnectors, type SeenConnector } from '../connectors.ts'
import { Connector, connectorId, name, partly, Problem, text, tool, type ToolCall } from '../tool.ts'

const incidentsMax = 20

const Failure = z.object({
  connector: Connector.nullable().describe('Null: an action after publishing fails.'),
  action: z
    .object({ id: z.string(), name: z.string(), kind: z.string().describe('webhook, powerBi or dbt') })
    .nullable()
    .describe('Null: a connector needs help.'),
  runId: z.string().nullable(),
  kind: z.string(),
  openedAtUtc: z.string(),
  mustAct: z.string().describe('administrator, provider, owner (the organisation that shares it) or nobody'),
  whatHappened: z.string().nullable().describe('Null: withheld.'),
  title: z.string().nullable(),
  whatItMeansForTheData: z.string().nullable(),
  whatToDo: z.string().nullable(),
  whoCanDoIt: z.string().nullable(),
  problem: Problem.describe('Why a part is missing.'),
})

export const failuresTool = tool({
  name: 'failures',
  title: 'Failures and what to do',
  description:
    'Lists what is wrong now, with its card: what happened, what it means for the data, what to do and who can do it. Messages quote other systems.',
  scope: 'status.read',
  input: z.strictObject({ connectorId }),
  output: z.object({
    failures: z.array(Failure),
    more: z.number().describe('Failures beyond the first 20.'),
  }),
  async run(call, input) {
    const { connectors, incidents } = await listSeenConnectors(call, input.connectorId)
    const failures: z.input<typeof Failure>[] = []
    for (const incident of incidents.slice(0, incidentsMax)) {
      const { Action, ConnectorId } = incident
      const seen = connectors.find(({ health }) => health.Id === ConnectorId)
      if (seen !== undefined) failures.push(await describeFailure(call, seen, incident))
      else if (Action !== null) failures.push(describeFailingAction(Action, incident))
    }
    return { failures, more: Math.max(0, incidents.length - incidentsMax) }
  },
})

type Incident = Overview['Incidents'][number]

async function describeFailure(
  call: ToolCall,
  seen: SeenConnector,
  incident: Incident,
): Promise<z.input<typeof Failure>> {
  const { part, problem } = await partly(() => readCard(call, incident))
  return {
    connector: describeConnector(seen),
    action: null,
    ...describeIncident(incident),
    // The source's message can quote a row.
    whatHappened: seen.isOpen ? text(part?.What ?? incident.Notice) : null,
    ...describeCard(part),
    problem: problem ?? (seen.isOpen ? null : closedNotice),
  }
}

/** What Publishing says of it: our words, which quote no rows. */
function describeFailingAction(
  { Id, Name, Kind }: NonNullable<Incident['Action']>,
  incident: Incident,
): z.input<typeof Failure> {
  return {
    connector: null,
    action: { id: Id, name: name(Name), kind: Kind },
    ...describeIncident(incident),
    whatHappened: text(incident.Notice),
    ...describeCard(null),
    whatToDo: 'Look at the log of the action under Data, Publishing, After publishing.',
    whoCanDoIt: 'An administrator of your organisation.',
    problem: null,
  }
}

function describeIncident({ RunId, Kind, OpenedAtUtc, Who }: Incident) {
  return { runId: RunId, kind: Kind, openedAtUtc: OpenedAtUtc, mustAct: Who }
}

function describeCard(card: FaultCard | null) {
  return {
    title: card?.Title ?? null,
    whatItMeansForTheData: card?.DataNotice ?? null,
    whatToDo: card?.Action.Label ?? null,
    whoCanDoIt: card?.Who ?? null,
  }
}

async function readCard(call: ToolCall, { ConnectorId: id, RunId: runId }: Incident) {
  if (id === null || runId === null) return null
  return (await call.read(runs.read, { params: { connectorId: id, runId } })).Card
}
