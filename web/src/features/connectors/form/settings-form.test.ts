import type { ConnectorType, SettingsField } from '@tributary/contract/connector-catalogue'
import { secretMask } from '@tributary/contract/limits'
import { expect, test } from 'vitest'
import { validateField, type FormValues } from '../../../ui/forms/use-form.ts'
import {
  formValues,
  unusedName,
  toPropertyInputs,
  fieldRules,
  deriveSchemaName,
  sourceFields,
  targetFields,
  targetKind,
  valuesForKind,
} from './settings-form.ts'

const field = (Key: string, changes: Partial<SettingsField> = {}): SettingsField => ({
  Key,
  Label: Key,
  Kind: 'text',
  Required: true,
  Help: null,
  Placeholder: null,
  Choices: [],
  Initial: null,
  Hidden: false,
  ...changes,
})
const target = (Kind: string, port: number) => ({
  Kind,
  Title: Kind,
  Section: {
    Property: 'target.connectionString',
    Shape: 'object' as const,
    Title: 'Target',
    Help: null,
    Fields: [
      field('host'),
      field('port', { Kind: 'number', Required: false, Initial: port }),
      field('password', { Kind: 'secret' }),
    ],
  },
})
const type: ConnectorType = {
  Id: '00000000-0000-4000-8000-000000000001',
  Type: 'cin7',
  Title: 'Cin7 Core',
  Description: 'Stock and sales.',
  Needs: 'Keys',
  Guide: [],
  Licences: [],
  Kind: 'inventory',
  IsEarlyStages: false,
  RequiresAuthorisation: false,
  DefaultSchedule: '0 6 * * *',
  Sections: [
    {
      Property: 'cin7',
      Shape: 'plain',
      Title: 'Cin7',
      Help: null,
      Fields: [field('cin7.accountId'), field('cin7.applicationKey', { Kind: 'secret' })],
    },
    {
      Property: 'source.connectionString',
      Shape: 'object',
      Title: 'Source',
      Help: null,
      Fields: [
        field('data source'),
        field('multipleActiveResultSets', { Kind: 'switch', Required: false }),
        field('tables', { Kind: 'list', Required: false }),
      ],
    },
  ],
  Targets: [target('postgres', 5432), target('mysql', 3306)],
  Demo: null,
}

test('[API-7] plain fields are separate properties, the fields of an object are one property', () => {
  const values = {
    ...formValues(type, {}),
    'cin7.accountId': ' id ',
    'cin7.applicationKey': 'key',
    'source.connectionString.data source': 'db',
    'source.connectionString.tables': 'a\n\n b ',
  }
  expect(toPropertyInputs(type, values, false)).toEqual([
    { name: 'cin7.accountId', value: 'id' },
    { name: 'cin7.applicationKey', value: 'key' },
    {
      name: 'source.connectionString',
      value: { 'data source': 'db', multipleActiveResultSets: false, tables: ['a', 'b'] },
    },
  ])
})

test('[MAN-7] a blank connection sends no target, so that Tributary stores the data', () => {
  const names = toPropertyInputs(type, formValues(type, {}), false).map(({ name }) => name)
  expect(names).not.toContain('target.connectionString')
})

test('a removed target is sent as explicit empty values', () => {
  expect(toPropertyInputs(type, formValues(type, {}), true)).toContainEqual({
    name: 'target.connectionString',
    value: null,
  })
})

test('a target is sent with its kind, numbers as numbers, and a mask unchanged', () => {
  const stored = {
    'target.connectionString': { connector: 'mysql', host: 'h', port: 3307, password: secretMask },
    'target.schema': 'mart',
  }
  const inputs = toPropertyInputs(type, formValues(type, stored), true)
  expect(inputs).toContainEqual({
    name: 'target.connectionString',
    value: { connector: 'mysql', host: 'h', port: 3307, password: secretMask },
  })
  expect(inputs).toContainEqual({ name: 'target.schema', value: 'mart' })
})

test('another kind of target starts with its defaults, and the previous kind’s fields are no longer required', () => {
  const first = valuesForKind(type, formValues(type, {}), 'postgres')
  expect(first['target.connectionString.port']).toBe('5432')
  const second = valuesForKind(type, { ...first, 'target.connectionString.host': 'h' }, 'mysql')
  expect(second['target.connectionString.port']).toBe('3306')
  expect(second['target.connectionString.host']).toBe('')
  expect(
    Object.keys(valuesForKind(type, second, '')).filter((name) => name.startsWith('target.connectionString')),
  ).toEqual([])
})

test('[FORM-1] required fields and numbers follow the catalogue', () => {
  const values: FormValues = {
    ...valuesForKind(type, formValues(type, {}), 'postgres'),
    'target.connectionString.port': '54x',
  }
  const rules = fieldRules([...sourceFields(type), ...targetFields(type, values[targetKind])], values)
  expect(validateField('cin7.accountId', values, rules)).toBe('required')
  expect(validateField('source.connectionString.tables', values, rules)).toBeNull()
  expect(validateField('source.connectionString.multipleActiveResultSets', values, rules)).toBeNull()
  expect(validateField('target.connectionString.host', values, rules)).toBe('required')
  expect(validateField('target.connectionString.port', values, rules)).toBe('Enter a whole number.')
})

test('an own target starts with a schema named after the connector, which stays when the kind changes', () => {
  expect(deriveSchemaName('Māori shop 2')).toBe('maori_shop_2')
  expect(deriveSchemaName('2026 — Ltd.')).toBe('ltd')
  expect(deriveSchemaName('漢字')).toBe('tributary_data')
  const first = valuesForKind(type, { ...formValues(type, {}), name: 'Web shop' }, 'postgres')
  expect(first['target.schema']).toBe('web_shop')
  expect(valuesForKind(type, { ...first, 'target.schema': 'mart' }, 'mysql')['target.schema']).toBe('mart')
})

test('a new connector gets an unused name', () => {
  expect(unusedName('Xero', [])).toBe('Xero')
  expect(unusedName('Xero', ['xero', 'Xero 2'])).toBe('Xero 3')
})
