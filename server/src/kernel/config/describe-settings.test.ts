import { expect, test } from 'vitest'
import { describeConfig } from './describe-settings.ts'
import { allSettings } from './all-settings.ts'

const canary = 'canary-s3cret'
const env = {
  TRIBUTARY_MODE: 'production',
  DATABASE_URL: `postgres://tributary:${canary}@db.example:5433/tributary?sslpassword=${canary}`,
  TRIBUTARY_WAREHOUSE_URL: canary,
  TRIBUTARY_MASTER_KEY: canary,
  TRIBUTARY_SMTP_URL_FILE: `/nowhere/${canary.slice(0, 6)}`,
  TRIBUTARY_OIDC_ACME_CLIENT_ID: 'tributary',
  TRIBUTARY_OIDC_ACME_CLIENT_SECRET: canary,
  TRIBUTARY_XERO_CLIENT_SECRET: canary,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=${canary}`,
  TRIBUTARY_PASWORD_MIN: '12',
}

test('the effective settings are listed with their origin, masked secrets and unknown names', () => {
  const { settings, problems, unknown } = describeConfig(env)
  const of = (name: string) => settings.find((one) => one.name === name)
  expect(of('DATABASE_URL')).toMatchObject({
    value: 'postgres://tributary:••••••@db.example:5433/tributary',
    from: 'environment',
  })
  expect(of('TRIBUTARY_SMTP_URL')).toMatchObject({ value: '••••••', from: 'file' })
  expect(of('TRIBUTARY_OIDC_ACME_CLIENT_SECRET')).toMatchObject({ value: '••••••' })
  expect(of('TRIBUTARY_HOST')).toMatchObject({ value: '0.0.0.0', from: 'default' })
  expect(of('TRIBUTARY_PASSWORD_MIN')).toMatchObject({ value: '6', from: 'default' })
  expect(unknown).toEqual(['TRIBUTARY_PASWORD_MIN'])
  expect(problems.length).toBeGreaterThan(0)
  expect(JSON.stringify({ settings, problems, unknown })).not.toContain(canary)
})

test('names of settings are unique, and each has a description in full sentences', () => {
  const names = allSettings.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { meaning } of allSettings) expect(meaning).toMatch(/^[\p{Lu}`\d].*\.$/u)
})
