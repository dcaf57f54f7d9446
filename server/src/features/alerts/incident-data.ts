/** Incidents for programs. Names are those of the API. */

/** What an incident is about: a connector, or an action after publications. */
export interface IncidentSubject {
  readonly is: 'Action' | 'Connector'
  readonly id: string
  readonly name: string
  /** Of a connector its type, of an action its kind. */
  readonly type: string
}

interface IncidentLocation {
  readonly connectorId: string | null
  readonly actionId: string | null
}

export function toSubject(
  { connectorId, actionId }: IncidentLocation,
  { name, type }: { readonly name: string | null; readonly type: string | null },
): IncidentSubject {
  const is = connectorId === null ? 'Action' : 'Connector'
  return { is, id: connectorId ?? actionId ?? '', name: name ?? '', type: type ?? '' }
}

interface ReportedIncident {
  readonly event: 'opened' | 'recovered'
  readonly incident: {
    readonly id: string
    readonly organisationId: string
    readonly runId: string | null
    readonly kind: string
    readonly notice: string
    readonly openedAt: string
    readonly closedAt: string | null
  }
}

export function incidentData({ event, incident }: ReportedIncident, { is, id, name, type }: IncidentSubject) {
  return {
    Event: event,
    OrganisationId: incident.organisationId,
    ...(is === 'Connector'
      ? { Connector: { Id: id, Name: name, Type: type } }
      : { Action: { Id: id, Name: name, Kind: type } }),
    Incident: {
      Id: incident.id,
      RunId: incident.runId,
      Kind: incident.kind,
      Notice: incident.notice,
      OpenedAtUtc: incident.openedAt,
      ClosedAtUtc: incident.closedAt,
    },
  }
}
