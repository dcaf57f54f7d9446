/** The catalogue of connector types, built from the engine's sources and targets. */
import type { ConnectorType, Licence, SettingsSection as WireSection } from '@tributary/contract/connector-catalogue'
import type { Camel } from '@tributary/contract/wire'
import type { ConnectorSettingsSection } from '@tributary/engine/ports/settings'
import { folderUri, restCatalogKeys } from '@tributary/engine/databases/iceberg/settings/fields'
import { icebergTarget } from '@tributary/engine/databases/iceberg/target'
import type { Target } from '@tributary/engine/ports/target'
import type { StreamBundle, Source } from '@tributary/engine/ports/source'
import type { Config } from '../../kernel/config/config.ts'
import { sources, spreadsheet, targets } from '../../connections/connectors/connector-types.ts'
import { listBundles } from '../../connections/connectors/connector-licences.ts'
import { connectorTypeId } from '../../connections/connectors/connector-type-id.ts'
import type { AppServices } from '../../app-services.ts'

/** Catalogue data that the engine does not have: category and how the type is offered. */
interface CatalogueEntry {
  readonly kind: ConnectorType['Kind']
  readonly isEarlyStages?: true
}
const catalogueEntries: { readonly [type: string]: CatalogueEntry } = {
  cin7: { kind: 'inventory' },
  'e-conomic': { kind: 'accounting', isEarlyStages: true },
  quickbooks: { kind: 'accounting', isEarlyStages: true },
  stripe: { kind: 'payments', isEarlyStages: true },
  uniconta: { kind: 'erp', isEarlyStages: true },
  xero: { kind: 'accounting' },
  'rest-api': { kind: 'custom', isEarlyStages: true },
  'odata-service': { kind: 'custom', isEarlyStages: true },
  'business-central': { kind: 'erp', isEarlyStages: true },
  'exact-online': { kind: 'accounting', isEarlyStages: true },
}
const databaseEntry: CatalogueEntry = { kind: 'database' }

const excel: Camel<ConnectorType> = {
  ...spreadsheet,
  id: connectorTypeId(spreadsheet.type),
  needs: 'Nothing to connect: set up areas, versions and helper tables on the Excel pages.',
  guide: [],
  licences: [],
  kind: 'spreadsheet',
  isEarlyStages: false,
  requiresAuthorisation: false,
  sections: [],
  targets: [],
  demo: null,
  defaultSchedule: null,
}

export function listTypes({ demo, config }: Pick<AppServices, 'config' | 'demo'>): Camel<ConnectorType>[] {
  const offered = sources.map((source) =>
    toConnectorType(source, { demo: demo[source.type] ?? null, defaultSchedule: config.defaultSchedule }, config),
  )
  return [...offered, excel]
}

type InstallationDefaults = Pick<Camel<ConnectorType>, 'demo' | 'defaultSchedule'>

function toConnectorType(
  { type, title, description, needs, guide, sections, oauth }: Source,
  defaults: InstallationDefaults,
  { lakeFolder }: Pick<Config, 'lakeFolder'>,
): Camel<ConnectorType> {
  const { kind, isEarlyStages = false } = catalogueEntries[type] ?? databaseEntry
  return {
    id: connectorTypeId(type),
    type,
    title,
    description,
    needs,
    guide: [...guide],
    licences: listBundles(type).map(toLicence),
    kind,
    isEarlyStages,
    // Set up by signing in at the source instead of with a form.
    requiresAuthorisation: oauth !== undefined,
    sections: sections.map(toSection),
    targets: targets.map((target) => ({
      kind: target.kind,
      title: target.title,
      section: toSection(lakeFolder === '' ? target.section : withLakeFolder(target)),
    })),
    ...defaults,
  }
}

/** Offers the folder of the server for Iceberg tables, so that a trial needs no catalog, and hides what only a catalog needs. */
function withLakeFolder({ kind, section }: Target): ConnectorSettingsSection {
  if (kind !== icebergTarget.kind) return section
  const folder = {
    initial: folderUri,
    help: `The address of a REST catalog without /v1, or ${folderUri} for a folder of this server, which needs nothing else.`,
  }
  const fields = section.fields.map((field) => {
    if (field.key === 'uri') return { ...field, ...folder }
    return restCatalogKeys.has(field.key) ? { ...field, hiddenFor: [{ key: 'uri', value: folderUri }] } : field
  })
  return { ...section, fields }
}

function toLicence({ id, base, title, description }: StreamBundle): Camel<Licence> {
  return { id, base, title, description }
}

function toSection({ property, shape, title, help, fields }: ConnectorSettingsSection): Camel<WireSection> {
  return {
    property,
    shape,
    title,
    help: help ?? null,
    fields: fields.map((field) => ({
      key: field.key,
      label: field.label,
      kind: field.kind,
      required: field.required,
      help: field.help ?? null,
      placeholder: field.placeholder ?? null,
      choices: [...(field.choices ?? [])],
      initial: field.initial ?? null,
      hidden: field.hidden ?? false,
      ...(field.shownFor !== undefined && { shownFor: [...field.shownFor] }),
      ...(field.hiddenFor !== undefined && { hiddenFor: [...field.hiddenFor] }),
    })),
  }
}
