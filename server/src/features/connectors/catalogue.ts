/** The catalogue of connector types, drawn from what the engine can read and write. */
import { createHash } from 'node:crypto'
import type { ConnectorType, SettingsSection as WireSection } from '@tributary/contract/catalogue'
import type { Camel } from '@tributary/contract/wire'
import type { SettingsSection } from '@tributary/engine/settings'
import type { Properties, Source } from '@tributary/engine/source'
import { sources, targets } from '../../platform/connector-kinds.ts'

type Kind = ConnectorType['Kind']

/** What the engine does not know of its sources: on which shelf they stand. */
const shelves: { readonly [type: string]: Kind } = { cin7: 'inventory', uniconta: 'erp', xero: 'accounting', excel: 'spreadsheet' }

/** @param demo values that reach the simulated sources, by type; empty outside trial mode. */
export function listTypes(demo: { readonly [type: string]: Properties }): Camel<ConnectorType>[] {
  return sources.map((source) => shownType(source, demo[source.type] ?? null))
}

function shownType({ type, title, needs, sections }: Source, demo: Properties | null): Camel<ConnectorType> {
  return {
    id: typeId(type),
    type,
    title,
    needs,
    kind: shelves[type] ?? 'database',
    isEarlyStages: false,
    requiresAuthorisation: false,
    sections: sections.map(shownSection),
    targets: targets.map((target) => ({ kind: target.kind, title: target.title, section: shownSection(target.section) })),
    demo,
  }
}

function shownSection({ property, shape, title, help, fields }: SettingsSection): Camel<WireSection> {
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

/** The same for a type everywhere and for ever: a UUID made of its name. */
export function typeId(type: string): string {
  const digits = createHash('sha256').update(`tributary connector type ${type}`).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
