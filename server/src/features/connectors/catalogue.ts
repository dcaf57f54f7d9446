/** The catalogue of connector types, drawn from what the engine can read and write. */
import type { ConnectorType, Licence, SettingsSection as WireSection } from '@tributary/contract/connector-catalogue'
import type { Camel } from '@tributary/contract/wire'
import type { ConnectorSettingsSection } from '@tributary/engine/ports/settings'
import type { StreamBundle, Source } from '@tributary/engine/ports/source'
import { sources, spreadsheet, targets } from '../../connections/connectors/connector-types.ts'
import { bundlesOf } from '../../connections/connectors/connector-licences.ts'
import { typeId } from '../../connections/connectors/connector-type-id.ts'
import type { AppServices } from '../../app-services.ts'

/** What the engine does not know of its sources: on which shelf they stand, and how they are offered. */
interface Shelf {
  readonly kind: ConnectorType['Kind']
  readonly isEarlyStages?: true
  /** Set up by signing in at the source instead of by a form. */
  readonly requiresAuthorisation?: true
}
const shelves: { readonly [type: string]: Shelf } = {
  cin7: { kind: 'inventory' },
  uniconta: { kind: 'erp', isEarlyStages: true },
  xero: { kind: 'accounting', requiresAuthorisation: true },
}
const ordinary: Shelf = { kind: 'database' }

const excel: Camel<ConnectorType> = {
  ...spreadsheet,
  id: typeId(spreadsheet.type),
  needs: 'Nothing to connect: areas, versions and helper tables are set up on the Excel pages.',
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
    shownType(source, { demo: demo[source.type] ?? null, defaultSchedule: config.defaultSchedule }),
  )
  return [...offered, excel]
}

type Offer = Pick<Camel<ConnectorType>, 'demo' | 'defaultSchedule'>

function shownType({ type, title, description, needs, guide, sections }: Source, offer: Offer): Camel<ConnectorType> {
  const { kind, isEarlyStages = false, requiresAuthorisation = false } = shelves[type] ?? ordinary
  return {
    id: typeId(type),
    type,
    title,
    description,
    needs,
    guide: [...guide],
    licences: bundlesOf(type).map(shownLicence),
    kind,
    isEarlyStages,
    requiresAuthorisation,
    sections: sections.map(shownSection),
    targets: targets.map((target) => ({
      kind: target.kind,
      title: target.title,
      section: shownSection(target.section),
    })),
    ...offer,
  }
}

function shownLicence({ id, base, title, description }: StreamBundle): Camel<Licence> {
  return { id, base, title, description }
}

function shownSection({ property, shape, title, help, fields }: ConnectorSettingsSection): Camel<WireSection> {
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
    })),
  }
}
