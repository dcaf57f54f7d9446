/** The form of a connector: what it starts with, what is required for the target chosen, and what it sends. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { secretMask } from '@tributary/contract/limits'
import { type FieldRule, type Form, useForm, type Values } from '../../../ui/forms/form.ts'
import {
  formValues,
  inputsOf,
  propertiesOf,
  rulesOf,
  sourceFields,
  targetConnection,
  targetFields,
  targetKind,
  targetSchema,
} from './settings-form.ts'
import { tablesFieldOf, tablesScope } from '../tables/table-selection-fields.ts'
import type { Entered } from './use-save-connector.ts'

interface Begun {
  readonly type: ConnectorType
  /** Null for a new one. */
  readonly connector: Connector | null
  readonly initialName: string
}

export interface ConnectorForm {
  readonly form: Form
  /** Where somebody who connects it again begins; undefined begins with the name. */
  readonly first: FirstField | undefined
  readonly entered: () => Entered
}

export function useConnectorForm({ type, connector, initialName }: Begun): ConnectorForm {
  const stored = connector === null ? {} : propertiesOf(connector)
  const settings = formValues(type, stored)
  const first = connector === null ? undefined : firstField(type, connector, settings)
  const form = useForm(
    {
      name: initialName,
      schedule: (connector === null ? type.DefaultSchedule : connector.Schedule) ?? '',
      schemaPolicy: connector?.SchemaPolicy ?? 'take',
      ...withScope(type, settings),
      ...(first?.isStored === true ? { [first.path]: '' } : {}),
    },
    (values) => rulesFor(type, values),
  )
  function entered(): Entered {
    const { name, schedule, schemaPolicy } = form.values
    return {
      name: String(name).trim(),
      schedule: String(schedule).trim(),
      schemaPolicy: schemaPolicy === 'ask' || schemaPolicy === 'stop' ? schemaPolicy : 'take',
      properties: inputsOf(type, scoped(type, form.values), stored[targetConnection] !== undefined),
    }
  }
  return { form, first, entered }
}

export interface FirstField {
  readonly path: string
  /** A secret of that field is stored. The source refused it, so another is asked for. */
  readonly isStored: boolean
}

/** Of a connector that was disconnected, or whose credentials the source refused: the first required field that has to be filled in. */
function firstField(type: ConnectorType, { Status, Log }: Connector, values: Values): FirstField | undefined {
  if (Status === 'CONNECTED' && Log?.Forbidden !== true) return undefined
  return sourceFields(type)
    .filter(({ field }) => field.Required)
    .map(({ path }) => ({ path, isStored: values[path] === secretMask }))
    .find(({ path, isStored }) => isStored || values[path] === '')
}

/** Whether all tables are moved or some is asked for, though what is stored is only the names: none of them means all. */
export function withScope(type: ConnectorType, values: Values): Values {
  const field = tablesFieldOf(type)
  return field === undefined ? values : { ...values, [tablesScope]: values[field.path] === '' ? 'every' : 'some' }
}

/** Names that were ticked before all tables were chosen are kept in the form, in case somebody changes their mind. */
function scoped(type: ConnectorType, values: Values): Values {
  const field = tablesFieldOf(type)
  return field === undefined || values[tablesScope] === 'some' ? values : { ...values, [field.path]: '' }
}

function rulesFor(type: ConnectorType, values: Values): Record<string, FieldRule> {
  const tables = tablesFieldOf(type)
  return {
    schedule: { isOptional: true },
    schemaPolicy: { isOptional: true },
    [targetKind]: { isOptional: true },
    [targetSchema]: { isOptional: true },
    ...rulesOf([...sourceFields(type), ...targetFields(type, values[targetKind])]),
    // None ticked would move every table, the opposite of what was meant.
    ...(tables === undefined ? {} : { [tables.path]: { isOptional: values[tablesScope] !== 'some' } }),
  }
}
