/** What the things of the audit log are called. */

interface ThingNoun {
  /** Before the name; '' if the name needs none. */
  readonly article: string
  /** Without a known name. */
  readonly unnamed: string
  /** In the filter. */
  readonly plural: string
}

const nouns: Readonly<Record<string, ThingNoun>> = {
  connector: { article: '', unnamed: 'a connector', plural: 'Connectors' },
  user: { article: '', unnamed: 'a user', plural: 'Users' },
  invitation: { article: '', unnamed: 'a person', plural: 'Invitations' },
  approval: { article: 'the request of ', unnamed: 'a request', plural: 'Requests' },
  alert_channel: { article: 'the alert channel ', unnamed: 'an alert channel', plural: 'Alert channels' },
  api_token: { article: 'the access token ', unnamed: 'an access token', plural: 'Access tokens' },
  assistant: { article: 'the assistant ', unnamed: 'an assistant', plural: 'Assistants' },
  permissionGroup: { article: 'the security group ', unnamed: 'a security group', plural: 'Security groups' },
  area: { article: 'the area ', unnamed: 'an area', plural: 'Areas' },
  subarea: { article: 'the subarea ', unnamed: 'a subarea', plural: 'Subareas' },
  version: { article: 'the version ', unnamed: 'a version', plural: 'Versions' },
  milestone: { article: 'the milestone ', unnamed: 'a milestone', plural: 'Milestones' },
  helperTable: { article: 'the helper table ', unnamed: 'a helper table', plural: 'Helper tables' },
  entity: { article: 'the entity ', unnamed: 'an entity', plural: 'Entities' },
  load: { article: '', unnamed: 'a load', plural: 'Loads' },
  organisation: { article: '', unnamed: 'the organisation', plural: 'Organisations' },
  oauth_app: { article: '', unnamed: 'a sign-in app', plural: 'Sign-in apps' },
  warehouse: { article: '', unnamed: 'the warehouse', plural: 'Warehouse' },
  publication_action: {
    article: 'the action ',
    unnamed: 'an action after publications',
    plural: 'Actions after publications',
  },
  auditor_room: { article: 'the auditor room of ', unnamed: 'an auditor room', plural: 'Auditor rooms' },
  certificate: { article: 'the certificate ', unnamed: 'a certificate', plural: 'Certificates' },
  publication_set: { article: 'publishing in ', unnamed: 'publishing', plural: 'Publications' },
  saved_query: { article: 'the query ', unnamed: 'a query', plural: 'Queries' },
  setting: { article: '', unnamed: 'a setting', plural: 'Settings' },
  workbench_description: {
    article: 'the description ',
    unnamed: 'a description of a source',
    plural: 'Descriptions of sources',
  },
  data_server: { article: 'the data server ', unnamed: 'a data server', plural: 'Data servers' },
  run: { article: '', unnamed: 'a run', plural: 'Runs' },
}
const unknownNoun: ThingNoun = { article: '', unnamed: 'a record', plural: 'Records' }

export const thingTypes: readonly { readonly type: string; readonly label: string }[] = Object.entries(nouns).map(
  ([type, { plural }]) => ({ type, label: plural }),
)

export function thingNoun(objectType: string | null): ThingNoun {
  return nouns[objectType ?? ''] ?? unknownNoun
}

/** 'helper table', for a sentence that names the thing itself. */
export function nounOf(objectType: string | null): string {
  return thingNoun(objectType).unnamed.replace(/^an? /u, '')
}
