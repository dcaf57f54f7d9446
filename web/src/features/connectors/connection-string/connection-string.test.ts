import type { SettingsField } from '@tributary/contract/connector-catalogue'
import { expect, test } from 'vitest'
import { parseConnectionString } from './connection-string.ts'
import { fillConnectionFields, acceptsConnectionString } from './fill-connection-fields.ts'
import type { ConnectorFormField } from '../form/settings-form.ts'

test('a URL is parsed, with its password decoded', () => {
  expect(parseConnectionString('postgres://reader:p%40ss%3Aword@db.example.com:5433/shop?sslmode=require')).toEqual({
    host: 'db.example.com',
    port: '5433',
    database: 'shop',
    user: 'reader',
    password: 'p@ss:word',
    tlsMode: 'require',
  })
  expect(parseConnectionString('jdbc:postgresql://db.example.com/shop?user=reader&password=x')).toEqual({
    host: 'db.example.com',
    database: 'shop',
    user: 'reader',
    password: 'x',
  })
  expect(parseConnectionString('mysql://reader@[::1]:3307/shop')).toEqual({
    host: '::1',
    port: '3307',
    database: 'shop',
    user: 'reader',
  })
  expect(parseConnectionString('mysql://reader:100%@db/shop')).toMatchObject({ password: '100%' })
})

test('pairs are parsed as SQL Server, MySQL and PostgreSQL drivers write them', () => {
  expect(
    parseConnectionString(
      'Server=tcp:sql01,1433;Initial Catalog=Sales;User ID=reader;Password="a;b""c";MultipleActiveResultSets=True;Encrypt=false;TrustServerCertificate=True;',
    ),
  ).toEqual({
    host: 'tcp:sql01,1433',
    database: 'Sales',
    user: 'reader',
    password: 'a;b"c',
    multiple: true,
    encrypt: false,
    trust: true,
  })
  expect(
    parseConnectionString('jdbc:sqlserver://sql01:1434;databaseName=Sales;user=reader;password=x;encrypt=true'),
  ).toEqual({
    host: 'sql01',
    port: '1434',
    database: 'Sales',
    user: 'reader',
    password: 'x',
    encrypt: true,
  })
  expect(
    parseConnectionString(
      "host=db.example.com port=5432 dbname=shop user=reader password='it\\'s one' sslmode=verify-full",
    ),
  ).toEqual({
    host: 'db.example.com',
    port: '5432',
    database: 'shop',
    user: 'reader',
    password: "it's one",
    tlsMode: 'verify-full',
  })
  expect(parseConnectionString('Server=db;Port=3306;Uid=reader;Pwd=x;Database=shop;SslMode=VERIFY_CA')).toMatchObject({
    tlsMode: 'verify-ca',
  })
})

test('a text without a server is no connection string', () => {
  for (const text of ['', 'hello', 'password=x', 'https://example.com/shop', 'mongodb://db/shop', 'postgres://'])
    expect(parseConnectionString(text)).toBeNull()
})

const field = (key: string, changes: Partial<SettingsField> = {}): ConnectorFormField => ({
  path: `source.${key}`,
  property: 'source',
  key,
  field: {
    Key: key,
    Label: key.toUpperCase(),
    Kind: 'text',
    Required: true,
    Help: null,
    Placeholder: null,
    Choices: [],
    Initial: null,
    Hidden: false,
    ...changes,
  },
})

test('[MAN-7] a pasted string fills host, database and user of either kind of form, and leaves other fields unchanged', () => {
  const sqlServer = ['data source', 'initial catalog', 'user id', 'password', 'multipleActiveResultSets'].map((key) =>
    field(key),
  )
  const connection = parseConnectionString('sqlserver://sql01:1434;databaseName=Sales;user=reader') ?? {}
  const { values, labels } = fillConnectionFields(sqlServer, { name: 'Sales', 'source.password': 'kept' }, connection)
  expect(values).toEqual({
    name: 'Sales',
    'source.data source': 'sql01,1434',
    'source.initial catalog': 'Sales',
    'source.user id': 'reader',
    'source.password': 'kept',
  })
  expect(labels).toEqual(['DATA SOURCE', 'INITIAL CATALOG', 'USER ID'])
  expect(acceptsConnectionString(sqlServer)).toBe(true)
  expect(acceptsConnectionString([field('cin7.accountId')])).toBe(false)
})

test('encryption is filled in only if the meaning is certain', () => {
  const choices = (...values: string[]) => ({
    Kind: 'choice' as const,
    Choices: values.map((Value) => ({ Value, Label: Value })),
  })
  const postgres = [field('host'), field('sslmode', choices('verify-full', 'require', 'disable'))]
  const mysql = [field('host'), field('tls', choices('verify', 'encrypt', 'off'))]
  const mode = (fields: readonly ConnectorFormField[], tlsMode: string) =>
    fillConnectionFields(fields, {}, { host: 'db', tlsMode }).values
  expect(mode(postgres, 'require')['source.sslmode']).toBe('require')
  expect(mode(postgres, 'prefer')).not.toHaveProperty('source.sslmode')
  expect(mode(mysql, 'verify-ca')['source.tls']).toBe('verify')
  expect(mode(mysql, 'disabled')['source.tls']).toBe('off')
  expect(mode(mysql, 'preferred')).not.toHaveProperty('source.tls')
})
