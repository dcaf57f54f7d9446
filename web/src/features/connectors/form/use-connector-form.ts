/** State of the connector form: initial values, rules for the selected target, and the input for the API. */
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { secretMask } from '@tributary/contract/limits'
import { type FieldRule, useForm, type FormValues } from '../../../ui/forms/use-form.ts'
import {
  formValues,
  toPropertyInputs,
  storedProperties,
  fieldRules,
  sourceFields,
  targetConnection,
  targetFields,
  targetKind,
  targetSchema,
} from './settings-form.ts'
import { findTablesField, tablesScope } from '../tables/table-selection-fields.ts'
import type { ConnectorSettingsInput } from './use-save-connector.ts'

interface ConnectorFormOptions {
  readonly type: ConnectorType
  /** Null for a new connector. */
  readonly connector: Connector | null
  readonly initialName: string
}

export function useConnectorForm({ type, connector, initialName }: ConnectorFormOptions) {
  const stored = connector === null ? {} : storedProperties(connector)
  const settings = formValues(type, stored)
  const first = connector === null ? undefined : fieldToFocus(type, connector, settings)
  const form = useForm(
    {
      name: initialName,
      schedule: (connector === null ? type.DefaultSchedule : connector.Schedule) ?? '',
      schemaPolicy: connector?.SchemaPolicy ?? 'take',
      ...withTablesScope(type, settings),
      ...(first?.isStored === true ? { [first.path]: '' } : {}),
    },
    (values) => formRules(type, values),
  )
  function toSettingsInput(values: FormValues = form.values): ConnectorSettingsInput {
    const { name, schedule, schemaPolicy } = values
    return {
      name: String(name).trim(),
      schedule: String(schedule).trim(),
      schemaPolicy: schemaPolicy === 'ask' || schemaPolicy === 'stop' ? schemaPolicy : 'take',
      properties: toPropertyInputs(type, applyTablesScope(type, values), stored[targetConnection] !== undefined),
    }
  }
  // `first`: the field to focus when reconnecting; undefined focuses the name.
  return { form, first, toSettingsInput }
}

export interface FieldToFocus {
  readonly path: string
  /** The source refused the stored secret, so the field starts empty. */
  readonly isStored: boolean
}

/** The first required field to fill in, if the connector is disconnected or the source refused its credentials. */
function fieldToFocus(type: ConnectorType, { Status, Log }: Connector, values: FormValues): FieldToFocus | undefined {
  if (Status === 'CONNECTED' && Log?.Forbidden !== true) return undefined
  return sourceFields(type)
    .filter(({ field }) => field.Required)
    .map(({ path }) => ({ path, isStored: values[path] === secretMask }))
    .find(({ path, isStored }) => isStored || values[path] === '')
}

/** Adds the choice between all and some tables to the form. Stored are only the names: no name means all tables. */
export function withTablesScope(type: ConnectorType, values: FormValues): FormValues {
  const field = findTablesField(type)
  return field === undefined ? values : { ...values, [tablesScope]: values[field.path] === '' ? 'every' : 'some' }
}

/** Drops selected names if all tables are moved. They stay in the form, so that the user can switch back. */
function applyTablesScope(type: ConnectorType, values: FormValues): FormValues {
  const field = findTablesField(type)
  return field === undefined || values[tablesScope] === 'some' ? values : { ...values, [field.path]: '' }
}

function formRules(type: ConnectorType, values: FormValues): Record<string, FieldRule> {
  const tables = findTablesField(type)
  return {
    schedule: { isOptional: true },
    schemaPolicy: { isOptional: true },
    [targetKind]: { isOptional: true },
    [targetSchema]: { isOptional: true },
    ...fieldRules([...sourceFields(type), ...targetFields(type, values[targetKind])], values),
    // An empty selection would be stored as all tables, the opposite of what the user chose.
    ...(tables === undefined ? {} : { [tables.path]: { isOptional: values[tablesScope] !== 'some' } }),
  }
}
